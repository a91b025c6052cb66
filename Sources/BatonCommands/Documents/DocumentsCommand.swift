import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton documents`
struct DocumentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "documents", abstract: "List the documents in iCloud containers, delete them, and get them back.",
        discussion: """
            Without anything more it lists the containers. “baton download” and “baton evict” say whether a file's contents \
            are on this device.
            """,
        subcommands: [
            DocumentsListCommand.self, DocumentsDeleteCommand.self, DocumentsRestoreCommand.self,
            DocumentsDeletionsCommand.self, DocumentsAddCommand.self, DocumentsExportCommand.self,
            DocumentsOffCommand.self, DocumentsOnCommand.self, DocumentsPurgeCommand.self,
        ], defaultSubcommand: DocumentsListCommand.self)
}

/// `baton documents list`
struct DocumentsListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List containers, or the documents in one.")

    @Argument(
        help: "A container, as in iCloud.com.example.App, or the name of its app.",
        completion: DynamicCompletion.containers)
    var container: String?

    @Flag(help: "Also what apps keep outside of the folder Documents.")
    var all = false

    @Flag(help: "Those that were deleted and can come back.")
    var deleted = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        guard let named = container else {
            let containers = try await session.call(DocumentsMethods.listContainers, .init()).containers
            return try session.emit(
                json: ["containers": .array(containers.map(DocumentReport.json))],
                text: DocumentReport.text(containers, session))
        }
        let container = try await ContainerReference.identifier(named, session)
        let items = try await session.documents(
            .with {
                $0.container = container
                $0.all = all || deleted
                $0.deleted = deleted
            })
        try session.emit(
            json: ["container": .string(container), "documents": .array(items.map { DocumentReport.json($0.item) })],
            text: DocumentReport.text(items.map(\.item), session, isDeleted: deleted))
    }
}

/// `baton documents delete`
struct DocumentsDeleteCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a document or a folder on all devices.",
        discussion: "It can be undone for 30 days: “baton documents restore”.")

    @Argument(help: "A path, CONTAINER/PATH, or FOLDER/PATH.", completion: .file())
    var path: String

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        // A path that is not here may be below the name of a folder: the question is about what is deleted.
        let resolved = await session.documentPath(path)
        let shown = TerminalText.escape(resolved)
        try await session.confirm("Delete “\(shown)” on all devices?", assumeYes: yes)
        let item = try await session.change(.delete, path, resolved: resolved)
        try session.emit(
            json: DocumentReport.json(item),
            text: "Deleted “\(shown)”. “baton documents restore” brings it back for 30 days.")
    }
}

/// `baton documents restore`
struct DocumentsRestoreCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a deleted document or folder.",
        discussion: "In a folder that is there again it brings back what was deleted.")

    @Argument(help: "A path, CONTAINER/PATH, or FOLDER/PATH, as “baton documents CONTAINER --deleted” lists it.")
    var path: String

    @Option(help: ArgumentHelp("Which of several that were deleted there: 1 is the last one.", valueName: "number"))
    var number: Int?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let chosen = try await session.deleted(path, number: number) {
            "baton documents restore \(path) --number \($0)"
        }
        let item = try await session.change(.undelete, path, item: chosen)
        try session.emit(json: DocumentReport.json(item), text: "“\(TerminalText.escape(path))” is back.")
    }
}

/// `baton documents deletions`
struct DocumentsDeletionsCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "deletions", abstract: "Confirm or undo the deletion of files that are missing here.",
        discussion: """
            When more than half of a container's files are missing at once, of 100 or more, they stay on the other devices \
            until a person says what was meant.
            """)

    @Argument(help: "The container, or the name of its app.", completion: DynamicCompletion.containers)
    var container: String

    @Flag(exclusivity: .exclusive, help: "Delete them on all devices, or bring them back here.")
    var decision: Decision

    enum Decision: String, EnumerableFlag { case confirm, undo }

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let identifier = try await ContainerReference.identifier(container, session)
        let files = try await session.call(
            DocumentsMethods.decideDeletions,
            .with {
                $0.container = identifier
                $0.delete = decision == .confirm
            }
        ).files
        let text =
            switch (files, decision) {
            case (0, _): "No missing files wait for that, so nothing is changed."
            case (_, .confirm): "\(files) files are deleted on all devices. “baton documents restore” brings them back."
            case (_, .undo): "\(files) files come back to this device."
            }
        try session.emit(
            json: ["files": .integer(Int64(clamping: files)), "deleted": .boolean(decision == .confirm)], text: text)
    }
}

extension CommandSession {
    /// The entries that a list holds now, with the container of each.
    func documents(
        _ request: Baton_Control_V1_ListDocumentsRequest
    ) async throws -> [(container: String, item: Baton_App_V1_DocumentItem)] {
        var items: [(container: String, item: Baton_App_V1_DocumentItem)] = []
        for try await answer in try await stream(DocumentsMethods.listDocuments, request) {
            items += answer.news.changed.map { (answer.container, $0) }
        }
        return items
    }

    /// - Parameter path: of a file that is there or in a container, absolute or from here; anything else is `CONTAINER/PATH` or
    ///   `FOLDER/PATH`.
    func documentPath(_ path: String) async -> String {
        let absolute = context.absolutePath(path)
        if path.hasPrefix("/") || path.hasPrefix(".") || context.fileExists(absolute) {
            return await pathInContainer(absolute)
        }
        let isReference = path.hasPrefix("iCloud.") || path.split(separator: ".").first?.count == 10
        if isReference { return path }
        let known = await pathInContainer(absolute)
        // The call that follows says why it fails.
        guard let containers = try? await call(DocumentsMethods.listContainers, .init()).containers,
            ContainerReference.place(of: known, among: containers) == nil
        else { return known }
        return ContainerReference.named(path, among: containers) ?? known
    }

    /// The daemon knows a container by one path, and people reach it through links too, as `iCloud Drive` in their home is one.
    /// - Parameter path: absolute.
    /// - Returns: the path below the container's own; as it was given, where it leads through no link into one.
    func pathInContainer(_ path: String) async -> String {
        let real = LinkedPath.withRealParents(path)
        let target = LinkedPath.real(path)
        guard real != path || target != path else { return path }
        // The call that follows says why it fails.
        guard let containers = try? await call(DocumentsMethods.listContainers, .init()).containers else { return path }
        return LinkedPath.place(path, real: real, target: target, among: containers.map(\.path))
    }

    /// Which of the documents that were deleted at a path is meant.
    /// - Parameter command: the one that chooses by number.
    /// - Returns: its identifier; empty where there is one, or none.
    /// - Throws: `usage` where there are several and none was chosen, with a list of them, the one that was deleted last first.
    func deleted(_ path: String, number: Int?, command: (Int) -> String) async throws -> Data {
        let containers = try await call(DocumentsMethods.listContainers, .init()).containers
        // The daemon says why there is none.
        let known = await documentPath(path)
        guard let place = ContainerReference.place(of: known, among: containers) else { return Data() }
        let all = try await documents(
            .with {
                $0.container = place.container
                $0.all = true
                $0.deleted = true
            })
        let items = all.map(\.item).filter { $0.path.utf8.elementsEqual(place.path.utf8) }.sorted {
            $0.deleted > $1.deleted
        }
        if let number {
            guard items.indices.contains(number - 1) else {
                throw CommandFailure.usage(
                    "There are \(items.count) deleted documents there. Name one of 1 to \(items.count).")
            }
            return items[number - 1].id
        }
        guard items.count > 1 else { return Data() }
        let lines = items.enumerated().map { index, item in
            let age = TimeFormat.age(milliseconds: item.deleted, now: context.clock.now)
            let device = item.deviceName.isEmpty ? "" : ", saved on \(item.deviceName)"
            return "\(index + 1): deleted \(age), \(ByteSize.text(item.size))\(device)"
        }
        try remark(lines.joined(separator: "\n"))
        throw CommandFailure.usage(
            "\(items.count) documents were deleted there. Choose one by its number: “\(command(1))”.")
    }

    /// - Parameter resolved: the path, where it was resolved before.
    func change(
        _ change: Baton_App_V1_ChangeDocumentRequest.Change, _ path: String, resolved: String? = nil,
        item: Data = Data()
    ) async throws -> Baton_App_V1_DocumentItem {
        let resolved = if let resolved { resolved } else { await documentPath(path) }
        let bytes = pathBytes(path, resolved: resolved)
        return try await call(
            DocumentsMethods.changeDocument,
            .with {
                $0.path = resolved
                $0.pathBytes = Data(bytes)
                $0.change = change
                $0.itemID = item
            }, timeout: .seconds(60)
        ).item
    }
}
