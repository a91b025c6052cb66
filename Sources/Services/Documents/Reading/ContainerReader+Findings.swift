import BatonCore
import FileSync
import Sync

/// Problems that keep a container, or something in it, from being the same everywhere. They are shown in all the answers: with
/// the containers, with the state of the sync, and in its explanation.
extension ContainerReader {
    /// Files that were just saved are read in a moment: that is no problem to report.
    private static let patience = Duration.seconds(1)

    var findings: [ZoneFinding] {
        var findings: [ZoneFinding] = []
        if let problem = notes.problem { findings.append(ZoneFinding("folder", problem.message)) }
        let held = planner.state.held.count
        if held > 0 {
            findings.append(
                ZoneFinding(
                    "deletions",
                    "\(held) files are missing here at once. They stay on the other devices until you say whether you deleted them",
                    advice: "Say so with “baton documents deletions \(name.identifier) --confirm” or “--undo”."))
        }
        if disk.ignoring?.isCut == true {
            findings.append(
                ZoneFinding(
                    "ignored names",
                    "only the first \(IgnoreFile.maximumRules) rules in the first \(IgnoreFile.maximumBytes / 1024) KiB of .batonignore count",
                    advice: "Make it shorter.", isFailure: false))
        }
        if isReadOnly, notes.changedHere > 0 {
            let waiting = planner.obstructedEntries
            let newer =
                switch waiting {
                case 0: ""
                case 1: "; a newer version of another device waits"
                default: "; \(waiting) newer versions of other devices wait"
                }
            findings.append(
                ZoneFinding(
                    "changes",
                    "\(notes.changedHere == 1 ? "one change" : "\(notes.changedHere) changes") of this device \(notes.changedHere == 1 ? "is" : "are") not sent, "
                        + "since the folder only receives here\(newer)",
                    advice: "“baton folder revert \(name.folderName ?? "")” undoes them.", isFailure: false))
        }
        findings += waitingFiles
        findings += kept
        if isCloudAway || ports.isCloudUnreachable(), !ledger.toKeep.isEmpty {
            let count = ledger.toKeep.count
            findings.append(
                ZoneFinding(
                    "contents",
                    "\(count == 1 ? "the contents of a file are" : "the contents of \(count) files are") on this device only: "
                        + "\(direct.hasCloud ? "the account's cloud is away" : "the account has no cloud"), and no device that is near "
                        + "keeps them yet",
                    advice: "Bring another device of the account near that has this folder or app, and room for them.",
                    isFailure: false))
        }
        let noRoom = ledger.noRoom.count {
            $0.value.duration(to: .now) < ContentLedger.noRoomTime && !shelf.has($0.key)
        }
        if noRoom > 0 {
            findings.append(
                ZoneFinding(
                    "room",
                    "\(noRoom == 1 ? "the contents of a file" : "the contents of \(noRoom) files") of another device do not "
                        + "come here: this device's disk has no room for them",
                    advice: "Free some space on it; then they come."))
        }
        if direct.hasCloud, ledger.toBring > 0 {
            let count = ledger.toBring
            findings.append(
                ZoneFinding(
                    "contents",
                    "\(count == 1 ? "the contents of a file are" : "the contents of \(count) files are") not in the account's cloud yet: "
                        + "devices kept them for each other before there was one",
                    advice: "They come there from this device. Leave it on until then.", isFailure: false))
        }
        if let refusal = notes.refusal {
            findings.append(
                ZoneFinding(
                    "account", refusal.message,
                    advice: "“baton documents purge” makes room of what was deleted, and of earlier versions."))
        }
        return findings
    }

    /// Files that programs have open, and those that the sync may not read.
    private var waitingFiles: [ZoneFinding] {
        var (open, closed): ([String], [String]) = ([], [])
        for handle in reads.wanted.keys {
            guard let since = reads.since[handle], since.duration(to: .now) > Self.patience else { continue }
            let path = disk.places[handle].flatMap { disk.path(of: $0) } ?? "a file"
            if reads.unreadable.contains(handle) { closed.append(path) } else { open.append(path) }
        }
        var findings: [ZoneFinding] = []
        if !open.isEmpty {
            findings.append(
                ZoneFinding(
                    "open files",
                    "\(Self.list(open)) \(open.count == 1 ? "waits" : "wait"): a program has it open for writing",
                    advice: "It is sent once the program closes it: save and close it, or quit the program.",
                    isFailure: false))
        }
        if !closed.isEmpty {
            findings.append(
                ZoneFinding(
                    "unreadable files", "\(Self.list(closed)) cannot be read, so changes of it are not sent",
                    advice: "Allow your user to read it."))
        }
        return findings
    }

    /// Files that do not come to their places, or whose contents do not come or go: by the reason, each with the first sentence.
    private var kept: [ZoneFinding] {
        var reasons: [String: (error: BatonError, paths: [String])] = [:]
        for (id, error) in notes.problems where error.reason != "unreadable_file" {
            guard let path = path(ofKept: id, error.reason) else { continue }
            reasons[error.reason, default: (error, [])].paths.append(path)
        }
        var findings = reasons.sorted { $0.key < $1.key }.map { _, kept in
            ZoneFinding("files", "\(Self.list(kept.paths)): \(kept.error.message)")
        }
        if let error = notes.uploadProblems.values.first, notes.refusal == nil {
            findings.append(
                ZoneFinding(
                    "contents",
                    "\(notes.uploadProblems.count == 1 ? "the contents of a file" : "the contents of \(notes.uploadProblems.count) files") "
                        + "cannot be sent: \(error.message)"))
        }
        for (purpose, wait) in claims.waits where wait.isHeldUp || wait.since.duration(to: .now) > ports.patience {
            guard let path = wait.accesses.first?.path.split(separator: "/").last else { continue }
            if case .reading(let handle) = purpose, reads.since[handle] != nil { continue }
            let holders = claims.holders(wait).joined(separator: ", ")
            findings.append(
                ZoneFinding(
                    "files in use", "“\(path)” waits: \(holders.isEmpty ? "an app" : holders) has been using it",
                    advice: "Save and close it in the app, or quit the app.", isFailure: false))
        }
        return findings
    }

    /// Where an item is or is to be; or one that was to go. A directory in which something stays that does not sync counts only where
    /// another item waits for its place.
    private func path(ofKept id: EntryID, _ reason: String) -> String? {
        let entries = planner.state.entries
        if case .shown = entries.placement(of: id) { return item(id)?.path }
        guard let record = planner.state.base[id],
            reason != "left_behind"
                || entries.children(of: record.parent).contains(where: { other in
                    planner.state.base[other] == nil && entries[other]?.name.value == record.sharedName
                })
        else { return nil }
        return disk.places[record.handle].flatMap { disk.path(of: $0) }
    }

    /// At most three by name.
    private static func list(_ paths: [String]) -> String {
        let shown = paths.sorted().prefix(3).map { "“\($0.shortened(toBytes: 200))”" }.joined(separator: ", ")
        return paths.count > 3 ? "\(shown) and \(paths.count - 3) more" : shown
    }
}
