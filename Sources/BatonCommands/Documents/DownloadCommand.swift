import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton download`
struct DownloadCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Fetch the contents of a document, or of all in a folder, to this device.",
        discussion: """
            Waits until everything is here, and shows how far it is. Ctrl-C ends the waiting only; what is begun goes on.
            """)

    @Argument(help: "A path, CONTAINER/PATH, or FOLDER/PATH.", completion: .file())
    var path: String

    @Flag(name: .long, inversion: .prefixedNo, help: "Wait until it is here.")
    var wait = true

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        var item = try await session.change(.download, path)
        if wait, item.download != .current || item.kind == .directory {
            item = try await follow(item, session)
        }
        try session.emit(
            json: DocumentReport.json(item),
            text: item.download == .current
                ? "“\(TerminalText.escape(path))” is here." : "“\(TerminalText.escape(path))” is being fetched.")
    }

    /// Until everything is here.
    private func follow(
        _ item: Baton_App_V1_DocumentItem, _ session: CommandSession
    ) async throws -> Baton_App_V1_DocumentItem {
        let containers = try await session.call(DocumentsMethods.listContainers, .init()).containers
        let path = await session.documentPath(path)
        guard let container = ContainerReference.containing(path, among: containers) else {
            return item
        }
        let request = Baton_Control_V1_ListDocumentsRequest.with {
            $0.container = container.identifier
            $0.all = true
            $0.watch = true
        }
        let clock = session.context.clock
        let meter = TransferMeter(start: clock.now)
        var screen = RedrawnText(columns: session.context.terminal.width)
        var progress = DownloadProgress(path: item.path)
        var told: String?
        for try await answer in try await session.stream(DocumentsMethods.listDocuments, request) {
            progress.take(answer.news)
            if progress.isComplete {
                var item = item
                item.download = .current
                return item
            }
            guard progress.isGathered, !session.isJSON else { continue }
            // Said once each: it goes on by itself when that changes.
            if let obstacle = progress.obstacle, obstacle != told {
                told = obstacle
                screen = RedrawnText(columns: session.context.terminal.width)
                try session.remark("Waiting: \(TerminalText.escape(obstacle))")
            } else if session.context.terminal.isOutputInteractive {
                try session.context.standardOutput.write(
                    screen.replacing(with: meter.line(progress.message, now: clock.now)))
            }
        }
        throw BatonError(
            .unavailable, reason: "stream_ended",
            "The daemon ended the list of documents. It may be restarting; the download goes on with it.")
    }
}

/// `baton evict`
struct EvictCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "evict",
        abstract: "Make room: keep a document's contents in iCloud only, until they are fetched again.",
        discussion: "They go as soon as they are stored elsewhere. A file .NAME.icloud stands for the document then."
    )

    @Argument(help: "A path, CONTAINER/PATH, or FOLDER/PATH.", completion: .file())
    var path: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let item = try await session.change(.evict, path)
        try session.emit(
            json: DocumentReport.json(item),
            text: item.download == .notDownloaded
                ? "The contents of “\(TerminalText.escape(path))” are not on this device any more. “baton download” fetches them."
                : "The contents of “\(TerminalText.escape(path))” leave this device once they are stored elsewhere.")
    }
}

/// `baton conflicts`
struct ConflictsCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "List documents that were saved on several devices at the same time.",
        discussion: "“baton versions PATH” lists what was saved, and can restore or resolve it.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let items = try await session.documents(
            .with {
                $0.all = true
                $0.conflictsOnly = true
            })
        try session.emit(
            json: [
                "conflicts": .array(
                    items.map { DocumentReport.json($0.item).merging(["container": .string($0.container)]) })
            ],
            text: items.isEmpty
                ? "No document of an app has conflicts. In folders of yours both files stay: one has “(conflict …)” in its name."
                : items.map { TerminalText.escape("\($0.container)/\($0.item.path)") }.joined(separator: "\n"))
    }
}

/// `baton versions`
struct VersionsCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "List the versions of a document, bring one back, or settle its conflicts.")

    @Argument(help: "A path, CONTAINER/PATH, or FOLDER/PATH.", completion: .file())
    var path: String

    @Option(help: ArgumentHelp("Make this version the document's contents.", valueName: "version"))
    var restore: String?

    @Option(
        help: ArgumentHelp(
            "Write the contents of this version, as they are. With --json they are in Base64.", valueName: "version"))
    var show: String?

    @Flag(help: "Keep what is there now; the conflicts become older versions.")
    var resolve = false

    @OptionGroup var options: GlobalOptions

    @Flag(help: "The versions of a document that was deleted.")
    var deleted = false

    @Option(help: ArgumentHelp("Which of several that were deleted there: 1 is the last one.", valueName: "number"))
    var number: Int?

    func validate() throws {
        guard !deleted || restore == nil && !resolve, deleted || number == nil else {
            throw ValidationError(
                "Only --show goes with --deleted, and --number only with that. “baton documents restore” brings the document back."
            )
        }
        guard [restore != nil, show != nil, resolve].count(where: { $0 }) <= 1 else {
            throw ValidationError("Name one of --restore, --show and --resolve.")
        }
    }

    func run(in session: CommandSession) async throws {
        let resolved = await session.documentPath(path)
        let document = Document(path: resolved, bytes: Data(session.pathBytes(path, resolved: resolved)))
        let item =
            deleted
            ? try await session.deleted(path, number: number) { "baton versions \(path) --deleted --number \($0)" }
            : Data()
        if let show { return try await print(show, document, item, session) }
        guard restore != nil || resolve else { return try await list(document, item, session) }
        _ = try await session.call(
            DocumentsMethods.changeVersions,
            .with {
                $0.path = document.path
                $0.pathBytes = document.bytes
                $0.versionIds = restore.map { [$0] } ?? []
                $0.change = resolve ? .resolve : .restore
            })
        try session.emit(
            json: [
                "path": .string(document.path), "restored": .init(nonEmpty: restore ?? ""),
                "resolved": .boolean(resolve),
            ],
            text: resolve ? "Its conflicts are settled." : "The version is the document's contents now.")
    }

    private struct Document {
        var path: String
        /// In place of the path, where that is no UTF-8.
        var bytes: Data
    }

    private func list(_ document: Document, _ item: Data, _ session: CommandSession) async throws {
        let versions = try await session.call(
            DocumentsMethods.listVersions,
            .with {
                $0.path = document.path
                $0.pathBytes = document.bytes
                $0.deleted = deleted
                $0.itemID = item
            }
        ).versions
        var table = session.table([
            .init("VERSION"), .init("SAVED"), .init("DEVICE", isFlexible: true), .init("SIZE"), .init("STATE"),
        ])
        for version in versions {
            table.add(
                version.id,
                TimeFormat.age(
                    milliseconds: UInt64(clamping: version.modified / 1_000_000), now: session.context.clock.now),
                version.deviceName, ByteSize.text(Int(clamping: version.size)),
                version.current ? "current" : version.conflict ? "conflict" : "older")
        }
        try session.emit(
            json: ["path": .string(document.path), "versions": .array(versions.map(DocumentReport.json))],
            text: versions.isEmpty ? "A folder has no versions." : table.render())
    }

    /// Piece by piece, since a version may be larger than the memory.
    private func print(
        _ version: String, _ document: Document, _ item: Data, _ session: CommandSession
    ) async throws {
        let request = Baton_App_V1_ReadFileVersionRequest.with {
            $0.path = document.path
            $0.pathBytes = document.bytes
            $0.versionID = version
            $0.deleted = deleted
            $0.itemID = item
        }
        let isWhole = session.isJSON || session.context.terminal.isOutputTerminal
        var bytes = Data()
        for try await part in try await session.stream(DocumentsMethods.readVersion, request) {
            guard isWhole else {
                try session.emitBytes([UInt8](part.data))
                continue
            }
            bytes += part.data
            guard bytes.count <= Self.shownBytes else {
                throw CommandFailure.usage(
                    "The version has more than \(ByteSize.text(Self.shownBytes)). Write it into a file: add “> FILE” to the command, and "
                        + "no --json.")
            }
        }
        guard isWhole else { return }
        guard session.isJSON else { return try session.emitBytes([UInt8](bytes)) }
        let json: JSONValue = [
            "path": .string(document.path), "version": .string(version), "size": .init(UInt64(bytes.count)),
            "base64": .string(bytes.base64EncodedString()),
        ]
        try session.emitLine(json.description)
    }

    /// The most bytes of one answer.
    private static let shownBytes = 64 << 20
}
