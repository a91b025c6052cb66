import BatonCore
import BatonTestSupport
import BatonWire
import CloudConformance
import Foundation
import Synchronization
import Testing

@testable import BatonCloud

/// Additional duties of a database that several nodes share.
@Suite("Nodes over PostgreSQL", .serialized) struct PostgreSQLStoreTests {
    private static let account = AccountID(unchecked: String(repeating: "A", count: 26))
    private static func zone(_ number: UInt8) -> ZoneID { ZoneID(unchecked: Data(repeating: number, count: 32)) }
    private static func item(_ number: Int) -> ItemID {
        ItemID(unchecked: Data(count: 24) + withUnsafeBytes(of: number.bigEndian) { Data($0) })
    }
    private static func put(_ item: Int, replaces: UInt64 = 0) -> WriteBatch {
        WriteBatch(
            key: StoreRules.systemRandom(16),
            writes: [
                ItemWrite(self.item(item), replaces: replaces, content: ItemContent(sealed: Data("\(item)".utf8)))
            ])
    }

    /// The events that a node received.
    private final class Node: Sendable {
        let store: PostgreSQLItemStore
        private let heard: Heard
        private let read = Mutex(0)

        private final class Heard: Sendable {
            let changes = Mutex<[ZoneChange]>([])
            let lines = Lines()
        }

        init(_ place: String, rules: StoreRules = StoreRules()) throws {
            let heard = Heard()
            self.heard = heard
            store = try PostgreSQLItemStore(
                location: place, rules: rules,
                observer: { _, change in
                    heard.changes.withLock { $0.append(change) }
                    heard.lines.add("change")
                }, news: { heard.lines.add("\($0)") })
        }

        var changes: [ZoneChange] { heard.changes.withLock { $0 } }
        var heads: [UInt64] { changes.compactMap { if case .moved(let head) = $0 { head.head } else { nil } } }

        func waitForHead(_ head: UInt64) async throws {
            _ = try await within(.seconds(20), "head \(head), after \(heads)") { [self] in
                try await heard.lines.expect { _ in heads.contains { $0 >= head } ? true : nil }
            }
        }
        /// After those that were waited for before.
        func waitFor(_ news: StoreNews) async throws {
            let start = read.withLock { $0 }
            let line = try await within(.seconds(30), "\(news)") { [heard] in
                try await heard.lines.first(from: start) { $0 == "\(news)" ? true : nil }
            }
            read.withLock { $0 = line?.next ?? start }
        }
    }

