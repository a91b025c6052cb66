import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton folder revert`
struct FolderRevertCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revert", abstract: "Undo changes in a folder that only receives on this device.",
        discussion: "Files that were made or changed here go to “.baton-reverted” in the folder; nothing is deleted.")

    @Argument(help: "Its name.", completion: DynamicCompletion.folders)
    var name: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let name = FolderReport.name(given: name)
        let answer = try await session.call(
            FoldersMethods.revertFolder, .with { $0.name = name }, timeout: .seconds(300))
        var text =
            answer.changes == 0
            ? "Nothing was changed in “\(name)” on this device." : "\(answer.changes) changes in “\(name)” were undone."
        if !answer.path.isEmpty {
            text +=
                " Files that were made or changed here are in “\(TerminalText.escape(answer.path))”; delete them when you need "
                + "them no more."
        }
        if answer.left > 0 {
            text +=
                " \(answer.left) could not be undone, since a program has the file open, or you may not move it. Quit the "
                + "program, and do it again."
        }
        try session.emit(
            json: [
                "changes": .init(answer.changes), "left": .init(answer.left),
                "path": .init(nonEmpty: answer.path),
            ], text: text)
    }
}

/// `baton folder keep`
struct FolderKeepCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Keep the contents of a file or folder on this device.",
        discussion: "Missing contents are fetched. It ends “baton folder on-demand” for PATH and its contents.")

    @Argument(help: "A file or directory in a folder: a path, or FOLDER/PATH.", completion: .file())
    var path: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let resolved = await session.documentPath(path)
        let bytes = session.pathBytes(path, resolved: resolved)
        let files = try await session.call(
            FoldersMethods.keepContents,
            .with {
                $0.path = resolved
                $0.pathBytes = Data(bytes)
                $0.keep = true
            }, timeout: .seconds(60)
        ).files
        try session.emit(
            json: ["path": .string(resolved), "files": .init(files)],
            text:
                "“\(TerminalText.escape(resolved))” is kept on this device, with the contents of \(files) \(files == 1 ? "file" : "files"). "
                + "Missing contents come now.")
    }
}

/// `baton folder on-demand`
struct FolderOnDemandCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "on-demand",
        abstract: "Keep the contents of a file or folder elsewhere, and fetch them when they are needed.",
        discussion: """
            A placeholder “.NAME.icloud” stands for each file, also for those that come later; “baton download PATH” fetches one. \
            A content leaves this device only once it is stored elsewhere.
            """)

    @Argument(help: "A file or directory in a folder: a path, or FOLDER/PATH.", completion: .file())
    var path: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let resolved = await session.documentPath(path)
        let bytes = session.pathBytes(path, resolved: resolved)
        let files = try await session.call(
            FoldersMethods.keepContents,
            .with {
                $0.path = resolved
                $0.pathBytes = Data(bytes)
            }, timeout: .seconds(60)
        ).files
        try session.emit(
            json: ["path": .string(resolved), "files": .init(files)],
            text:
                "“\(TerminalText.escape(resolved))” is on demand. The contents of \(files) \(files == 1 ? "file leaves" : "files leave") this "
                + "device once they are stored elsewhere.")
    }
}
