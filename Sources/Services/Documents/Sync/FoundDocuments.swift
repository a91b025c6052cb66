import BatonConcurrency
import BatonCore
import FileSync
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

/// Documents for search.
extension DocumentsService {
    /// Something changed in some container, or containers opened or closed. The newest waits.
    package func changesOfDocuments() -> AsyncStream<Void> { documentChanges.subscribe() }

    /// So many are listed in one turn of a container, whose queue has other things to do.
    static let listedAtOnce = 1000

    /// All that are in open containers, each once, some at a time: there may be a hundred thousand.
    package func documents(_ take: ([ContainerDocument]) async throws -> Void) async throws {
        for container in running {
            guard let ids = try? await container.perform({ $0.reader.documentIDs }) else { continue }
            for start in stride(from: 0, to: ids.count, by: Self.listedAtOnce) {
                let some = ids[start..<min(start + Self.listedAtOnce, ids.count)]
                guard let documents = try? await container.perform({ $0.reader.documents(some) }) else { break }
                if !documents.isEmpty { try await take(documents) }
            }
        }
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
    ///
    /// It is asked for after each change, for all that there are: so no more is unpacked of each than search needs.
    func documents(_ ids: some Sequence<EntryID>) -> [ContainerDocument] {
        let state = planner.state
        let prefix = name.zone.name + ":"
        let isFolder = name.folderName != nil
        // Directories' only: each file's is made once.
        var paths: [EntryID: String] = [:]
        var found: [ContainerDocument] = []
        for id in ids {
            guard let kind = state.entries.kind(of: id), kind == .file || kind == .package,
                case .shown = state.entries.placement(of: id)
            else { continue }
            let (parent, name, modified, isHere): (EntryID, EntryName, Int64, Bool)
            if let outline = state.base.outline(of: id), outline.parent != EntryID(high: 0, low: 2),
                !outline.isPlaceholder, kind == .file
            {
                (parent, name) = (outline.parent, outline.localName)
                (modified, isHere) = (outline.fingerprint.modified, true)
            } else {
                guard let entry = state.entries[id] else { continue }
                let outline = state.base.outline(of: id)
                let isInTree = outline.map { $0.parent != EntryID(high: 0, low: 2) } ?? false
                parent = (isInTree ? outline?.parent : nil) ?? state.entries.parent(of: entry) ?? .root
                name = (isInTree ? outline?.shownName : nil) ?? entry.name.value
                (modified, isHere) = (entry.winner?.version.modified ?? 0, outline?.isPlaceholder == false)
            }
            guard let above = path(of: parent, &paths),
                isFolder || above == ContainerEngine.documentsName || above.hasPrefix("Documents/")
            else { continue }
            let text = name.description
            found.append(
                ContainerDocument(
                    container: self.name, key: prefix + ContainerName.hexadecimal(EntryCodec.bytes(of: id)),
                    path: above.isEmpty ? "\(path)/\(text)" : "\(path)/\(above)/\(text)", name: text,
                    modified: UInt64(max(0, modified)) / 1_000_000, isReadable: kind == .file && isHere))
        }
        return found
    }
}
