import Dispatch
import FileSync
import Glibc
import Synchronization

/// Reports which directories changed, on the queue of its container, on which it is used only.
final class DirectoryWatcher {
    enum News {
        /// Names, or files, in this directory.
        case changed(LocalHandle)
        /// Some were missed.
        case overflow
    }

    // As in linux/inotify.h, whose constants have several types in Swift: modified, attributes, closed after writing, moved from and
    // to, created, deleted, itself deleted and moved; directories only, no links, nothing that is unlinked.
    private static let mask: UInt32 =
        0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800 | 0x0100_0000 | 0x0200_0000 | 0x0400_0000
    private static let movedFrom: UInt32 = 0x40
    /// Moved from or to.
    private static let moved: UInt32 = 0x40 | 0x80
    private static let isDirectory: UInt32 = 0x4000_0000
    private static let overflow: UInt32 = 0x4000
    private static let ignored: UInt32 = 0x8000

    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private var directories: [Int32: LocalHandle] = [:]
    private(set) var watched: Set<LocalHandle> = []
    /// Those of files and links, and not of directories.
    var renames = RenameLog()
    /// The system has no watches left: changes are looked for now and then.
    private(set) var isExhausted = false

    /// - Parameter tell: is called on the queue.
    init?(queue: DispatchQueue, tell: @escaping (DirectoryWatcher, [News]) -> Void) {
        let descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { close(descriptor) }
        // The queue is the only one that uses the watcher, also here.
        nonisolated(unsafe) weak let watcher = self
        nonisolated(unsafe) let tell = tell
        source.setEventHandler {
            guard let watcher else { return }
            let news = watcher.take().news
            if !news.isEmpty { tell(watcher, news) }
        }
        source.activate()
    }

    func stop() { source.cancel() }

    /// Before the directory is listed, so that nothing is missed in between. A directory that is watched already stays so.
    func watch(_ directory: OpenNode, _ handle: LocalHandle) {
        let number = inotify_add_watch(descriptor, "/proc/self/fd/\(directory.number)/.", Self.mask)
        guard number >= 0 else {
            if errno == ENOSPC || errno == ENOMEM { isExhausted = true }
            return
        }
        directories[number] = handle
        watched.insert(handle)
    }

    /// The events that were not delivered yet.
    /// - Returns: also whether a directory was moved, which a look at the directories, one by one, may have missed.
    func take() -> (news: [News], hasMoves: Bool) {
        var news: [News] = []
        var hasMoves = false
        var changed: Set<LocalHandle> = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            var position = 0
            while position + 16 <= count {
                let (watch, mask, number, length) = buffer.withUnsafeBytes { bytes in
                    (
                        bytes.loadUnaligned(fromByteOffset: position, as: Int32.self),
                        bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self),
                        bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt32.self),
                        bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self)
                    )
                }
                let name = buffer[min(position + 16, count)..<min(position + 16 + Int(length), count)].prefix {
                    $0 != 0
                }
                position += 16 + Int(length)
                let isMove = mask & Self.moved != 0 && mask & Self.isDirectory != 0
                if isMove || mask & Self.overflow != 0 { hasMoves = true }
                if mask & Self.overflow != 0 {
                    news.append(.overflow)
                    renames.forgetAll()
                }
                if mask & Self.moved != 0, mask & Self.isDirectory == 0, let handle = directories[watch],
                    let name = try? EntryName(name)
                {
                    let place = LocalPlace(directory: handle, name: name)
                    if mask & Self.movedFrom != 0 {
                        renames.left(place, number)
                    } else {
                        renames.arrived(place, number)
                    }
                }
                if mask & Self.ignored != 0 {
                    if let handle = directories.removeValue(forKey: watch) { watched.remove(handle) }
                } else if let handle = directories[watch], changed.insert(handle).inserted {
                    news.append(.changed(handle))
                }
            }
        }
        return (news, hasMoves)
    }
}
