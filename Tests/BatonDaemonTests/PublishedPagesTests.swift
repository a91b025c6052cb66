import BatonCore
import Testing

@testable import BatonDaemon

/// The pages that a device gives to a public index, and takes back (H-37).
@Suite struct PublishedPagesTests {
    private static func page(_ number: Int, app: String = "a", seen: UInt64 = 1) throws -> PublishedPages.Page {
        .init(
            entry: try #require(PublicEntry(url: "https://reviews.org/\(number)", title: "Page \(number)")), app: app,
            seen: seen, given: 0)
    }

    @Test("a page is given once, again after 30 days, and no more when it is taken back")
    func course() throws {
        var pages = PublishedPages()
        let offered = try [Self.page(1), Self.page(1, app: "b"), Self.page(2)]
        let due = pages.due(offered, now: 1000)
        #expect(due.map(\.entry.title) == ["Page 1", "Page 2"])
        pages.gave(due, now: 1000)
        #expect(pages.due(offered, now: 2000).isEmpty)
        #expect(pages.due(offered, now: 1000 + PublishedPages.renewal).count == 2)
        // A clock that was set back.
        #expect(pages.due(offered, now: 10).count == 2)
        #expect(pages.takeBack(now: 5000) { $0.entry.title == "Page 1" } == 1)
        #expect(pages.takingBack.map(\.title) == ["Page 1"] && pages.pages.count == 1)
        // Not again, until the app saves it anew.
        #expect(pages.due(offered, now: 6000).isEmpty)
        #expect(pages.due([try Self.page(1, seen: 5001)], now: 6000).count == 1)
        #expect(pages.takeBackAll(now: 6000) == 1 && pages.takesBackAll && pages.pages.isEmpty)
        #expect(
            pages.due(try [Self.page(3, seen: 6000), Self.page(4, seen: 6001)], now: 7000).map(\.entry.title) == [
                "Page 4"
            ])
    }

    @Test("the oldest of too many pages are let go")
    func bound() throws {
        var pages = PublishedPages()
        for start in stride(from: 0, to: PublishedPages.maximumPages + 100, by: 50) {
            pages.gave(try (start..<start + 50).map { try Self.page($0) }, now: 1)
        }
        #expect(pages.pages.count == PublishedPages.maximumPages && pages.pages.first?.entry.title == "Page 100")
    }
}
