import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton backup now`
struct BackupNowCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "now", abstract: "Make a backup now.",
        discussion: """
            Ctrl-C stops it. Stored data stays, and the next backup uses it.
            --target makes this one in another directory, or in the account's cloud. The daily ones go where they went, and \
            “baton backup restore --target” restores from it.
            """)

    @Option(name: .long, help: "Another directory, or “cloud”, for this backup alone.", completion: .directory)
    var target: String?
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await BackupWork.call(
            BackupMethods.backUp, .with { $0.target = try target.map { try BackupPath.target($0) } ?? "" }, session)
        var lines = [
            "Backed up \(BackupText.files(answer.snapshot.files)), \(BackupText.bytes(answer.snapshot.bytes)): \(answer.filesRead) \(answer.filesRead == 1 ? "was" : "were") new or "
                + "changed, \(BackupText.bytes(answer.bytesStored)) were stored."
        ]
        if answer.snapshot.unrested > 0 {
            lines.append(
                answer.snapshot.unrested == 1
                    ? "1 file changed each time it was read, and is as it was in pieces."
                    : "\(answer.snapshot.unrested) files changed each time they were read, and are as they were in pieces."
            )
            lines += answer.unrested.map { "  " + TerminalText.escape($0) }
        }
        lines += answer.missing.map { "The folder \(TerminalText.escape($0)) is not there, or cannot be read." }
        lines += answer.unreadable.map { "Not readable: \(TerminalText.escape($0))" }
        lines += answer.otherFileSystems.map { BackupSentences.otherFileSystem(TerminalText.escape($0)) }
        try session.emit(
            json: [
                "snapshot": BackupText.json(answer.snapshot), "files_read": .init(answer.filesRead),
                "bytes_stored": .init(answer.bytesStored),
                "unreadable": .array(answer.unreadable.map { .string($0) }),
                "unrested": .array(answer.unrested.map { .string($0) }),
                "missing": .array(answer.missing.map { .string($0) }),
                "other_file_systems": .array(answer.otherFileSystems.map { .string($0) }),
            ], text: lines.joined(separator: "\n"))
    }
}

/// How long work on backups may take.
enum BackupPatience {
    static let whole = Duration.seconds(7 * 24 * 3600)
}

enum BackupText {
    static func bytes(_ count: UInt64) -> String { ByteSize.text(Int(clamping: count)) }

    static func files(_ count: UInt64) -> String { count == 1 ? "1 file" : "\(count) files" }

    /// In this machine's time zone.
    static func time(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return formatter.string(from: date)
    }

    static func json(_ unreadable: Baton_Control_V1_UnreadableBackup) -> JSONValue {
        ["snapshot_id": .string(unreadable.snapshotID), "why": .string(unreadable.why)]
    }

    static func json(_ snapshot: Baton_Control_V1_BackupSnapshot) -> JSONValue {
        [
            "snapshot_id": .string(snapshot.snapshotID), "device_id": .string(snapshot.deviceID),
            "device_name": .string(snapshot.deviceName), "begun": .init(snapshot.begun),
            "finished": .init(snapshot.finished), "files": .init(snapshot.files), "bytes": .init(snapshot.bytes),
            "unreadable": .init(snapshot.unreadable), "unrested": .init(snapshot.unrested),
            "roots": .array(
                snapshot.roots.map { root in
                    [
                        "kind": .string(root.kind), "name": .string(root.name),
                        "version": .init(nonEmpty: root.version),
                        "files": .init(root.files), "bytes": .init(root.bytes),
                    ]
                }),
        ]
    }
}
