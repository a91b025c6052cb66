import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton backup restore`
struct BackupRestoreCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore from a snapshot.",
        discussion: """
            A path begins with the bundle identifier of an app, “settings”, or a folder's path; another one is relative to the \
            working directory. It gets its own name below --to: to restore to its place, give the folder that it is in. Without a \
            snapshot it is the newest, of this device where it has one. Existing files are not overwritten without --replace; a \
            restore that was cut goes on when the command is given again, and Ctrl-C stops it.
            --device NAME alone brings a whole device back to its places: settings first, then apps, the one that was used last before \
            the others, then folders. An app can be opened as soon as its own data is whole, and opening it brings it first. It goes on \
            after a restart of the daemon.
            --recovery-code reads the recovery code of the account from standard input: then nothing is needed but the code and the target, \
            which is a directory (--target) or the account's cloud (--cloud).
            """)

    @Argument(help: "A snapshot of “baton backup list”, its number, a beginning that no other has, or “latest”.")
    var snapshot: String?
    @Argument(help: "The path to restore; everything without it.") var path: String?
    @Option(name: .long, help: "The directory to restore into.", completion: .directory) var to: String?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "This app's container, to its place: an app by its name or bundle identifier; one that is not installed by its identifier.",
            valueName: "app"), completion: DynamicCompletion.apps)
    var app: String?
    @Option(name: .long, help: "The newest snapshot of this device.") var device: String?
    @Option(name: .long, help: "Another directory with a backup, or “cloud”.", completion: .directory) var target:
        String?
    @Option(name: .long, help: ArgumentHelp("With the recovery code: the account's cloud.", valueName: "url"))
    var cloud: String?
    @Option(name: .long, help: "The fingerprint of that cloud's certificate, as baton-cloud prints it.")
    var fingerprint: String?
    @Flag(help: "Replace what is there.") var replace = false
    @Flag(help: "Read the recovery code from standard input.") var recoveryCode = false
    @Flag(help: "Wait no more for the rest of a device that is being restored.") var giveUp = false
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        if giveUp {
            _ = try await session.call(BackupMethods.restoreBackup, .with { $0.giveUp = true })
            return try session.emit(
                json: ["given_up": .boolean(true)], text: "Restored files stay. The rest is not waited for any more.")
        }
        let fingerprint = try certificate()
        let code = recoveryCode ? readLine() ?? "" : ""
        if recoveryCode, code.isEmpty {
            throw BatonError(
                .invalidArgument, reason: "no_recovery_code", "Type the recovery code, or give it on standard input.")
        }
        let bundleID = try await bundleID(session)
        let paths = BackupPath.inSnapshot(path ?? "")
        let answer: Baton_Control_V1_RestoreBackupResponse
        do {
            answer = try await restore(paths[0], bundleID, code, fingerprint, session)
        } catch let error as BatonError where error.reason == "not_in_snapshot" && paths.count > 1 {
            answer = try await restore(paths[1], bundleID, code, fingerprint, session)
        }
        try session.emit(json: Self.json(answer), text: Self.text(answer, replaces: replace))
        guard answer.failed == 0 else { throw CommandFailure(.failure, nil) }
    }

    /// An app of the backup need not be installed here.
    private func bundleID(_ session: CommandSession) async throws -> String {
        guard let app else { return "" }
        do {
            return try await AppReference.bundleID(app, session)
        } catch let error as BatonError where error.reason == "app_not_found" {
            guard BundleID.isValid(app), app.contains(".") else { throw error }
            return app
        }
    }

    private func certificate() throws -> Data {
        guard let fingerprint else { return Data() }
        guard let bytes = RecoverySheet.fingerprint(fingerprint) else {
            throw CommandFailure.usage("--fingerprint takes the 64 hexadecimal digits that “baton-cloud serve” prints.")
        }
        return Data(bytes)
    }

    private func restore(
        _ path: String, _ bundleID: String, _ code: String, _ fingerprint: Data, _ session: CommandSession
    ) async throws -> Baton_Control_V1_RestoreBackupResponse {
        try await BackupWork.call(
            BackupMethods.restoreBackup,
            .with {
                $0.snapshotID = snapshot == "latest" ? "" : snapshot ?? ""
                $0.path = path
                $0.device = device ?? ""
                $0.bundleID = bundleID
                $0.to = try to.map { try BackupPath.typed($0) } ?? ""
                $0.target = try target.map { try BackupPath.target($0) } ?? ""
                $0.cloudURL = cloud ?? ""
                $0.cloudFingerprint = fingerprint
                $0.replace = replace
                $0.recoveryCode = code
            }, session)
    }

    private static func text(_ answer: Baton_Control_V1_RestoreBackupResponse, replaces: Bool) -> String {
        var lines = [
            "Restored \(BackupText.files(answer.files)), \(BackupText.bytes(answer.bytes)), to "
                + (answer.place.isEmpty ? "their places" : TerminalText.escape(answer.place))
                + ", from \(answer.snapshot.snapshotID) of "
                + "\(BackupText.time(Date(timeIntervalSince1970: Double(answer.snapshot.finished) / 1000)))."
        ]
        if answer.unchanged > 0 {
            lines.append(answer.unchanged == 1 ? "1 was there already." : "\(answer.unchanged) were there already.")
        }
        if answer.kept > 0 {
            lines.append(
                (answer.kept == 1 ? "1 was not overwritten. " : "\(answer.kept) were not overwritten. ")
                    + (replaces
                        ? "A directory has the place of each, or it was changed meanwhile: move that away, and restore again."
                        : "Give --replace to replace what is there."))
        }
        if answer.refusedMetadata > 0 {
            lines.append(BackupSentences.refused(answer.refusedMetadata))
        }
        if !answer.installed.isEmpty {
            lines.append("These apps were installed from the backup:")
            lines += answer.installed.map { "  " + TerminalText.escape($0) }
        }
        if !answer.notInstalled.isEmpty {
            lines.append("The data of these apps is back. Install them with “baton install”:")
            lines += answer.notInstalled.map { "  " + TerminalText.escape($0) }
        }
        lines += answer.notes.map { TerminalText.escape($0) }
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
            "installed": .array(answer.installed.map { .string($0) }),
            "not_installed": .array(answer.notInstalled.map { .string($0) }),
            "notes": .array(answer.notes.map { .string($0) }),
        ]
    }
}
