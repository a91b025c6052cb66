import Dispatch
import Glibc

/// Says when something changed in a folder: at once for the first change, then at most twice a second.
final class FolderWatcher: Sendable {
    // As in linux/inotify.h, whose constants have several types in Swift: closed after writing, moved from and to, deleted, itself
    // deleted and moved; directories only.
    private static let mask: UInt32 = 0x8 | 0x40 | 0x80 | 0x200 | 0x400 | 0x800 | 0x0100_0000

    // Only cancelled after it was made, which Dispatch allows from any thread.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Nil where the system has no watches left, or there is no such folder.
    /// - Parameters:
    ///   - notify: called on the queue.
    init?(_ path: String, queue: DispatchQueue, notify: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        guard inotify_add_watch(descriptor, path, Self.mask) >= 0 else {
            close(descriptor)
            return nil
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { close(descriptor) }
        source.setEventHandler {
            // Which names does not matter: files that did not change are not read.
            var buffer = [UInt8](repeating: 0, count: 16_384)
            var hasNews = false
            while Glibc.read(descriptor, &buffer, buffer.count) > 0 { hasNews = true }
            if hasNews { notify() }
        }
        source.activate()
    }

    deinit { source.cancel() }
}
