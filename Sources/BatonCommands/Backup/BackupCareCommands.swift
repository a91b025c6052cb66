import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton backup verify`
struct BackupVerifyCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check whether every snapshot can be restored.",
        discussion:
            "The exit status is 1 if something is damaged. The next backup stores again what is still on this device.")

    private static let shownPaths = 20

    @Flag(help: "Open every chunk, and not only the packs' directories.") var read = false
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await BackupWork.call(BackupMethods.verifyBackups, .with { $0.read = read }, session)
        var lines = [
            "Snapshots: \(answer.snapshots), in \(answer.packs) \(answer.packs == 1 ? "pack" : "packs")"
                + (read ? ", chunks read: \(answer.chunks)." : ".")
        ]
        lines += BackupSentences.unusable(
            bad: answer.badSnapshots, unreadable: answer.unreadableSnapshots, unchained: answer.unchained,
            missing: answer.missingSnapshots)
        lines += answer.damagedPacks.map { "The pack \($0) is damaged, or cannot be read on this device." }
        for damage in answer.damage {
            lines.append("The snapshot \(damage.snapshotID) is not whole:")
            lines += damage.paths.prefix(Self.shownPaths).map { "  " + TerminalText.escape($0) }
            if damage.paths.count > Self.shownPaths {
                lines.append("  and \(damage.paths.count - Self.shownPaths) more; --json lists up to 1000")
            }
        }
        if !answer.notMarked.isEmpty { lines.append(BackupSentences.notMarked(TerminalText.escape(answer.notMarked))) }
        let lacksNothing =
            answer.badSnapshots.isEmpty && answer.missingSnapshots.isEmpty && answer.unchained.isEmpty
            && answer.damage.isEmpty
        let isWhole = lacksNothing && answer.damagedPacks.isEmpty
        lines.append(
            BackupSentences.verified(
                snapshots: answer.snapshots, isRead: read, isWhole: isWhole, lacksNothing: lacksNothing,
                newestWhole: answer.newestWhole))
        func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        try session.emit(
            json: [
                "snapshots": .init(answer.snapshots), "packs": .init(answer.packs), "chunks": .init(answer.chunks),
                "bad_snapshots": list(answer.badSnapshots),
                "unreadable_snapshots": .array(answer.unreadableSnapshots.map(BackupText.json)),
                "missing_snapshots": list(answer.missingSnapshots),
                "unchained": list(answer.unchained), "damaged_packs": list(answer.damagedPacks),
                "affected": list(answer.affected),
                "damage": .array(
                    answer.damage.map { ["snapshot_id": .string($0.snapshotID), "paths": list($0.paths)] }),
                "newest_whole": .init(nonEmpty: answer.newestWhole),
                "not_marked": .init(nonEmpty: answer.notMarked),
                "whole": .boolean(isWhole),
            ], text: lines.joined(separator: "\n"))
        guard isWhole else { throw CommandFailure(.failure, nil) }
    }
}

/// `baton backup forget`
struct BackupForgetCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget old snapshots, of every device, and free what nothing needs any more.",
        discussion: """
            The newest snapshot of each of the last so many days, weeks and months stays, and the newest of each device. Data \
            that no snapshot needs goes a day later. Nothing goes while a snapshot is damaged, missing or not readable here: its whole \
            name forgets a damaged or missing one, too.
            """)

    @Argument(help: "This snapshot alone: its name, its number, or a beginning that no other has.")
    var snapshot: String?
    @Option(name: .long) var keepDaily: UInt32 = 14
    @Option(name: .long) var keepWeekly: UInt32 = 8
    @Option(name: .long) var keepMonthly: UInt32 = 12
    @Flag(help: "With a whole name: also one that this device cannot read, which may be whole.")
    var unreadable = false
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        guard !unreadable || snapshot != nil else {
            throw CommandFailure.usage("--unreadable goes with the whole name of a snapshot of “baton backup list”.")
        }
        let answer = try await session.call(
            BackupMethods.forgetBackups,
            .with {
                $0.snapshotID = snapshot ?? ""
                $0.unreadable = unreadable
                $0.keepDaily = keepDaily
                $0.keepWeekly = keepWeekly
                $0.keepMonthly = keepMonthly
            }, timeout: BackupPatience.whole)
        try session.emit(
            json: [
                "forgotten": .array(answer.snapshotIds.map { .string($0) }),
                "not_collected": .init(nonEmpty: answer.notCollected),
            ],
            text: BackupSentences.forgotten(
                answer.snapshotIds.count, notCollected: TerminalText.escape(answer.notCollected)))
    }
}

/// `baton explain backup`
struct ExplainBackupCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "When was the last backup made, and why does the next one wait?")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(BackupMethods.explainBackup, .init())
        try ExplanationReport.emit(answer.explanations, session)
    }
}
