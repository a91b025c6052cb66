import AirDropProtocol
package import BatonCore
package import Foundation

/// The files and folders of one transfer, in the order in which they are made at the receiver.
package struct TransferManifest: Hashable, Sendable {
    package static let maximumEntries = 20_000
    package static let maximumURLs = 100
    static let maximumURLSize = 64 << 10
    static let maximumDepth = 64
    /// Bytes of one component of a path.
    static let maximumNameSize = 255

    package struct Entry: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case file
            case directory
        }

        /// Relative to the destination, with components joined by “/”.
        package var path: String
        package var kind: Kind
        package var size: UInt64
        /// Milliseconds since 1970.
        package var modified: UInt64
        package var isExecutable: Bool
        /// Changes when the file is written to; empty when the sender does not say.
        package var version = Data()

        package init(path: String, kind: Kind, size: UInt64 = 0, modified: UInt64 = 0, isExecutable: Bool = false) {
            self.path = path
            self.kind = kind
            self.size = size
            self.modified = modified
            self.isExecutable = isExecutable
        }

        package var isTopLevel: Bool { !path.utf8.contains(UInt8(ascii: "/")) }
    }

    /// A symbolic link in a folder that is sent, which leads to a place in that folder.
    package struct Link: Hashable, Sendable {
        package var path: String
        package var target: String

        package init(path: String, target: String) {
            self.path = path
            self.target = target
        }
    }

    package let entries: [Entry]
    package let urls: [String]
    package let links: [Link]
    /// Links that lead elsewhere, and special files, which are not sent.
    package let leftOut: Int
    package let totalBytes: UInt64
    /// Bytes of the entries before each one.
    private let bytesBefore: [UInt64]
    private let filesBefore: [Int]

    /// - Throws: `invalid_argument` with reason `invalid_manifest` for a path that leads elsewhere, one that comes twice, an
    ///   entry whose folder does not come before it, and what is over the limits.
    package init(entries: [Entry], urls: [String], links: [Link] = [], leftOut: Int = 0) throws(BatonError) {
        guard entries.count + links.count <= Self.maximumEntries else {
            throw Self.invalid("it has more than \(Self.maximumEntries) files and folders")
        }
        guard urls.count <= Self.maximumURLs, urls.allSatisfy({ $0.utf8.count <= Self.maximumURLSize }) else {
            throw Self.invalid("it has too many links, or one that is too long")
        }
        guard !entries.isEmpty || !urls.isEmpty else { throw Self.invalid("it is empty") }
        var directories: Set<String> = []
        var files: Set<String> = []
        var total: UInt64 = 0
        var fileCount = 0
        var bytesBefore: [UInt64] = []
        var filesBefore: [Int] = []
        for entry in entries {
            try Self.check(entry.path, directories)
            guard !directories.contains(entry.path), files.insert(entry.path).inserted else {
                throw Self.invalid("a path comes twice")
            }
            if entry.kind == .directory {
                guard entry.size == 0 else { throw Self.invalid("a folder has a size") }
                directories.insert(entry.path)
            }
            bytesBefore.append(total)
            filesBefore.append(fileCount)
            if entry.kind == .file { fileCount += 1 }
            let (sum, isTooLarge) = total.addingReportingOverflow(entry.size)
            guard !isTooLarge else { throw Self.invalid("its sizes are impossible") }
            total = sum
        }
        for link in links {
            try Self.check(link.path, directories)
            guard link.path.utf8.contains(UInt8(ascii: "/")), SafeLink.stays(link.target, at: link.path) else {
                throw Self.invalid("a link leads out of its folder")
            }
            guard !directories.contains(link.path), files.insert(link.path).inserted else {
                throw Self.invalid("a path comes twice")
            }
        }
        self.entries = entries
        self.urls = urls
        self.links = links
        self.leftOut = leftOut
        totalBytes = total
        self.fileCount = fileCount
        self.bytesBefore = bytesBefore
        self.filesBefore = filesBefore
    }

    package let fileCount: Int

    /// How much comes before a place: files before it are whole.
    package func progress(at place: TransferPlace) -> TransferProgress {
        guard entries.indices.contains(place.entry) else {
            return TransferProgress(
                bytes: totalBytes, totalBytes: totalBytes, files: fileCount, totalFiles: fileCount)
        }
        let isWhole = entries[place.entry].kind == .file && place.offset >= entries[place.entry].size
        return TransferProgress(
            bytes: bytesBefore[place.entry] + min(place.offset, entries[place.entry].size), totalBytes: totalBytes,
            files: filesBefore[place.entry] + (isWhole ? 1 : 0), totalFiles: fileCount)
    }

    /// Whether what has come of an equal one is good for this one: no file was written to in between.
    package var canResume: Bool { entries.allSatisfy { $0.kind == .directory || !$0.version.isEmpty } }

    /// The names of what the person is asked about.
    package var topLevel: [Entry] { entries.filter(\.isTopLevel) }

    private static func check(_ path: String, _ directories: Set<String>) throws(BatonError) {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard components.count <= maximumDepth else { throw invalid("its folders are too deep") }
        for component in components {
            guard !component.isEmpty, component != ".", component != "..", component.utf8.count <= maximumNameSize,
                !component.utf8.contains(0)
            else { throw invalid("a path is not one below the destination") }
        }
        if components.count > 1, let slash = path.lastIndex(of: "/") {
            guard directories.contains(String(path[..<slash])) else {
                throw invalid("a file comes before its folder")
            }
        }
    }

    private static func invalid(_ why: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "invalid_manifest", "The list of files cannot be used: \(why).")
    }
}