    @Test("Nodes that write to one zone at once make one order, and each reads all of it and hears it in that order")
    func oneOrder() async throws {
        let place = try await PostgreSQLServer.shared.value.place()
        let nodes = try (0..<2).map { _ in try Node(place) }
        defer { for node in nodes { node.store.close() } }
        _ = try await nodes[0].store.addAccount(
            Self.account, rootKey: Data([4]), statements: [.sample], invitation: nil)
        let (writers, each) = (8, 25)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for number in 0..<each {
                        let batch = Self.put(1000 * writer + number)
                        let outcome = try await nodes[writer % 2].store.write(batch, to: Self.zone(1), of: Self.account)
                        guard case .written = outcome else { throw IntegrationFailure("a conflict") }
                    }
                }
            }
            for node in nodes {
                group.addTask {
                    var cursor: ZoneCursor?
                    var seen = 0
                    while seen < writers * each {
                        do {
                            let page = try await node.store.changes(
                                after: cursor, in: Self.zone(1), of: Self.account,
                                limit: PageLimit(items: 9, bytes: 1 << 20))
                            let start = cursor?.position ?? 0
                            let versions = [start] + page.items.map(\.version)
                            #expect(zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 })
                            seen += page.items.count
                            cursor = page.cursor
                        } catch let error as BatonError where error.reason == "unknown_zone" {}
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        let head = try #require(try await nodes[0].store.zones(of: Self.account).first?.head)
        // Each node's first write went on far ahead, once.
        #expect((1 << 32..<1 << 34).contains(head) || head == UInt64(writers * each))
        for node in nodes {
            try await node.waitForHead(head)
            #expect(node.heads == node.heads.sorted() && Set(node.heads).count == node.heads.count)
        }
        let usage = try await nodes[1].store.usage(of: Self.account)
        #expect(usage.items == writers * each && usage.zones == 1)
        #expect(try PostgreSQLVerification.findings(location: place) == [])
    }

    @Test("A node hears of zones, statements and accounts that others change, and knows the same secret")
    func news() async throws {
        let place = try await PostgreSQLServer.shared.value.place()
        let nodes = try (0..<2).map { _ in try Node(place) }
        defer { for node in nodes { node.store.close() } }
        let (first, second) = (nodes[0].store, nodes[1].store)
        let secret = try await first.secret()
        #expect(try await second.secret() == secret)
        let use = OneUse(name: Data("challenge".utf8), expires: .max >> 1)
        try await first.use(use)
        await expectRefusal("used_already", .permissionDenied) { try await second.use(use) }
        _ = try await first.addAccount(Self.account, rootKey: Data([4]), statements: [], invitation: nil)
        for number in 1...3 { _ = try await first.write(Self.put(number), to: Self.zone(1), of: Self.account) }
        try await nodes[1].waitForHead(3)
        try await first.removeZone(Self.zone(1), of: Self.account)
        // Made again at once by the other: what is heard last is what is.
        _ = try await second.write(Self.put(9), to: Self.zone(1), of: Self.account)
        var statement = Baton_Link_V1_SignedStatement()
        statement.statement = Data([1])
        try await first.addStatements([statement], to: Self.account)
        try await nodes[1].waitFor(.membership(Self.account))
        try await second.addStatements([statement], to: Self.account)
        try await nodes[0].waitFor(.membership(Self.account))
        for node in nodes {
            guard case .moved(let head) = node.changes.last else {
                Issue.record("a zone that is there was told as gone: \(node.changes)")
                continue
            }
            #expect(head.head == 1)
        }
        try await second.removeAccount(Self.account)
        try await nodes[0].waitFor(.accountGone(Self.account))
    }

    @Test("While the server is down calls are refused; when it is back the same node goes on, and nothing is lost")
    func restart() async throws {
        let server = try await PostgreSQLServer()
        let place = try await server.place()
        let node = try Node(place)
        do {
            _ = try await node.store.addAccount(Self.account, rootKey: Data([4]), statements: [], invitation: nil)
            let batch = Self.put(1)
            let first = try await node.store.write(batch, to: Self.zone(1), of: Self.account)
            for signal in ["QUIT", "INT"] {
                try await server.stop(signal)
                await expectRefusal("database_unavailable", .unavailable) {
                    try await node.store.write(Self.put(2), to: Self.zone(1), of: Self.account)
                }
                await expectRefusal("database_unavailable", .unavailable) {
                    try await node.store.usage(of: Self.account)
                }
                try await node.waitFor(.interrupted)
                try await server.start()
                #expect(try await node.store.write(batch, to: Self.zone(1), of: Self.account) == first)
                #expect(try await node.store.usage(of: Self.account).items == 1)
                try await node.waitFor(.resumed)
            }
            let other = try PostgreSQLItemStore(location: place, rules: StoreRules())
            _ = try await other.write(Self.put(3), to: Self.zone(1), of: Self.account)
            other.close()
            try await node.waitForHead(2)
        } catch {
            Issue.record(error)
        }
        node.store.close()
        await server.end()
    }

    @Test("Blobs that a node collects are its own until it is late")
    func collecting() async throws {
        let place = try await PostgreSQLServer.shared.value.place()
        let clock = ManualClock()
        let nodes = try (0..<2).map { _ in try Node(place, rules: StoreRules(clock: clock.clock)) }
        defer { for node in nodes { node.store.close() } }
        let (first, second) = (nodes[0].store, nodes[1].store)
        _ = try await first.addAccount(Self.account, rootKey: Data([4]), statements: [], invitation: nil)
        let hash = BlobHash(of: Data("blob".utf8))
        _ = try await first.beginBlob(hash, size: 4, of: Self.account)
        try await first.finishBlob(hash, size: 4, of: Self.account)
        clock.advance(days: 2)
        let given = try await first.giveUpBlobs(limit: 10)
        #expect(given.map(\.hash) == [hash])
        #expect(try await second.giveUpBlobs(limit: 10) == [])
        clock.advance(milliseconds: PostgreSQLItemStore.collecting + 1)
        #expect(try await second.giveUpBlobs(limit: 10) == given)
        // The first is late: it forgets nothing that the other has.
        try await first.forgetBlobs(given)
        #expect(try await second.blobs([hash], of: Self.account)[hash]?.standing == .removing)
        try await second.forgetBlobs(given)
        #expect(try await first.blobs([hash], of: Self.account)[hash] == nil)
    }

    @Test("Accounts are spread over databases, found again by every node, and one that has no place for one says so")
    func placement() async throws {
        let server = try await PostgreSQLServer.shared.value
        let places = [try await server.place(), try await server.place()]
        func node(_ places: [String]) throws -> ShardedItemStore {
            try ShardedItemStore(try places.map { try PostgreSQLItemStore(location: $0, rules: StoreRules()) })
        }
        let (first, second) = (try node(places), try node(places))
        let lonely = try node([places[0]])
        defer { for node in [first, second, lonely] { node.close() } }
        let accounts = "ABCDEF".map { AccountID(unchecked: String(repeating: $0, count: 26)) }
        for account in accounts {
            _ = try await first.addAccount(account, rootKey: Data([4]), statements: [], invitation: nil)
            _ = try await second.write(Self.put(1), to: Self.zone(1), of: account)
            await expectRefusal("account_exists", .alreadyExists) {
                try await second.addAccount(account, rootKey: Data([4]), statements: [], invitation: nil)
            }
        }
        for place in places {
            #expect(try await server.query("SELECT COUNT(*) FROM accounts", in: place) == ["3"])
        }
        var unnamed = 0
        for account in accounts {
            do {
                _ = try await lonely.usage(of: account)
            } catch let error as BatonError where error.reason == "database_not_named" {
                unnamed += 1
            }
        }
        #expect(unnamed == 3)
        // Deleted and registered again, maybe elsewhere, behind the back of a node that remembers.
        for account in accounts {
            try await first.removeAccount(account)
            await expectRefusal("unknown_account", .unauthenticated) { try await second.usage(of: account) }
            _ = try await first.addAccount(account, rootKey: Data([5]), statements: [], invitation: nil)
            #expect(try await second.account(account)?.rootKey == Data([5]))
        }
        #expect(throws: BatonError.self) { try node([places[0], places[0]]) }
    }

    @Test("A database of a newer version is left alone")
    func newer() async throws {
        let server = try await PostgreSQLServer.shared.value
        let place = try await server.place()
        try PostgreSQLItemStore(location: place, rules: StoreRules()).close()
        try await server.query("INSERT INTO baton_schema (version) VALUES (1000)", in: place)
        await expectRefusal("database_newer", .failedPrecondition) {
            try PostgreSQLItemStore(location: place, rules: StoreRules()).close()
        }
    }

    // MARK: Parts

    @Test("Superseded changes are not reported, and a repeated report is passed on once")
    func changeOrder() {
        var order = ChangeOrder(capacity: 2)
        let zones = (1...5).map { ChangeOrder.Zone(account: 1, zone: Self.zone($0)) }
        let first = [2, 2, 1].map { order.admits(zones[0], change: $0) }
        #expect(first == [true, false, false])
        let others = [zones[1], zones[2]].map { order.admits($0, change: 1) }
        #expect(others == [true, true])
        let remembered = order.admits(zones[0], change: 2)
        #expect(!remembered, "remembered a while")
        let ofAnother = order.admits(ChangeOrder.Zone(account: 2, zone: Self.zone(1)), change: 1)
        #expect(ofAnother)
    }

    @Test("Messages of nodes are read as they were written, and others are passed over")
    func messages() {
        let head = ZoneHead(zone: Self.zone(3), epoch: Data(repeating: 7, count: 16), head: 12)
        for message: NodeMessage in [
            .zone(Self.account, row: 5, number: 6, .moved(head)),
            .zone(Self.account, row: 5, number: 6, .gone(Self.zone(3))),
            .membership(Self.account), .accountGone(Self.account),
        ] {
            #expect(NodeMessage(message.text) == message)
            for length in 0..<message.text.count {
                #expect(NodeMessage(String(message.text.prefix(length))) != message)
            }
        }
        for text in ["", "moved", "gone A 1 2 3", "membership x", "other \(Self.account.rawValue)"] {
            #expect(NodeMessage(text) == nil)
        }
    }
}
