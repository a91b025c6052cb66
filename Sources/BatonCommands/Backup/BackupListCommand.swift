import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton backup list`
struct BackupListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the snapshots at the target, the oldest first.",
        discussion: """
            --large lists the apps that have more than 100 MB in the newest snapshot of each device, the largest first. Files that an app can \
            make again belong into its Library/Caches, or are to be flagged.
            """)

    @Flag(help: "List the apps that make backups large.") var large = false
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(BackupMethods.listBackups, .init(), timeout: .seconds(600))
        if large { return try emitLarge(answer, session) }
        var lines = answer.snapshots.map { snapshot in
            let time = Date(timeIntervalSince1970: Double(snapshot.finished) / 1000)
            return "\(snapshot.snapshotID)  \(BackupText.time(time))  \(TerminalText.escape(snapshot.deviceName))  "
                + "\(BackupText.files(snapshot.files)), \(BackupText.bytes(snapshot.bytes))"
                + (snapshot.unreadable == 0 ? "" : ", \(snapshot.unreadable) not readable")
        }
        lines += BackupSentences.unusable(
            bad: answer.bad, unreadable: answer.unreadable, unchained: answer.unchained, missing: answer.missing)
        if lines.isEmpty { lines = [BackupSentences.noBackup] }
        try session.emit(
            json: [
                "snapshots": .array(answer.snapshots.map(BackupText.json)),
                "bad": .array(answer.bad.map { .string($0) }),
                "unreadable": .array(answer.unreadable.map(BackupText.json)),
                "missing": .array(answer.missing.map { .string($0) }),
                "unchained": .array(answer.unchained.map { .string($0) }),
            ], text: lines.joined(separator: "\n"))
    }

    private func emitLarge(_ answer: Baton_Control_V1_ListBackupsResponse, _ session: CommandSession) throws {
        let lines = answer.large.map { app in
            "\(TerminalText.escape(app.bundleID))  \(BackupText.bytes(app.bytes))  on \(TerminalText.escape(app.deviceName))"
        }
        try session.emit(
            json: [
                "large": .array(
                    answer.large.map { app in
                        [
                            "device_name": .string(app.deviceName), "bundle_id": .string(app.bundleID),
                            "bytes": .init(app.bytes),
                        ]
                    })
            ],
            text: lines.isEmpty
                ? BackupSentences.noLargeApp(hasSnapshots: !answer.snapshots.isEmpty) : lines.joined(separator: "\n"))
    }
}

/// `baton backup status`
struct BackupStatusCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the target, what goes on, and what is in a backup.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(BackupMethods.getBackupStatus, .init())
        var lines: [String] = []
        if answer.target.isEmpty {
            lines.append(
                "No target is set. “baton backup target DIR” sets a directory, “baton backup target cloud” the account's cloud."
            )
        } else {
            lines.append(
                "Target: \(TerminalText.escape(answer.targetName))" + (answer.targetThere ? "" : ", which is not there")
            )
            lines.append(
                answer.lastSuccess == 0
                    ? "There is no backup of this device yet."
                    : "Last backup: \(BackupText.time(Date(timeIntervalSince1970: Double(answer.lastSuccess) / 1000)))")
        }
        if !answer.lastError.isEmpty { lines.append("The last try failed. \(TerminalText.escape(answer.lastError))") }
        if !answer.work.isEmpty {
            let total = answer.workTotal > answer.workBytes ? " of about \(BackupText.bytes(answer.workTotal))" : ""
            let bytes = BackupText.bytes(answer.workBytes) + total
            lines.append("Now: \(answer.work), \(BackupSentences.done(files: answer.workFiles, bytes))")
        }
        if answer.restoring > 0 {
            lines.append(BackupSentences.restoring(answer.restoring))
        }
        lines += answer.included.map { "Included: \(TerminalText.escape($0))" }
        lines += answer.wholeApps.map { "With its bundle: \(TerminalText.escape($0))" }
        lines += answer.excluded.map { "Excluded: \(TerminalText.escape($0))" }
        // Without a target the first line says so.
        if !answer.waits.isEmpty, !answer.target.isEmpty { lines.append("Next: \(answer.waits)") }
        try session.emit(
            json: [
                "target": .init(nonEmpty: answer.target), "target_there": .boolean(answer.targetThere),
                "last_success": .init(answer.lastSuccess), "last_failure": .init(answer.lastFailure),
                "last_error": .init(nonEmpty: answer.lastError),
                "included": .array(answer.included.map { .string($0) }),
                "excluded": .array(answer.excluded.map { .string($0) }),
                "whole_apps": .array(answer.wholeApps.map { .string($0) }), "work": .init(nonEmpty: answer.work),
                "work_files": .init(answer.workFiles), "work_bytes": .init(answer.workBytes),
                "work_total": .init(nonZero: answer.workTotal),
                "waits": .init(nonEmpty: answer.waits), "restoring": .init(UInt64(answer.restoring)),
            ], text: lines.joined(separator: "\n"))
    }
}
