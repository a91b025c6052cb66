import BatonConcurrency
import BatonCore
import FileSync
package import Files
import Foundation
import Sync

/// A document of a container, as search needs it: a file or a package below its `Documents`.
package struct ContainerDocument: Hashable, Sendable {
    package var container: ContainerName
    /// Names it for as long as it exists, whatever its name.
    package var key: String
    /// Absolute.
    package var path: String
    package var name: String
    /// Milliseconds since 1970.
    package var modified: UInt64
    /// Its content is on this device, in one file.
    package var isReadable: Bool
}

/// Documents that are other than search knows them.
package struct DocumentChanges: Sendable {
    package var documents: [ContainerDocument] = []
    /// Keys of those that are there no more. Some may be none of a document that was there.
    package var gone: [String] = []
}

/// Documents for search, which follows all containers.
extension DocumentsService {
    /// An element after changes in containers, and after containers opened or closed; for one reader.
    package var changesOfDocuments: AsyncStream<Void> { documentChanges.changes }

    /// Documents that are other than when this was asked last, by the reader of ``changesOfDocuments``.
    ///
    /// All are named at first, after containers opened or closed, and where much changed at once.
    /// - Parameters:
    ///   - all: name all.
    ///   - each: takes them, some at a time, and may take its time.
    /// - Returns: whether all that are in open containers were named: others are there no more.
    /// - Throws: what `each` throws, and `CancellationError` where a container closed before all of its documents were named.
    package func takeChangesOfDocuments(
        all: Bool = false, each: (DocumentChanges) async throws -> Void
    ) async throws -> Bool {
        let isAll = documentChanges.withLock { isAll in
            defer { isAll = false }
            return isAll || all
        }
        for container in isAll ? [] : running {
            guard let ids = try? await container.perform({ $0.takeUnsearched() }) else {
                return try await takeAllDocuments(each)
            }
            for start in stride(from: 0, to: ids.count, by: Self.listedAtOnce) {
                let some = ids[start..<min(start + Self.listedAtOnce, ids.count)]
                guard let changes = try? await container.perform({ $0.reader.documentChanges(some) }) else {
                    throw CancellationError()
                }
                try await each(changes)
            }
        }
        return isAll ? try await takeAllDocuments(each) : false
    }

    /// So many are listed in one turn of a container, whose queue has other things to do.
    private static let listedAtOnce = 1000

    private func takeAllDocuments(_ each: (DocumentChanges) async throws -> Void) async throws -> Bool {
        for container in running {
            guard let ids = try? await container.perform({ $0.beginListing() }) else { continue }
            for start in stride(from: 0, to: ids.count, by: Self.listedAtOnce) {
                let some = ids[start..<min(start + Self.listedAtOnce, ids.count)]
                guard let documents = try? await container.perform({ $0.reader.documents(some) }) else {
                    throw CancellationError()
                }
                try await each(DocumentChanges(documents: documents))
            }
        }
        // A container that opened meanwhile is not among them. The next look is at all again.
        return documentChanges.withLock { isAll in !isAll }
    }

    /// - Returns: nil for one with more than `limit` bytes, and for one that cannot be read. Nothing outside of the container is read,
    ///   whatever links an app makes in it meanwhile.
    package func content(at path: String, limit: Int) async -> [UInt8]? {
        guard let root = root(of: path) else { return nil }
        let relative = String(path.dropFirst(root.count + 1))
        return await BlockingQueue("development.baton.documents-text").run {
            ContainerFileReading.read(relative, below: root, limit: limit)
        }
    }

    /// The same as a file that is open for reading.
    package func file(at path: String) async -> OpenFile? {
        guard let root = root(of: path) else { return nil }
        let relative = String(path.dropFirst(root.count + 1))
        return await BlockingQueue("development.baton.documents-text").run {
            ContainerFileReading.open(relative, below: root)
        }
    }

    /// The folder of the open container in which a document is; nil for one that is in none.
    package func root(of path: String) -> String? { running.first { path.hasPrefix($0.path + "/") }?.path }

