import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton backup verify`
struct BackupVerifyCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Look whether every snapshot can be restored.",
        discussion:
            "The exit status is 1 if something is damaged. The next backup stores again what is still on this device.")

    @Flag(help: "Open every chunk, and not only the packs' directories.") var read = false
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            BackupMethods.verifyBackups, .with { $0.read = read }, timeout: BackupPatience.whole)
        var lines = [
            "\(answer.snapshots) snapshots in \(answer.packs) packs" + (read ? ", \(answer.chunks) chunks read." : ".")
        ]
        lines += answer.badSnapshots.map { "The snapshot \($0) is damaged, or no device of the account made it." }
        lines += answer.missingSnapshots.map { "The snapshot \($0) is missing, though nobody forgot it." }
        lines += answer.damagedPacks.map { "The pack \($0) is damaged." }
        for damage in answer.damage {
            lines.append("The snapshot \(damage.snapshotID) is not whole:")
            lines += damage.paths.map { "  " + TerminalText.escape($0) }
        }
        let isWhole =
            answer.badSnapshots.isEmpty && answer.missingSnapshots.isEmpty && answer.damagedPacks.isEmpty
            && answer.damage.isEmpty
        lines.append(
            BackupSentences.verified(snapshots: answer.snapshots, isWhole: isWhole, newestWhole: answer.newestWhole))
        func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        try session.emit(
            json: [
                "snapshots": .init(answer.snapshots), "packs": .init(answer.packs), "chunks": .init(answer.chunks),
                "bad_snapshots": list(answer.badSnapshots), "missing_snapshots": list(answer.missingSnapshots),
                "damaged_packs": list(answer.damagedPacks), "affected": list(answer.affected),
                "damage": .array(
                    answer.damage.map { ["snapshot_id": .string($0.snapshotID), "paths": list($0.paths)] }),
                "newest_whole": .init(nonEmpty: answer.newestWhole),
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
            The newest snapshot of each of the last so many days, weeks and months stays, and the newest of each device. What no \
            snapshot needs goes a day later.
            """)

    @Argument(help: "This snapshot alone: its name, its number, or a beginning that no other has.")
    var snapshot: String?
    @Option(name: .long) var keepDaily: UInt32 = 14
    @Option(name: .long) var keepWeekly: UInt32 = 8
    @Option(name: .long) var keepMonthly: UInt32 = 12
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            BackupMethods.forgetBackups,
            .with {
                $0.snapshotID = snapshot ?? ""
                $0.keepDaily = keepDaily
                $0.keepWeekly = keepWeekly
                $0.keepMonthly = keepMonthly
            }, timeout: BackupPatience.whole)
        let count = answer.snapshotIds.count
        try session.emit(
            json: ["forgotten": .array(answer.snapshotIds.map { .string($0) })],
            text: count == 0
                ? "No snapshot is forgotten."
                : count == 1 ? "1 snapshot is forgotten." : "\(count) snapshots are forgotten.")
    }
}

/// `baton backup restore`
struct BackupRestoreCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore from a snapshot.",
        discussion: """
            A path begins with the bundle identifier of an app, “settings”, or a folder's path; another one is relative to the \
            working directory. It gets its own name below --to: to restore to its place, give the folder that it is in. Without a \
            snapshot it is the newest, of this device where it has one. What is there already is not overwritten without --replace; a \
            restore that was cut goes on when the command is given again, and Ctrl-C stops it.
            --recovery-code reads the recovery code of the account from standard input: then nothing but the code and the target is \
            needed.
            """)

    @Argument(help: "A snapshot of “baton backup list”, its number, a beginning that no other has, or “latest”.")
    var snapshot: String?
    @Argument(help: "What to restore; everything without it.") var path: String?
    @Option(name: .long, help: "The directory to restore into.", completion: .directory) var to: String?
    @Option(name: .long, help: ArgumentHelp("This app's container, to its place.", valueName: "bundle-id")) var app:
        String?
    @Option(name: .long, help: "The newest snapshot of this device.") var device: String?
    @Option(name: .long, help: "Another directory with a backup.", completion: .directory) var target: String?
    @Flag(help: "Replace what is there.") var replace = false
    @Flag(help: "Read the recovery code from standard input.") var recoveryCode = false
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let code = recoveryCode ? readLine() ?? "" : ""
        if recoveryCode, code.isEmpty {
            throw BatonError(
                .invalidArgument, reason: "no_recovery_code", "Type the recovery code, or give it on standard input.")
        }
        let paths = BackupPath.inSnapshot(path ?? "")
        let answer: Baton_Control_V1_RestoreBackupResponse
        do {
            answer = try await restore(paths[0], code, session)
        } catch let error as BatonError where error.reason == "not_in_snapshot" && paths.count > 1 {
            answer = try await restore(paths[1], code, session)
        }
        try session.emit(json: Self.json(answer), text: Self.text(answer))
        guard answer.failed == 0 else { throw CommandFailure(.failure, nil) }
    }

    private func restore(
        _ path: String, _ code: String, _ session: CommandSession
    ) async throws -> Baton_Control_V1_RestoreBackupResponse {
        try await session.call(
            BackupMethods.restoreBackup,
            .with {
                $0.snapshotID = snapshot == "latest" ? "" : snapshot ?? ""
                $0.path = path
                $0.device = device ?? ""
                $0.bundleID = app ?? ""
                $0.to = to.map { BackupPath.absolute($0) } ?? ""
                $0.target = target.map { BackupPath.absolute($0) } ?? ""
                $0.replace = replace
                $0.recoveryCode = code
            }, timeout: BackupPatience.whole)
    }

    private static func text(_ answer: Baton_Control_V1_RestoreBackupResponse) -> String {
        var lines = [
            "Restored \(answer.files) files, \(BackupText.bytes(answer.bytes)), to \(TerminalText.escape(answer.place))."
        ]
        if answer.unchanged > 0 { lines.append("\(answer.unchanged) were there already.") }
        if answer.kept > 0 {
            lines.append("\(answer.kept) were not overwritten. Give --replace to replace what is there.")
        }
        if answer.refusedMetadata > 0 {
            lines.append("The file system did not take \(answer.refusedMetadata) modes, times or attributes.")
        }
        if answer.failed > 0 { lines.append("\(answer.failed) could not be restored:") }
        return (lines + answer.failures.map { "  " + TerminalText.escape($0) }).joined(separator: "\n")
    }

    private static func json(_ answer: Baton_Control_V1_RestoreBackupResponse) -> JSONValue {
        [
            "snapshot_id": .string(answer.snapshot.snapshotID), "place": .string(answer.place),
            "files": .init(answer.files), "bytes": .init(answer.bytes), "unchanged": .init(answer.unchanged),
            "kept": .init(answer.kept), "failed": .init(answer.failed),
            "failures": .array(answer.failures.map { .string($0) }),
            "refused_metadata": .init(answer.refusedMetadata),
        ]
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
