import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton backup target`
struct BackupTargetCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "target",
        abstract: "Back up to this directory, of a disk or a mounted share, or to the account's cloud.",
        discussion: "“cloud” is the account's cloud, “./cloud” a directory of that name.")

    @Argument(
        help: "A directory that is there; “baton-backup” is made in it. Or “cloud”.", completion: .directory)
    var directory: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let path = try BackupPath.target(directory)
        _ = try await session.call(BackupMethods.setBackupTarget, .with { $0.path = path }, timeout: .seconds(120))
        let status = try await session.call(BackupMethods.getBackupStatus, .init())
        try session.emit(
            json: ["target": .string(path)],
            text: BackupSentences.target(TerminalText.escape(status.targetName), hasBackup: status.lastSuccess > 0))
    }
}

/// `baton backup include`
struct BackupIncludeCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "include",
        abstract: "Back this folder up too, or undo its exclusion; or an app with its bundle.",
        discussion: """
            An app's data is in each backup, with the app's identifier and version. With --app the app itself is, too: a restore of the \
            device installs it.
            """)

    @Argument(completion: .directory) var path: String?
    @Option(
        name: .long, help: ArgumentHelp("An app whose bundle is to be backed up whole.", valueName: "app"),
        completion: DynamicCompletion.apps)
    var app: String?
    @OptionGroup var options: GlobalOptions

    func validate() throws { try BackupPath.checkOne(path, app) }

    func run(in session: CommandSession) async throws {
        if let app {
            let id = try await AppReference.bundleID(app, session)
            _ = try await session.call(BackupMethods.changeBackupPaths, .with { $0.bundleID = id })
            return try session.emit(
                json: ["included_app": .string(id)],
                text: "\(TerminalText.escape(id)) is in the next backup with its bundle.")
        }
        let path = try BackupPath.typed(path ?? "")
        _ = try await session.call(BackupMethods.changeBackupPaths, .with { $0.path = path })
        try session.emit(
            json: ["included": .string(path)], text: "\(TerminalText.escape(path)) is in the next backup.")
    }
}

/// `baton backup exclude`
struct BackupExcludeCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "exclude", abstract: "Leave this file or folder, or an app's bundle, out of backups.")

    @Argument(completion: .file()) var path: String?
    @Option(
        name: .long,
        help: ArgumentHelp("An app whose bundle is no longer to be backed up; its data is.", valueName: "app"),
        completion: DynamicCompletion.apps)
    var app: String?
    @OptionGroup var options: GlobalOptions

    func validate() throws { try BackupPath.checkOne(path, app) }

    func run(in session: CommandSession) async throws {
        if let app {
            let id = try await bundleID(app, session)
            _ = try await session.call(
                BackupMethods.changeBackupPaths,
                .with {
                    $0.bundleID = id
                    $0.exclude = true
                })
            return try session.emit(
                json: ["excluded_app": .string(id)],
                text: "The bundle of \(TerminalText.escape(id)) is left out of the next backup; its data is in it.")
        }
        let path = try BackupPath.typed(path ?? "")
        _ = try await session.call(
            BackupMethods.changeBackupPaths,
            .with {
                $0.path = path
                $0.exclude = true
            })
        try session.emit(
            json: ["excluded": .string(path)], text: "\(TerminalText.escape(path)) is left out of the next backup.")
    }

    /// One that is not installed any more is named by its identifier.
    private func bundleID(_ app: String, _ session: CommandSession) async throws -> String {
        do {
            return try await AppReference.bundleID(app, session)
        } catch let error as BatonError where error.reason == "app_not_found" {
            guard BundleID.isValid(app), app.contains(".") else { throw error }
            return app
        }
    }
}

/// `baton backup why`
struct BackupWhyCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Show which rule decides whether a path is backed up.")

    @Argument(completion: .file()) var path: String
    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let path = try BackupPath.typed(path)
        let answer = try await session.call(BackupMethods.explainBackupPath, .with { $0.path = path })
        try session.emit(
            json: ["path": .string(path), "included": .boolean(answer.included), "reason": .string(answer.reason)],
            text: TerminalText.escape(answer.reason))
    }
}
