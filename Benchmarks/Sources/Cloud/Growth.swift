import BatonCloud
import BatonCore
import Crypto
import Foundation
import GRDB

/// The cost of a change in a cloud's store as accounts grow, and how fast one is read from its start; in process,
/// without the network.
final class Growth {
    /// An account with one zone of so many items.
    private struct Account {
        let id: AccountID
        let size: Int
        var head: ZoneHead
        var incarnation: UInt64
        /// The versions of items that were changed since they were made, when their version was their number.
        var versions: [Int: UInt64] = [:]
    }

    private static let zone = ZoneID(unchecked: Data(repeating: 1, count: 32))
    private static let page = PageLimit(items: 500, bytes: 4 << 20)

    private let path: String
    private let store: SQLiteItemStore
    private var accounts: [Account] = []
    private var generator = SystemRandomNumberGenerator()

    init(folder: String) throws {
        path = folder + "/growth.sqlite"
        store = try SQLiteItemStore(path: path, rules: StoreRules())
    }

    /// - Parameter sizes: the first is the measure of the others.
    static func run(folder: String, sizes: [Int], blocks: Int, count: Int) async throws {
        let growth = try Growth(folder: folder)
        for size in sizes {
            let begin = monotonicNanoseconds()
            try await growth.fill(size)
            Lines.print(["event": "filled", "size": size, "ns": Int(monotonicNanoseconds() - begin)])
        }
        for _ in 0..<blocks {
            for index in sizes.indices.dropFirst() {
                let before = try await growth.change(0, count)
                let block = try await growth.change(index, count)
                let after = try await growth.change(0, count)
                Lines.print([
                    "event": "changed", "size": sizes[index], "before": before.map { $0.total },
                    "times": block.map { $0.total },
                    "after": after.map { $0.total }, "reads": block.map { $0.read },
                    "before_reads": (before + after).map { $0.read },
                ])
            }
        }
        for _ in 0..<3 {
            let before = try growth.readBare()
            let read = try await growth.catchUp()
            let after = try growth.readBare()
            Lines.print(["event": "caught_up", "items": sizes.max() ?? 0, "before": before, "ns": read, "after": after])
        }
        try growth.store.close()
    }

    private static func item(_ number: Int) -> ItemID {
        ItemID(unchecked: Data(withUnsafeBytes(of: number.bigEndian) { SHA256.hash(data: Data($0)) }))
    }

    private static func write(_ number: Int, replaces: UInt64) -> ItemWrite {
        ItemWrite(item(number), replaces: replaces, content: ItemContent(sealed: Data(repeating: 0x5A, count: 200)))
    }

    private func fill(_ size: Int) async throws {
        let letter = Character(UnicodeScalar(UInt8(ascii: "A") + UInt8(accounts.count)))
        let account = AccountID(unchecked: String(repeating: letter, count: 26))
        _ = try await store.addAccount(account, rootKey: Data([4]), statements: [], invitation: nil)
        for first in stride(from: 0, to: size, by: 500) {
            let writes = (first..<min(size, first + 500)).map { Self.write($0, replaces: 0) }
            _ = try await store.write(
                WriteBatch(key: CloudDevice.randomBytes(16), writes: writes), to: Self.zone, of: account)
        }
        guard let head = try await store.zones(of: account).first, head.head == UInt64(size) else {
            throw BatonError(.internal, reason: "not_filled", "The account does not have what was written.")
        }
        let page = try await store.changes(after: nil, in: Self.zone, of: account, limit: Self.page)
        accounts.append(Account(id: account, size: size, head: head, incarnation: page.cursor.incarnation))
    }

    /// Writes an item that is there, and fetches what changed since: so many times.
    /// - Returns: the nanoseconds of both, and of the fetch.
    private func change(_ index: Int, _ count: Int) async throws -> [(total: Int, read: Int)] {
        var times: [(Int, Int)] = []
        for _ in 0..<count {
            let account = accounts[index]
            let number = Int.random(in: 0..<account.size, using: &generator)
            let write = Self.write(number, replaces: account.versions[number] ?? UInt64(number) + 1)
            let cursor = ZoneCursor(
                epoch: account.head.epoch, position: account.head.head, floor: account.head.head,
                incarnation: account.incarnation)
            let batch = WriteBatch(key: CloudDevice.randomBytes(16), writes: [write])
            let begin = monotonicNanoseconds()
            let outcome = try await store.write(batch, to: Self.zone, of: account.id)
            let written = monotonicNanoseconds()
            let page = try await store.changes(after: cursor, in: Self.zone, of: account.id, limit: Self.page)
            let end = monotonicNanoseconds()
            guard case .written(let versions) = outcome, page.items.map(\.version) == versions else {
                throw BatonError(.internal, reason: "not_changed", "The store does not tell what was written.")
            }
            accounts[index].versions[number] = versions[0]
            accounts[index].head.head = versions[0]
            times.append((Int(end - begin), Int(end - written)))
        }
        return times
    }

    /// The largest account, from the empty cursor to its end.
    private func catchUp() async throws -> Int {
        guard let account = accounts.max(by: { $0.size < $1.size }) else { return 0 }
        let begin = monotonicNanoseconds()
        var cursor: ZoneCursor?
        var count = 0
        while true {
            let page = try await store.changes(after: cursor, in: Self.zone, of: account.id, limit: Self.page)
            count += page.items.count
            cursor = page.cursor
            if !page.hasMore { break }
        }
        guard count == account.size else {
            throw BatonError(.internal, reason: "not_told", "\(count) items were told of \(account.size).")
        }
        return Int(monotonicNanoseconds() - begin)
    }

    /// The same rows, in the same order, by one statement of bare SQLite.
    private func readBare() throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        let begin = monotonicNanoseconds()
        let bytes = try queue.read { database in
            let zone = try Int64.fetchOne(database, sql: "SELECT id FROM zones ORDER BY items DESC LIMIT 1")
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT name, version, written, deleted, sealed, blobs FROM items WHERE zone = ? ORDER BY version",
                arguments: [zone])
            var bytes = 0
            while let row = try rows.next() { bytes += (row[0] as Data).count + (row[4] as Data).count }
            return bytes
        }
        precondition(bytes > 0, "there are rows")
        return Int(monotonicNanoseconds() - begin)
    }
}
