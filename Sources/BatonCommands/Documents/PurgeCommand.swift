import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton documents purge`
struct DocumentsPurgeCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Remove deleted documents and earlier versions for good, to make room in the cloud.",
        discussion: """
            What was deleted is kept for 30 days otherwise, and so are the last versions of each document. Nothing that is \
            there now goes. It asks first, and says how much there is.
            """)

    @Argument(
        help: "A container, as in iCloud.com.example.App, or the name of its app; else all that sync on this device.",
        completion: DynamicCompletion.containers)
    var container: String?

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let container: String
        if let named = self.container {
            container = try await ContainerReference.identifier(named, session)
        } else {
            container = ""
        }
        try await session.purge(container, of: self.container ?? "all containers of this device", assumeYes: yes)
    }
}

/// `baton folder purge`
struct FolderPurgeCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Remove a folder's deleted files and earlier versions for good, to make room.",
        discussion: "As “baton documents purge”, of one folder. Nothing that is there now goes.")

    @Argument(help: "Its name.", completion: DynamicCompletion.folders)
    var name: String

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let name = FolderReport.name(given: name)
        let folders = try await session.call(FoldersMethods.listFolders, .with { $0.name = name }).folders
        guard let folder = folders.first, !folder.container.identifier.isEmpty else {
            throw BatonError(
                .failedPrecondition, reason: "folder_not_here",
                "The folder “\(name)” does not sync on this device now. Do it on a device that has it, or bring it here: “baton "
                    + "folder join \(name) DIR”.")
        }
        try await session.purge(folder.container.identifier, of: "the folder “\(name)”", assumeYes: yes)
    }
}

extension CommandSession {
    /// The daemon may wait for the cloud with each of many.
    private static let purgeTimeout = Duration.seconds(600)

    /// - Parameter container: empty for all.
    fileprivate func purge(_ container: String, of subject: String, assumeYes: Bool) async throws {
        let shown = TerminalText.escape(subject)
        let found = try await call(
            DocumentsMethods.purgeDocuments,
            .with {
                $0.container = container
                $0.countOnly = true
            }, timeout: .seconds(60))
        guard found.deleted + found.versions > 0 else {
            return try emit(
                json: PurgeReport.json(found),
                text: "There is nothing that was deleted, and no earlier version, in \(shown).")
        }
        let what = PurgeReport.what(found)
        try await confirm(
            "Remove \(what) of \(shown), \(ByteSize.text(found.bytes)), for good? No device can bring them back then.",
            assumeYes: assumeYes)
        let done = try await call(
            DocumentsMethods.purgeDocuments, .with { $0.container = container }, timeout: Self.purgeTimeout)
        try emit(json: PurgeReport.json(done), text: PurgeReport.text(done))
    }
}

/// The outcome of a purge, in words.
enum PurgeReport {
    static func what(_ found: Baton_Control_V1_PurgeDocumentsResponse) -> String {
        var parts: [String] = []
        if found.deleted > 0 {
            parts.append(found.deleted == 1 ? "1 deleted document" : "\(found.deleted) deleted documents")
        }
        if found.versions > 0 {
            parts.append(found.versions == 1 ? "1 earlier version" : "\(found.versions) earlier versions")
        }
        return parts.joined(separator: " and ")
    }

    static func text(_ done: Baton_Control_V1_PurgeDocumentsResponse) -> String {
        var text =
            done.left == 0
            ? "Removed \(what(done)) for good."
            : "\(done.left) of \(what(done)) could not be removed now. Do it again later."
        text +=
            done.freedBytes > 0
            ? " The cloud has \(ByteSize.text(done.freedBytes)) more room."
            : " It lay in the cloud together with what stays, or the cloud gives its room back within a day: “baton cloud usage”."
        return text
    }

    static func json(_ done: Baton_Control_V1_PurgeDocumentsResponse) -> JSONValue {
        [
            "deleted": .init(done.deleted), "versions": .init(done.versions), "bytes": .init(done.bytes),
            "freed_bytes": .init(done.freedBytes), "left": .init(done.left),
        ]
    }
}