    /// Brings the content of a document that is in the cloud only; returns at once for one that is here, and for what is in no container.
    /// - Throws: `unavailable` (`not_downloaded`) when it does not come in time. It goes on coming.
    package func fetch(_ path: String, patience: Duration = .seconds(30)) async throws {
        guard let container = running.first(where: { path.hasPrefix($0.path + "/") }) else { return }
        let relative = String(path.dropFirst(container.path.count + 1))
        let deadline = ContinuousClock.now + patience
        var isAsked = false
        while true {
            let isAway = try await container.perform { [isAsked] container in
                guard let id = try? container.reader.find(relative),
                    container.reader.item(id)?.download == .notDownloaded
                else {
                    return false
                }
                if !isAsked { container.download(id) }
                return true
            }
            guard isAway else { return }
            isAsked = true
            guard ContinuousClock.now < deadline else {
                throw BatonError(
                    .unavailable, reason: "not_downloaded",
                    "The document is not on this device yet. It is coming; open it when “baton documents” shows it as downloaded."
                )
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}

extension ContainerEngine {
    /// - Returns: entries that may be other documents than before; nil where search is to look at all.
    func takeUnsearched() -> [EntryID]? {
        // Those that were touched since are noted again.
        unsearched.take(reader, untold: keeping.touched)?.sorted()
    }

    func takeAllDocuments() -> [ContainerDocument] { reader.documents(beginListing()) }

    /// Changes from now on are noted.
    /// - Returns: files and packages.
    func beginListing() -> [EntryID] {
        let reader = reader
        unsearched.begin(reader)
        return reader.documentIDs
    }
}

extension ContainerReader {
    /// Files and packages.
    var documentIDs: [EntryID] {
        let entries = planner.state.entries
        return entries.ids.filter { id in
            let kind = entries.kind(of: id)
            return kind == .file || kind == .package
        }.sorted()
    }

    /// Those of them that are there below `Documents`, in their order.
    func documents(_ ids: some Sequence<EntryID>) -> [ContainerDocument] {
        var paths: [EntryID: String] = [:]
        return ids.compactMap { document($0, &paths) }
    }

    func documents() -> [ContainerDocument] { documents(documentIDs) }

    func documentChanges(_ ids: some Sequence<EntryID>) -> DocumentChanges {
        var changes = DocumentChanges()
        var paths: [EntryID: String] = [:]
        for id in ids {
            if let document = document(id, &paths) {
                changes.documents.append(document)
            } else {
                changes.gone.append(key(of: id))
            }
        }
        return changes
    }

    /// The key under which search knows an entry.
    func key(of id: EntryID) -> String { "\(name.zone.name):\(ContainerName.hexadecimal(EntryCodec.bytes(of: id)))" }

    /// No more is unpacked than search needs: it is asked for each of very many.
    ///
    /// - Parameter paths: of directories only. Each file's is made once.
    /// - Returns: nil for what is no document, and for one that is not there.
    func document(_ id: EntryID, _ paths: inout [EntryID: String]) -> ContainerDocument? {
        let state = planner.state
        guard let kind = state.entries.kind(of: id), kind == .file || kind == .package,
            case .shown = state.entries.placement(of: id)
        else { return nil }
        let (parent, name, modified, isHere): (EntryID, EntryName, Int64, Bool)
        if let outline = state.base.outline(of: id), outline.parent != EntryID(high: 0, low: 2),
            !outline.isPlaceholder, kind == .file
        {
            (parent, name) = (outline.parent, outline.localName)
            (modified, isHere) = (outline.fingerprint.modified, true)
        } else {
            guard let entry = state.entries[id] else { return nil }
            let outline = state.base.outline(of: id)
            let isInTree = outline.map { $0.parent != EntryID(high: 0, low: 2) } ?? false
            parent = (isInTree ? outline?.parent : nil) ?? state.entries.parent(of: entry) ?? .root
            name = (isInTree ? outline?.shownName : nil) ?? entry.name.value
            (modified, isHere) = (Self.modified(entry), outline?.isPlaceholder == false)
        }
        let isFolder = self.name.folderName != nil
        guard let above = path(of: parent, &paths),
            isFolder || above == ContainerEngine.documentsName || above.hasPrefix("Documents/")
        else { return nil }
        let text = name.description
        return ContainerDocument(
            container: self.name, key: key(of: id),
            path: above.isEmpty ? "\(path)/\(text)" : "\(path)/\(above)/\(text)", name: text,
            modified: UInt64(max(0, modified)) / 1_000_000, isReadable: kind == .file && isHere)
    }

    /// The time that its file has where it is: that of its content, but where it was set to another one later.
    private static func modified(_ entry: Entry) -> Int64 {
        guard let version = entry.winner?.version else { return 0 }
        guard let set = entry.metadata[.modified], set.stamp > version.stamp else { return version.modified }
        return FileAttributes.nanoseconds(set.value)
    }
}
