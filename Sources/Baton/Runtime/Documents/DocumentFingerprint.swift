import AppLink
import Foundation
import Glibc

/// Shows whether the content of a document was changed: of a package, all that is in it.
///
/// Unlike ``FileFingerprint`` it does not see a change of attributes alone.
struct DocumentFingerprint: Equatable {
    private struct Entry: Equatable {
        let path: String
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
        let kind: UInt32
    }

    private var entries: [Entry] = []

    /// Whether it is that of the daemon's item, whose content is here. False for a package: its item says less.
    func isFile(of item: UbiquitousItem) -> Bool {
        guard let file = entries.first, file.kind == UInt32(S_IFREG), item.download == .current else { return false }
        return file.size >= 0 && UInt64(file.size) == item.size
            && UbiquitousItem.date(Int64(file.seconds) &* 1_000_000_000 &+ Int64(file.nanoseconds)) == item.modified
    }

    var isDirectory: Bool { entries.first?.kind == UInt32(S_IFDIR) }

    /// Nil if there is nothing. Links are not followed. The first 100,000 items of a package count.
    init?(path: String) {
        guard add(path, relative: "", depth: 0) else { return nil }
    }

    private mutating func add(_ path: String, relative: String, depth: Int) -> Bool {
        var information = stat()
        guard entries.count < 100_000, lstat(path, &information) == 0 else { return false }
        let isDirectory = information.st_mode & S_IFMT == S_IFDIR
        entries.append(
            Entry(
                path: relative, inode: UInt(information.st_ino), size: isDirectory ? 0 : Int(information.st_size),
                seconds: Int(information.st_mtim.tv_sec), nanoseconds: Int(information.st_mtim.tv_nsec),
                kind: UInt32(information.st_mode & S_IFMT)))
        guard isDirectory, depth < 64 else { return true }
        for name in Self.names(path) { _ = add(path + "/" + name, relative: relative + "/" + name, depth: depth + 1) }
        return true
    }

    private static func names(_ path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
