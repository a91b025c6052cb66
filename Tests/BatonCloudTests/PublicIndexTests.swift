import BatonCloud
import BatonCore
import BatonTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

/// The public index of a cloud: which pages are found, after how many accounts, and which data is kept (H-37).
@Suite struct PublicIndexTests {
    private final class Clock: Sendable {
        let days = Mutex(20_000.0)
        var clock: WallClock { WallClock { Date(timeIntervalSince1970: self.days.withLock { $0 } * 86_400) } }
    }

    private let directory: TemporaryDirectory
    private let time = Clock()

    init() throws { directory = try TemporaryDirectory() }

    private func store() throws -> PublicIndexStore {
        try PublicIndexStore(path: directory.file("public-index.sqlite"), clock: time.clock)
    }

    private static func account(_ number: Int) -> AccountID {
        AccountID(unchecked: String(repeating: "ABCDEFGH".map(String.init)[number], count: 26))
    }

    private static func entry(_ title: String = "Yank Sing", _ keywords: [String] = ["dumplings"]) throws -> PublicEntry
    {
        try #require(PublicEntry(url: "https://reviews.org/yank-sing", title: title, keywords: keywords))
    }

    @Test(
        "an entry is found once three accounts gave it, with the keywords that three gave, and no more when one takes it back"
    )
    func quorum() async throws {
        let store = try store()
        let entry = try Self.entry()
        for _ in 0..<5 { try await store.give([entry], by: Self.account(1)) }
        try await store.give([Self.entry("Yank Sing", ["dumplings", "private"])], by: Self.account(2))
        #expect(try await store.find("yank", limit: 20).isEmpty)
        // Another title is another entry: no account names a page that others gave.
        try await store.give([Self.entry("Bought")], by: Self.account(3))
        #expect(try await store.find("yank", limit: 20).isEmpty)
        try await store.give([entry], by: Self.account(3))
        for text in ["yank SING", "dumplings", "reviews", "yank \"sing\" OR"] {
            let found = try await store.find(text, limit: 20)
            #expect(found == (text.hasSuffix("OR") ? [] : [entry]), "\(text)")
        }
        #expect(try await store.find("private", limit: 20).isEmpty)
        #expect(try await store.find("bought", limit: 20).isEmpty)
        #expect(try await store.find("*()\"", limit: 20).isEmpty)
        try await store.takeBack([entry], of: Self.account(2))
        #expect(try await store.find("yank", limit: 20).isEmpty)
        try await store.give([entry], by: Self.account(4))
        #expect(try await store.find("yank", limit: 20) == [entry])
        try await store.takeBackAll(of: Self.account(4))
        #expect(try await store.find("yank", limit: 20).isEmpty)
        store.close()
    }

    @Test("who does not give again within 90 days is not counted, and the last one takes the entry along")
    func expiry() async throws {
        let store = try store()
        for number in 1...3 { try await store.give([Self.entry()], by: Self.account(number)) }
        time.days.withLock { $0 += 91 }
        try await store.give([Self.entry("Other")], by: Self.account(1))
        #expect(try await store.find("yank", limit: 20).isEmpty)
        try await store.takeBackAll(of: Self.account(1))
        store.close()
        let queue = try DatabaseQueue(path: directory.file("public-index.sqlite"))
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entry") } == 0)
    }

    @Test("the file has nothing of an account that is the same in two entries")
    func marks() async throws {
        let store = try store()
        let account = Self.account(7)
        try await store.give([Self.entry(), Self.entry("Other")], by: account)
        store.close()
        let queue = try DatabaseQueue(path: directory.file("public-index.sqlite"))
        let marks = try await queue.read { try Data.fetchAll($0, sql: "SELECT mark FROM giver") }
        #expect(Set(marks).count == 2)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file("public-index.sqlite")))
        #expect(bytes.range(of: Data(account.rawValue.utf8)) == nil)
    }
}
