import Dispatch
import Glibc

/// Reports that something in some folders has changed, on the one queue on which it is used.
final class FolderWatch {
    // As in linux/inotify.h: closed after writing, moved from and to, created, deleted, itself deleted and moved; directories
    // only, no links.
    private static let mask: UInt32 = 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800 | 0x0100_0000 | 0x0200_0000

    private let descriptor: Int32
    private let source: any DispatchSourceRead
    /// A folder could not be watched: it is looked into now and then.
    private(set) var isIncomplete = false

    /// - Parameter notify: is called on the queue.
    init?(queue: DispatchQueue, notify: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { close(descriptor) }
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var isNews = false
            while Glibc.read(descriptor, &buffer, buffer.count) > 0 { isNews = true }
            if isNews { notify() }
        }
        source.activate()
    }

    func stop() { source.cancel() }

    /// Watches the nearest folder above one that is not there, in which it may be made.
    /// - Returns: false where none can be watched.
    func addAncestor(of folder: String) -> Bool {
        var path = folder[...]
        while let slash = path.lastIndex(of: "/") {
            path = path[..<slash]
            if inotify_add_watch(descriptor, path.isEmpty ? "/" : String(path), Self.mask) >= 0 { return true }
        }
        return false
    }

    /// One that is watched already stays so.
    func add(_ folder: String) {
        if inotify_add_watch(descriptor, folder, Self.mask) < 0 { isIncomplete = true }
    }
}
