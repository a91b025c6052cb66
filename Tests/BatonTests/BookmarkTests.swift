import Foundation
import Testing

@testable import Baton

/// Bookmarks of URLs, which Foundation on Linux lacks.
@Suite struct BookmarkTests {
    private let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(
            "bookmarks-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("a/b"), withIntermediateDirectories: true)
    }

    private func file(_ name: String) throws -> URL {
        let url = root.appendingPathComponent(name)
        try Data("x".utf8).write(to: url)
        return url
    }

    /// The path below the folder, with “*” where a new bookmark should be made, or the error's code.
    private func resolved(_ data: Data, relativeTo base: URL? = nil) -> String {
        var isStale = false
        do {
            let url = try URL(resolvingBookmarkData: data, relativeTo: base, bookmarkDataIsStale: &isStale)
            return url.path.replacingOccurrences(of: root.path, with: "") + (isStale ? "*" : "")
        } catch {
            return String((error as NSError).code)
        }
    }

    @Test("a bookmark leads back to a file that was renamed, or whose folder was, and to what was saved in its place")
    func following() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let files = FileManager.default
        let url = try file("a/one two%.txt")
        let bookmark = try url.bookmarkData(options: .minimalBookmark)
        #expect(resolved(bookmark) == "/a/one two%.txt")
        // A file system that does not know when a file was made cannot distinguish it from another one with its number.
        if try Bookmark(bookmark).identity.made != 0 {
            try files.moveItem(at: url, to: root.appendingPathComponent("a/b/renamed.txt"))
            #expect(resolved(bookmark) == "/a/b/renamed.txt*")
            try files.moveItem(at: root.appendingPathComponent("a/b"), to: root.appendingPathComponent("c"))
            #expect(resolved(bookmark) == "/c/renamed.txt*")
            try files.removeItem(at: root.appendingPathComponent("c"))
        } else {
            try files.removeItem(at: url)
        }
        #expect(resolved(bookmark) == "4")
        _ = try file("a/one two%.txt")
        #expect(resolved(bookmark) == "/a/one two%.txt*")
    }

    @Test("one that belongs to a document leads to what moved along with it; one of the container follows that")
    func relative() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let files = FileManager.default
        let (document, picture) = (try file("document"), try file("a/picture.png"))
        let bookmark = try picture.bookmarkData(relativeTo: document)
        let inContainer = try Bookmark(
            picture, relativeTo: nil, environment: ["BATON_CONTAINER": root.path, "HOME": "/"])
        let new = root.appendingPathComponent("new", isDirectory: true)
        try files.createDirectory(at: new.appendingPathComponent("a"), withIntermediateDirectories: true)
        try Data().write(to: new.appendingPathComponent("a/picture.png"))
        try files.removeItem(at: picture)
        #expect(resolved(bookmark, relativeTo: new.appendingPathComponent("document")) == "/new/a/picture.png*")
        #expect(resolved(bookmark) == "4")
        let found = try inContainer.resolve(relativeTo: nil, environment: ["BATON_CONTAINER": new.path])
        #expect(found.isStale && found.path == new.path + "/a/picture.png")
    }

    @Test("other data is no bookmark, a page has none, and a file with one leads on")
    func data() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        #expect(resolved(Data("text".utf8)) == "259")
        #expect(resolved(Data("baton-bookmark 1\n{".utf8)) == "259")
        let page = try #require(URL(string: "https://example.com"))
        #expect(throws: CocoaError.self) { try page.bookmarkData() }
        #expect(throws: CocoaError.self) { try root.appendingPathComponent("missing").bookmarkData() }
        let (target, alias) = (try file("target"), root.appendingPathComponent("alias"))
        try URL.writeBookmarkData(try target.bookmarkData(options: .suitableForBookmarkFile), to: alias)
        #expect(try URL(resolvingAliasFileAt: alias).path == target.path)
        #expect(try URL(resolvingAliasFileAt: target).path == target.path)
        #expect(throws: CocoaError.self) { try URL.bookmarkData(withContentsOf: target) }
        var isStale: ObjCBool = true
        let url = try NSURL(
            resolvingBookmarkData: try target.bookmarkData(), options: [], relativeTo: nil,
            bookmarkDataIsStale: &isStale)
        #expect(url.path == target.path && !isStale.boolValue)
    }
}
