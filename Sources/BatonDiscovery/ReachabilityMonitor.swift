import Dispatch
import Foundation
import Glibc
import ServiceLifecycle
import Synchronization

/// Reports when this machine may reach what it could not before: an interface, an address or a route changed, or the file that
/// says who knows the addresses of names. Nothing is polled.
///
/// It reports often while much changes; the listener must tolerate that.
package final class ReachabilityMonitor: Service {
    /// Bytes of the resolver's file that are compared.
    private static let maximumSize = 1 << 16

    private let resolver: String
    private let changed: @Sendable () -> Void
    private let queue = DispatchQueue(label: "baton.reachability")
    /// The last content of the resolver's file.
    private let known: Mutex<Data?>

    /// - Parameters:
    ///   - resolver: as resolv.conf(5) says; may be a symbolic link.
    ///   - changed: must not block.
    package init(resolver: String = "/etc/resolv.conf", changed: @escaping @Sendable () -> Void) {
        self.resolver = resolver
        self.changed = changed
        known = Mutex(Self.content(of: resolver))
    }

    package func run() async throws {
        let network = NetworkMonitor.routes()
        let files = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        let takeNews: @Sendable () -> Void = { [self] in if watch(files) { changed() } }
        let sources = [follow(network, changed), follow(files, takeNews)]
        queue.async(execute: takeNews)
        // Ends with the process's other services, or when it is cancelled.
        try? await gracefulShutdown()
        for source in sources { source?.cancel() }
    }

    /// - Returns: nil where the system gives no such descriptor; then it reports less.
    private func follow(_ descriptor: Int32, _ news: @escaping @Sendable () -> Void) -> (any DispatchSourceRead)? {
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            // The change itself is read from the system.
            withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
                while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
            }
            news()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        return source
    }

    /// Watches the folders of the file and of what it leads to, which may be another one by now: who changes it puts another
    /// file in its place.
    /// - Returns: whether the file says something else.
    private func watch(_ files: Int32) -> Bool {
        let target = URL(fileURLWithPath: resolver).resolvingSymlinksInPath().path
        for path in Set([resolver, target]) {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            _ = inotify_add_watch(files, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE))
        }
        let content = Self.content(of: target)
        return known.withLock { known in
            defer { known = content }
            return known != content
        }
    }

    private static func content(of path: String) -> Data? {
        FileManager.default.contents(atPath: path)?.prefix(maximumSize)
    }
}
