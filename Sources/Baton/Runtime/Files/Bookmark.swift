import CLinux
import Foundation
import Glibc

/// The way back to a file or directory, also after it was renamed or its folder was: its path, and what the file system knows it by.
struct Bookmark: Codable, Hashable {
    /// Distinguishes an item from any other one of its file system, also from one that has its number later.
    struct Identity: Codable, Hashable {
        var device: UInt64
        var number: UInt64
        /// In nanoseconds since 1970; 0 where the file system does not know.
        var made: Int64
        var isDirectory: Bool
    }

    /// A folder that has another path on another device, or for another person.
    enum Root: String, Codable { case container, home }

    var path: String
    var identity: Identity
    /// The path below it, where the item is in the container or the home.
    var root: Root?
    var rootPath: String?
    /// From the directory of the file that the bookmark belongs to.
    var relativePath: String?

    private static let magic = Array("baton-bookmark 1\n".utf8)
    /// The most bytes that are looked at.
    static let maximumBytes = 64 * 1024
    /// The most items that are looked at when one has moved. Policy: it counts as gone after that.
    static let maximumSearch = 10_000

    // MARK: Making one

    init(_ url: URL, relativeTo base: URL?, environment: [String: String]) throws {
        guard url.isFileURL else {
            throw DocumentErrors.cocoa(.fileReadUnsupportedScheme, "Only a file's URL has a bookmark.", url)
        }
        let path = Self.canonical(url)
        guard let identity = Self.identity(path) else {
            throw DocumentErrors.cocoa(.fileReadNoSuchFile, "“\(url.lastPathComponent)” does not exist.", url)
        }
        self.path = path
        self.identity = identity
        for (root, folder) in Self.roots(environment) where path.hasPrefix(folder + "/") {
            (self.root, rootPath) = (root, String(path.dropFirst(folder.count + 1)))
            break
        }
        if let base {
            guard base.isFileURL else {
                throw DocumentErrors.cocoa(.fileReadUnsupportedScheme, "Only a file can hold a bookmark.", base)
            }
            relativePath = Self.relative(path, from: (Self.canonical(base) as NSString).deletingLastPathComponent)
        }
    }

    /// The container comes first: it may be below the home.
    private static func roots(_ environment: [String: String]) -> [(Root, String)] {
        [(Root.container, environment["BATON_CONTAINER"]), (.home, environment["HOME"])].compactMap { root, path in
            guard let path, path.hasPrefix("/"), path.count > 1 else { return nil }
            return (root, canonical(URL(fileURLWithPath: path)))
        }
    }

    /// Without links on the way; the item itself may be one.
    private static func canonical(_ url: URL) -> String {
        let url = url.standardizedFileURL
        let parent = url.deletingLastPathComponent().resolvingSymlinksInPath().path
        guard url.path != "/" else { return "/" }
        return parent == "/" ? "/" + url.lastPathComponent : "\(parent)/\(url.lastPathComponent)"
    }

    private static func relative(_ path: String, from folder: String) -> String {
        let (to, from) = (path.split(separator: "/"), folder.split(separator: "/"))
        let common = zip(to, from).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: from.count - common)
        return (up + to.dropFirst(common).map(String.init)).joined(separator: "/")
    }

    // MARK: As data

    func data() throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return Data(Self.magic) + (try encoder.encode(self))
    }

    init(_ data: Data) throws {
        let isOurs = data.count <= Self.maximumBytes && data.starts(with: Self.magic)
        guard isOurs,
            let read = try? PropertyListDecoder().decode(Bookmark.self, from: Data(data.dropFirst(Self.magic.count))),
            read.path.hasPrefix("/")
        else { throw DocumentErrors.cocoa(.fileReadCorruptFile, "The data is no bookmark.", nil) }
        self = read
    }

    static func isOne(_ data: Data) -> Bool { data.starts(with: magic) }

    // MARK: Leading back

    /// Where the item is now. Blocks.
    /// - Returns: `isStale` where a new bookmark should be made, since the item has another path, or another item has this one.
    func resolve(relativeTo base: URL?, environment: [String: String]) throws -> (path: String, isStale: Bool) {
        if let found = Self.identity(path), found.isDirectory == identity.isDirectory {
            return (path, found != identity)
        }
        if let moved = moved() { return (moved, true) }
        if let base, base.isFileURL, let relativePath {
            let folder = URL(fileURLWithPath: Self.canonical(base)).deletingLastPathComponent()
            let path = folder.appendingPathComponent(relativePath).standardizedFileURL.path
            if Self.identity(path)?.isDirectory == identity.isDirectory { return (path, true) }
        }
        if let rootPath, let folder = Self.roots(environment).first(where: { $0.0 == root })?.1 {
            let path = "\(folder)/\(rootPath)"
            if Self.identity(path)?.isDirectory == identity.isDirectory { return (path, true) }
        }
        let name = (path as NSString).lastPathComponent
        throw DocumentErrors.cocoa(.fileNoSuchFile, "“\(name)” is not where it was.", URL(fileURLWithPath: path))
    }

    /// Looks in the folder that the item was in, then around it, nearest first: a file system cannot be asked where a number is.
    private func moved() -> String? {
        // Without knowing when an item was made its number may be another's by now.
        guard identity.made != 0 else { return nil }
        var seen = 0
        var folder = (path as NSString).deletingLastPathComponent
        var done: Set<String> = []
        for _ in 0..<3 {
            var waiting = [folder]
            while !waiting.isEmpty {
                let next = waiting.removeFirst()
                guard done.insert(next).inserted else { continue }
                for name in (try? FileManager.default.contentsOfDirectory(atPath: next)) ?? [] {
                    seen += 1
                    guard seen <= Self.maximumSearch else { return nil }
                    let candidate = next == "/" ? "/" + name : "\(next)/\(name)"
                    guard let found = Self.identity(candidate), found.device == identity.device else { continue }
                    if found == identity { return candidate }
                    if found.isDirectory { waiting.append(candidate) }
                }
            }
            guard folder != "/" else { return nil }
            folder = (folder as NSString).deletingLastPathComponent
        }
        return nil
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        // In this order: mode, links, owner, number, size, modified, changed, made.
        var values = [Int64](repeating: 0, count: 8)
        let made = baton_status(AT_FDCWD, path, &values) == 0 ? values[7] : 0
        return Identity(
            device: UInt64(status.st_dev), number: UInt64(status.st_ino), made: made,
            isDirectory: status.st_mode & S_IFMT == S_IFDIR)
    }
}
