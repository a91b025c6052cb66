import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton folder`
struct FolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folder", abstract: "Keep any folder equal on your devices, without an app.",
        discussion: """
            “baton folder add DIR” begins on one device, “baton folder join NAME DIR” brings it to another. Files already in \
            a folder stay: equal files become one, and others stand beside each other. Devices that are \
            near exchange them directly, others through the account's cloud.
            """,
        subcommands: [
            FolderListCommand.self, FolderAddCommand.self, FolderJoinCommand.self, FolderStatusCommand.self,
            FolderRevertCommand.self, FolderKeepCommand.self, FolderOnDemandCommand.self, FolderLeaveCommand.self,
            FolderForgetCommand.self, FolderPurgeCommand.self,
        ], defaultSubcommand: FolderListCommand.self)
}

/// `baton folder list`
struct FolderListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the folders of this device, and those of the account.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let folders = try await session.call(FoldersMethods.listFolders, .init()).folders
        let isMember = await session.isMember(of: folders)
        try session.emit(
            json: ["folders": .array(folders.map(FolderReport.json))],
            text: FolderReport.text(folders, isMember: isMember, session))
    }
}

/// `baton folder add`
struct FolderAddCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Keep a folder of this device equal on all devices that join it.")

    @Argument(help: "The folder.", completion: .directory)
    var directory: String

    @Option(help: "How other devices call it; else as the folder.")
    var name: String?

    @Flag(help: "Only receive: changes made in it on this device are not sent. It must be empty.")
    var readOnly = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let path = try session.folderPath(directory)
        let made = FolderReport.name(of: path)
        // One that no name can be made of is shown as it is.
        let name = name ?? (made.isEmpty ? String(path.split(separator: "/").last ?? "") : made)
        let folder = try await session.addFolder(name, path, join: false, readOnly: readOnly)
        try session.emit(
            json: FolderReport.json(folder),
            text: "“\(TerminalText.escape(folder.path))” is the folder “\(folder.name)” now. “baton folder join "
                + "\(folder.name) DIR” brings it to another device.")
    }
}

/// `baton folder join`
struct FolderJoinCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Sync a folder of another device to this one.",
        discussion: "Files that are in DIR already stay: equal ones become one, others stand beside each other.")

    @Argument(help: "Its name, as “baton folder list” shows it.", completion: DynamicCompletion.folders)
    var name: String

    @Argument(help: "Where it is to be; made if need be.", completion: .directory)
    var directory: String

    @Flag(help: "Only receive: changes made in it on this device are not sent. It must be empty.")
    var readOnly = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let folder = try await session.addFolder(
            FolderReport.name(given: name), session.folderPath(directory), join: true, readOnly: readOnly)
        try session.emit(
            json: FolderReport.json(folder),
            text:
                "The folder “\(folder.name)” comes to “\(TerminalText.escape(folder.path))”. “baton folder status "
                + "\(folder.name)” shows how far it is.")
    }
}

/// `baton folder status`
struct FolderStatusCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what waits in a folder, and why.")

    @Argument(help: "Its name.", completion: DynamicCompletion.folders)
    var name: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let name = FolderReport.name(given: name)
        let folders = try await session.call(FoldersMethods.listFolders, .with { $0.name = name }).folders
        // Without a name the daemon lists them all.
        guard let folder = folders.first(where: { $0.name == name }) else {
            throw BatonError(
                .notFound, reason: "unknown_folder",
                "There is no folder “\(name)”. “baton folder list” shows those that there are.")
        }
        let isMember = await session.isMember(of: folders)
        try session.emit(json: FolderReport.json(folder), text: FolderReport.status(folder, isMember: isMember))
    }
}

/// `baton folder leave`
struct FolderLeaveCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "No longer keep a folder equal on this device. Its files stay.")

    @Argument(help: "Its name.", completion: DynamicCompletion.folders)
    var name: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let name = FolderReport.name(given: name)
        // As it is before: nothing is known of it afterwards.
        let before = try? await session.call(FoldersMethods.listFolders, .with { $0.name = name }).folders.first
        let path = try await session.call(
            FoldersMethods.leaveFolder, .with { $0.name = name }, timeout: .seconds(60)
        ).path
        let unsent = before.map(FolderReport.unsent) ?? 0
        try session.emit(
            json: ["name": .string(name), "path": .string(path), "unsent": .init(unsent)],
            text: "“\(TerminalText.escape(path))” is an ordinary folder again. The files that are here stay, and "
                + FolderReport.remains(before, unsent: unsent))
    }
}

/// `baton folder forget`
struct FolderForgetCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Take a folder that no device has any more off the account's list.",
        discussion: """
            Nothing is deleted: files stay on disks, and a device that has the folder after all lists it again when it is on. What \
            the cloud has of it comes back with “baton folder add DIR --name NAME”.
            """)

    @Argument(help: "Its name, as “baton folder list” shows it.", completion: DynamicCompletion.folders)
    var name: String

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let name = FolderReport.name(given: name)
        try await session.confirm(
            "Take the folder “\(TerminalText.escape(name))” off the account's list? No device can join it then.",
            assumeYes: yes)
        _ = try await session.call(FoldersMethods.forgetFolder, .with { $0.name = name })
        try session.emit(
            json: ["name": .string(name)],
            text:
                "The folder “\(name)” is not in the account's list any more. A device that has it lists it again when it is on; "
                + "“baton folder add DIR --name \(name)” brings back what the cloud has of it.")
    }
}

extension CommandSession {
    /// Whether this device is in an account; it is asked for only where a folder is away.
    fileprivate func isMember(of folders: [Baton_Control_V1_Folder]) async -> Bool {
        guard folders.contains(where: { $0.state == .away }),
            let status = try? await call(ControlMethods.getStatus, .init())
        else { return true }
        return !status.accountID.isEmpty && !status.revoked
    }

    /// The absolute path of a folder that is to be kept equal.
    fileprivate func folderPath(_ given: String) throws(BatonError) -> String {
        // It would be the folder where the person is.
        guard !given.isEmpty else {
            throw BatonError(
                .invalidArgument, reason: "bad_path", "The folder has no name. Name it; “.” is the one where you are.")
        }
        let path = context.absolutePath(given)
        // It would be another folder: what is no UTF-8 has come here as replacement characters.
        guard !path.unicodeScalars.contains("\u{FFFD}") else {
            throw BatonError(
                .invalidArgument, reason: "bad_path",
                "The path “\(path.shortened(toBytes: 400))” is not UTF-8. Rename the folder, or choose another one.")
        }
        return path
    }

    fileprivate func addFolder(
        _ name: String, _ path: String, join: Bool, readOnly: Bool
    ) async throws -> Baton_Control_V1_Folder {
        try await call(
            FoldersMethods.addFolder,
            .with {
                $0.name = name
                $0.path = path
                $0.join = join
                $0.readOnly = readOnly
            }, timeout: .seconds(60)
        ).folder
    }
}
