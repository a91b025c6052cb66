public import Foundation

extension NSURL {
    /// How a bookmark is made. Apple's numbers. None makes a difference here, where nothing is locked away.
    public struct BookmarkCreationOptions: OptionSet, Sendable, Hashable {
        /// Apple's number.
        public let rawValue: UInt
        /// From Apple's number.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// With as little as possible.
        public static let minimalBookmark = Self(rawValue: 1 << 9)
        /// To be written to a file of its own.
        public static let suitableForBookmarkFile = Self(rawValue: 1 << 10)
        /// For an app in a sandbox, after it was started again. A confined app may use what is in its container anyway, and nothing else.
        public static let withSecurityScope = Self(rawValue: 1 << 11)
        /// As ``withSecurityScope``, for reading only.
        public static let securityScopeAllowOnlyReadAccess = Self(rawValue: 1 << 12)
        /// Without what resolving gives implicitly.
        public static let withoutImplicitSecurityScope = Self(rawValue: 1 << 29)
    }

    /// How a bookmark is resolved. Apple's numbers. None makes a difference here: no person is asked, and nothing is mounted.
    public struct BookmarkResolutionOptions: OptionSet, Sendable, Hashable {
        /// Apple's number.
        public let rawValue: UInt
        /// From Apple's number.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Without asking the person.
        public static let withoutUI = Self(rawValue: 1 << 8)
        /// Without mounting a file system.
        public static let withoutMounting = Self(rawValue: 1 << 9)
        /// As a creation with the option of this name.
        public static let withSecurityScope = Self(rawValue: 1 << 10)
        /// Without beginning to use it.
        public static let withoutImplicitStartAccessing = Self(rawValue: 1 << 15)
    }

    /// As `URL.bookmarkData(options:includingResourceValuesForKeys:relativeTo:)`.
    public func bookmarkData(
        options: BookmarkCreationOptions = [], includingResourceValuesForKeys keys: [URLResourceKey]?,
        relativeTo relativeURL: URL?
    ) throws -> Data {
        try (self as URL).bookmarkData(
            options: options, includingResourceValuesForKeys: keys.map(Set.init), relativeTo: relativeURL)
    }

    /// As `URL.init(resolvingBookmarkData:options:relativeTo:bookmarkDataIsStale:)`.
    public convenience init(
        resolvingBookmarkData bookmarkData: Data, options: BookmarkResolutionOptions = [], relativeTo relativeURL: URL?,
        bookmarkDataIsStale isStale: UnsafeMutablePointer<ObjCBool>?
    ) throws {
        var stale = false
        let url = try URL(
            resolvingBookmarkData: bookmarkData, options: options, relativeTo: relativeURL, bookmarkDataIsStale: &stale)
        self.init(fileURLWithPath: url.path, isDirectory: url.hasDirectoryPath)
        isStale?.pointee = ObjCBool(stale)
    }
}

extension URL {
    /// How a bookmark is made.
    public typealias BookmarkCreationOptions = NSURL.BookmarkCreationOptions
    /// How a bookmark is resolved.
    public typealias BookmarkResolutionOptions = NSURL.BookmarkResolutionOptions

    /// Data that leads back to this file or directory, also after it was renamed or moved nearby; to be kept by the app.
    ///
    /// It holds the path, and what the file system knows the item by. It holds no right to use the item: an app may resolve what it may
    /// read. Not readable on Apple's systems, and theirs not here. Blocks; any thread may call it.
    /// - Parameters:
    ///   - options: make no difference.
    ///   - keys: not kept: Foundation on Linux fills no `URLResourceValues`.
    ///   - url: the file that the bookmark is to be kept in, if it should lead back after both were moved together.
    /// - Throws: `CocoaError.fileReadNoSuchFile` where there is nothing; `.fileReadUnsupportedScheme` for a URL that is no file's.
    ///
    /// Apple: <https://developer.apple.com/documentation/foundation/url/bookmarkdata(options:includingresourcevaluesforkeys:relativeto:)>
    public func bookmarkData(
        options: BookmarkCreationOptions = [], includingResourceValuesForKeys keys: Set<URLResourceKey>? = nil,
        relativeTo url: URL? = nil
    ) throws -> Data {
        try Bookmark(self, relativeTo: url, environment: ProcessInfo.processInfo.environment).data()
    }

    /// The file or directory that a bookmark leads to.
    ///
    /// It is what has the path; if nothing has it, what the bookmark was made for, which is looked for in its folder and around it, among
    /// 10,000 items at most; then what has the same path below the file that keeps the bookmark, the container or the home. Blocks; any
    /// thread may call it.
    /// - Parameters:
    ///   - data: of ``bookmarkData(options:includingResourceValuesForKeys:relativeTo:)``.
    ///   - options: make no difference.
    ///   - url: the file that the bookmark was made relative to.
    ///   - bookmarkDataIsStale: set to whether a new bookmark should be made, since the item is elsewhere, or the path is another item's.
    /// - Throws: `CocoaError.fileNoSuchFile` for an item that is not found, `.fileReadCorruptFile` for other data.
    public init(
        resolvingBookmarkData data: Data, options: BookmarkResolutionOptions = [], relativeTo url: URL? = nil,
        bookmarkDataIsStale: inout Bool
    ) throws {
        let found = try Bookmark(data).resolve(relativeTo: url, environment: ProcessInfo.processInfo.environment)
        bookmarkDataIsStale = found.isStale
        self.init(fileURLWithPath: found.path)
    }

    /// Writes a bookmark to a file of its own, which ``init(resolvingAliasFileAt:options:)`` follows.
    public static func writeBookmarkData(_ data: Data, to url: URL) throws {
        _ = try Bookmark(data)
        try data.write(to: url, options: .atomic)
    }

    /// The bookmark in a file of its own.
    /// - Throws: `CocoaError.fileReadCorruptFile` where the file holds none; what reading it throws.
    public static func bookmarkData(withContentsOf url: URL) throws -> Data {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        let data = try file.read(upToCount: Bookmark.maximumBytes + 1) ?? Data()
        _ = try Bookmark(data)
        return data
    }

    /// The item that a link, or a file with a bookmark, leads to; the URL itself for anything else.
    public init(resolvingAliasFileAt url: URL, options: BookmarkResolutionOptions = []) throws {
        let resolved = url.resolvingSymlinksInPath()
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: resolved.path, isDirectory: &isDirectory) else {
            throw DocumentErrors.missing(url)
        }
        guard !isDirectory.boolValue, let data = try? URL.bookmarkData(withContentsOf: resolved) else {
            self = resolved
            return
        }
        var isStale = false
        try self.init(
            resolvingBookmarkData: data, options: options, relativeTo: resolved, bookmarkDataIsStale: &isStale)
    }
}
