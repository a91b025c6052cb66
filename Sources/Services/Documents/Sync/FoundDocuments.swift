import BatonConcurrency
package import BatonCore
import CLinux
import FileSync
import Foundation
import Glibc

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
            documents += (try? await container.perform { $0.documents() }) ?? []
        }
        return documents
    }

    /// - Returns: nil for one with more than `limit` bytes, and for one that cannot be read. Nothing outside of the container is read,
    ///   whatever links an app makes in it meanwhile.
    package func content(at path: String, limit: Int) async -> [UInt8]? {
        guard let root = running.first(where: { path.hasPrefix($0.path + "/") })?.path else { return nil }
        let relative = String(path.dropFirst(root.count + 1))
        return await BlockingQueue("development.baton.documents-text").run {
            Self.read(relative, below: root, limit: limit)
        }
    }

    /// Brings the content of a document that is in the cloud only; returns at once for one that is here, and for what is in no container.
    /// - Throws: `unavailable` (`not_downloaded`) when it does not come in time. It goes on coming.
    package func fetch(_ path: String, patience: Duration = .seconds(30)) async throws {
        guard let container = running.first(where: { path.hasPrefix($0.path + "/") }) else { return }
        let relative = String(path.dropFirst(container.path.count + 1))
        let deadline = ContinuousClock.now + patience
        var isAsked = false
        while true {
            let isAway = try await container.perform { [isAsked] container in
                guard let id = try? container.find(relative), container.item(id)?.download == .notDownloaded else {
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
                    "The document is not on this device yet. It is coming; open it when “baton documents” shows it as downloaded.")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private static func read(_ path: String, below root: String, limit: Int) -> [UInt8]? {
        let directory = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { return nil }
        defer { Glibc.close(directory) }
        let flags = UInt64(O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        let resolve = UInt64(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV)
        let descriptor = path.withCString { baton_openat2(directory, $0, flags, 0, resolve) }
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG),
            status.st_size <= limit
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            if got < 0, errno == EINTR { continue }
            // A leased file may say that it cannot be read now.
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        return Array(bytes.prefix(count))
    }
}

extension ContainerSync {
    /// Files and packages below `Documents`. On the queue.
    func documents() -> [ContainerDocument] {
        items().compactMap { item in
            guard item.kind == .file || item.kind == .package, item.path.hasPrefix("Documents/") else { return nil }
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
