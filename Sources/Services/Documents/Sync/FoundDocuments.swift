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

    /// All that are in open containers.
    package func documents() async -> [ContainerDocument] {
        var documents: [ContainerDocument] = []
        for container in running {
            documents += (try? await container.perform { $0.reader.documents() }) ?? []
        }
        return documents
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
    /// Files and packages below `Documents`.
    func documents() -> [ContainerDocument] {
        items().compactMap { item in
            guard item.kind == .file || item.kind == .package,
                self.name.folderName != nil || item.path.hasPrefix("Documents/")
            else { return nil }
            let name = item.path.split(separator: "/").last.map(String.init) ?? item.path
            return ContainerDocument(
                container: self.name,
                key: self.name.zone.name + ":" + EntryCodec.bytes(of: item.id).map { Self.hexadecimal($0) }.joined(),
                path: "\(path)/\(item.path)", name: name, modified: UInt64(max(0, item.modified)) / 1_000_000,
                isReadable: item.kind == .file && item.download != .notDownloaded)
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
}
