import AirDropProtocol
import BatonCore
import Files
import Glibc

/// The contents of a sender's files and folders when they were looked through. Blocks.
struct ArchiveSource {
    struct Item {
        var path: String
        var entry: ArchiveEntry
        /// For a link: where it points to.
        var target: [UInt8] = []
    }

    private(set) var items: [Item] = []
    private(set) var files: [OfferedFile] = []
    private(set) var bytes: UInt64 = 0
    private var names = SafeNames(mayBeHidden: true)
    private let limits = ArchiveLimits(bytes: .max)

    /// - Parameter path: absolute. If it is a link, what it points to is sent.
    mutating func add(_ path: String, type: String?) throws(BatonError) {
        guard let real = RealPath.resolved(path) else { throw Self.unreadable(path) }
        let name = names.add(path.split(separator: "/").last.map { Array($0.utf8) } ?? [])
        let status = try Self.status(real)
        let file = try OfferedFile(name: name, type: type, isDirectory: status.st_mode & S_IFMT == S_IFDIR)
        files.append(file)
        let layout = ArchiveLayout([file], limits: limits)
        try walk(real, as: name, status, layout, depth: 1)
    }

    private mutating func walk(
        _ path: String, as name: String, _ status: stat, _ layout: borrowing ArchiveLayout, depth: Int
    ) throws(BatonError) {
        guard items.count < limits.entries, depth <= limits.depth, name.utf8.count < limits.path else {
            throw BatonError(
                .resourceExhausted, reason: "archive_too_large",
                "“\(SafeName.display(path))” holds too many files, or folders that are too deep. Send parts of it.")
        }
        var item = Item(path: path, entry: ArchiveEntry(path: Array(("./" + name).utf8), kind: .file))
        item.entry.modified = UInt64(clamping: status.st_mtim.tv_sec)
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            item.entry.size = UInt64(clamping: status.st_size)
            guard item.entry.size <= CPIOWriter.maximumFileSize else { throw CPIOWriter.tooLarge(item.entry) }
            bytes += item.entry.size
            items.append(item)
        case S_IFLNK:
            item.target = try Self.target(path)
            item.entry.kind = .symbolicLink
            item.entry.size = UInt64(item.target.count)
            // The receiver would refuse everything for it.
            _ = try layout.link(at: name, to: item.target)
            items.append(item)
        case S_IFDIR:
            item.entry.kind = .directory
            items.append(item)
            for child in try Self.children(path) {
                let inner = path + "/" + child
                try walk(inner, as: name + "/" + child, try Self.status(inner), layout, depth: depth + 1)
            }
        default:
            throw BatonError(
                .invalidArgument, reason: "archive_special_file",
                "“\(SafeName.display(path))” is neither a file, a folder nor a link, so it cannot be sent.")
        }
    }

    private static func status(_ path: String) throws(BatonError) -> stat {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw unreadable(path) }
        return status
    }

    private static func target(_ path: String) throws(BatonError) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: ArchiveLayout.maximumTarget + 1)
        let count = readlink(path, &buffer, buffer.count)
        guard count >= 0 else { throw unreadable(path) }
        return buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }

    private static func children(_ path: String) throws(BatonError) -> [String] {
        guard let folder = OwnedDescriptor(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) else {
            throw unreadable(path)
        }
        return FolderRemoval.names(folder.number).sorted()
    }

    static func unreadable(_ path: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "file_unreadable",
            "“\(SafeName.display(path))” cannot be read: \(String(cString: strerror(errno))).")
    }
}
