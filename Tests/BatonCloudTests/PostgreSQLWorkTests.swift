import BatonCore
import BatonTestSupport
import CloudConformance
import Foundation
import Testing

@testable import BatonCloud

/// The load of a node on its database: no more for a full zone than for a new one, and no statement that blocks all
/// others.
@Suite("The work of PostgreSQL", .serialized) struct PostgreSQLWorkTests {
    private static let zone = ZoneID(unchecked: Data(repeating: 1, count: 32))
    private static func account(_ letter: Character) -> AccountID {
        AccountID(unchecked: String(repeating: letter, count: 26))
    }
    private static func item(_ number: Int) -> ItemID {
        ItemID(unchecked: Data(count: 24) + withUnsafeBytes(of: number.bigEndian) { Data($0) })
    }
    private static func put(_ items: some Sequence<Int>) -> WriteBatch {
        WriteBatch(
            key: StoreRules.systemRandom(16),
            writes: items.map { ItemWrite(item($0), replaces: 0, content: ItemContent(sealed: Data("\($0)".utf8))) })
    }

    @Test("Writing, fetching and catching up read what they name and no more, also before there are statistics")
    func rowsRead() async throws {
        let server = try await PostgreSQLServer()
        do {
            // Nothing but what is asked for here: the statistics stay those of an empty database.
            try await server.query("ALTER SYSTEM SET autovacuum = off")
            try await server.query("SELECT pg_reload_conf()")
            let place = try await server.place()
            let (account, count, page) = (Self.account("A"), 3000, 100)
            let store = try PostgreSQLItemStore(location: place, rules: StoreRules())
            _ = try await store.addAccount(account, rootKey: Data([4]), statements: [], invitation: nil)
            for start in stride(from: 0, to: count, by: 500) {
                _ = try await store.write(Self.put(start..<start + 500), to: Self.zone, of: account)
            }
            for number in 0..<50 {
                let outcome = try await store.write(Self.put([count + number]), to: Self.zone, of: account)
                #expect(outcome == .written([UInt64(count + number + 1)]))
                let found = try await store.items([Self.item(number)], in: Self.zone, of: account)
                #expect(found.map(\.version) == [UInt64(number + 1)])
            }
            var cursor: ZoneCursor?
            var pages = 0
            while cursor?.position != UInt64(count + 50) {
                cursor = try await store.changes(
                    after: cursor, in: Self.zone, of: account, limit: PageLimit(items: page, bytes: 1 << 20)
                ).cursor
                pages += 1
            }
            #expect(pages == (count + 50 + page - 1) / page)
            store.close()
            // The work of connections is counted when they have ended.
            try await within(.seconds(20), "the store's connections to end") {
                while try await server.query(
                    "SELECT 1 FROM pg_stat_activity WHERE application_name = 'baton-cloud'") != []
                {}
            }
            let read = try await server.query(
                "SELECT relname, idx_tup_fetch + seq_tup_read FROM pg_stat_user_tables", in: place)
            let rows = Dictionary(
                read.map { $0.split(separator: "|") }.map { ($0[0], Int($0[1]) ?? .max) }
            ) { first, _ in first }
            #expect(try #require(rows["items"]) <= 50 + count + 50 + 2 * pages, "one of each page is the next one's")
            #expect(try #require(rows["answers"]) == 0)
        } catch {
            Issue.record(error)
        }
        await server.end()
    }

    @Test("While somebody else has locked an account, others are written")
    func lockedAccount() async throws {
        let place = try await PostgreSQLServer.shared.value.place()
        let store = try PostgreSQLItemStore(location: place, rules: StoreRules())
        defer { store.close() }
        let (locked, free) = (Self.account("A"), Self.account("B"))
        for account in [locked, free] {
            _ = try await store.addAccount(account, rootKey: Data([4]), statements: [], invitation: nil)
        }
        let other = try PostgreSQLConnection(place)
        _ = try other.run("BEGIN")
        _ = try other.run("SELECT id FROM accounts WHERE name = $1 FOR UPDATE", .text(locked.rawValue))
        async let late = store.write(Self.put([1]), to: Self.zone, of: locked)
        try await within(.seconds(5), "the writer to wait for the lock") {
            while try await PostgreSQLServer.shared.value.query(
                "SELECT 1 FROM pg_stat_activity WHERE application_name = 'baton-cloud' AND wait_event_type = 'Lock'")
                == []
            {}
        }
        // Well before the writer gives up waiting for the lock.
        try await within(.seconds(5), "others to be written") {
            for number in 1...20 {
                let outcome = try await store.write(Self.put([number]), to: Self.zone, of: free)
                #expect(outcome == .written([UInt64(number)]))
            }
        }
        _ = try other.run("COMMIT")
        let outcome = try await late
        #expect(outcome == .written([1]))
    }

    @Test("Messages between nodes fit into notifications and keep their order")
    func notifications() {
        let messages = (1...200).map { number in
            NodeMessage.zone(
                Self.account("A"), row: .max, number: UInt64(number),
                .moved(ZoneHead(zone: Self.zone, epoch: Data(count: 16), head: .max)))
        }
        let texts = NodeMessage.texts(messages)
        #expect(texts.allSatisfy { $0.utf8.count < 8000 })
        #expect(texts.count < 10)
        #expect(texts.flatMap(NodeMessage.messages) == messages)
        #expect(NodeMessage.texts([]) == [])
        #expect(NodeMessage.messages(in: "other 1\n" + messages[0].text + "\n") == [messages[0]])
    }
}
