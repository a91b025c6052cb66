import BatonWire

/// The sentences of the verbs of `baton backup`.
enum BackupSentences {
    /// - Parameter hasBackup: whether this device has a snapshot there.
    static func target(_ path: String, hasBackup: Bool) -> String {
        "Backups go to \(path). "
            + (hasBackup
                ? "This device has backups there, and the next one adds to them."
                : "The first one is made with “baton backup now”, or within a day.")
    }

    /// - Parameter hasSnapshots: whether there is any at the target.
    static func noLargeApp(hasSnapshots: Bool) -> String {
        hasSnapshots ? "No app has more than 100 MB in the backup." : noBackup
    }

    static let noBackup = "There is no backup there yet. “baton backup now” makes one."

    /// - Parameter why: a sentence.
    static func notMarked(_ why: String) -> String {
        "The damage could not be noted at the target, so the next backup may rely on what is damaged. \(why) Give this command again when "
            + "the target can be written to."
    }

    /// - Parameter notCollected: a sentence that says why no room is being freed yet; empty where it is.
    static func forgotten(_ count: Int, notCollected: String) -> String {
        let done =
            count == 0
            ? "No snapshot is forgotten."
            : count == 1 ? "1 snapshot is forgotten." : "\(count) snapshots are forgotten."
        if !notCollected.isEmpty {
            return "\(done) Room could not be freed yet: the next backup tries it again. \(notCollected)"
        }
        return count == 0 ? done : "\(done) Room that nothing else needs is free in a day or two."
    }

    static func refused(_ count: UInt64) -> String {
        "The file system did not take \(count) \(count == 1 ? "mode, time or attribute" : "modes, times or attributes")."
    }

    static func restoring(_ count: UInt32) -> String {
        count == 1
            ? "1 app or folder of the device that is restored is not back yet."
            : "\(count) apps and folders of the device that is restored are not back yet."
    }

    /// How far work is. Some counts no files.
    static func done(files: UInt64, _ rest: String) -> String {
        files == 0 ? rest : "\(BackupText.files(files)), \(rest)"
    }

    static func otherFileSystem(_ path: String) -> String {
        "\(path) is another file system, and is not in the backup. Include it by its own name, or leave it out for good with “baton backup "
            + "exclude”."
    }

    static func bad(_ snapshot: String) -> String {
        "The snapshot \(snapshot) is damaged, or no device of the account made it."
    }

    private static let shownMissing = 20

    static func missing(_ snapshots: [String]) -> [String] {
        let lines = snapshots.prefix(shownMissing).map { "The snapshot \($0) is missing, though no device forgot it." }
        guard snapshots.count > shownMissing else { return lines }
        return lines + ["\(snapshots.count - shownMissing) more are missing; --json lists up to 1000 of each device."]
    }

    /// - Parameter why: sentences.
    static func unreadable(_ snapshot: String, why: String) -> String {
        "The snapshot \(snapshot) cannot be read on this device, and may be whole. \(why)"
    }

    /// The lines about all snapshots of which nothing can be restored here.
    static func unusable(
        bad: [String], unreadable: [Baton_Control_V1_UnreadableBackup], unchained: [String], missing: [String]
    ) -> [String] {
        let names = Set(unreadable.map(\.snapshotID))
        let damaged = bad.filter { !names.contains($0) }
        return damaged.map { self.bad($0) }
            + unreadable.map { self.unreadable($0.snapshotID, why: TerminalText.escape($0.why)) }
            + unchained.map { exchanged($0) } + self.missing(missing)
            + lost(damaged.count + missing.count, unreadable: unreadable.count)
    }

    /// The consequence of damaged and missing snapshots, and of those that are only not readable here.
    static func lost(_ count: Int, unreadable: Int = 0) -> [String] {
        guard count + unreadable > 0 else { return [] }
        var sentences = [
            "Until \(count + unreadable == 1 ? "that snapshot is" : "those snapshots are") forgotten\(unreadable > 0 ? " or readable" : "") no "
                + "room becomes free at the target."
        ]
        if count > 0 { sentences.append("“baton backup forget” with the whole name forgets one.") }
        if unreadable > 0 {
            sentences.append(
                "“baton backup forget SNAPSHOT --unreadable” forgets one that cannot be read here: nothing can be restored from it any more."
            )
        }
        sentences.append("After a device joined the account, first let this device meet the others, or the cloud.")
        return [sentences.joined(separator: " ")]
    }

    static func exchanged(_ snapshot: String) -> String {
        "The snapshot \(snapshot) is not the one that the next one followed: it has replaced that one. Trust neither "
            + "before you know who."
    }

    /// - Parameters:
    ///   - isRead: whether every chunk was opened. Without that nothing is said of what they hold.
    ///   - isWhole: whether no damage was found.
    ///   - lacksNothing: whether every snapshot is there, and has all that it names.
    ///   - newestWhole: empty for none.
    static func verified(
        snapshots: UInt64, isRead: Bool, isWhole: Bool, lacksNothing: Bool, newestWhole: String
    ) -> String {
        let advice = "“baton backup now” stores again what is still on this device."
        if isWhole {
            if snapshots == 0 { return "There is no snapshot there yet. “baton backup now” makes one." }
            return isRead
                ? "Everything can be restored."
                : "Every snapshot has all its parts. “baton backup verify --read” opens each of them, too."
        }
        if lacksNothing { return "No snapshot needs what is damaged. It goes a day later." }
        return newestWhole.isEmpty
            ? "No snapshot is whole. \(advice)" : "The newest snapshot that is whole is \(newestWhole). \(advice)"
    }
}
