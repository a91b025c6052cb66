package import BatonCloud
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Synchronization

/// A fresh store under test with two accounts, its clock, and the notifications of its observer.
package final class ItemStoreBench: Sendable {
    /// Makes a copy of a store that is open.
    /// - Returns: opens a store on the copy, as a server does that is started on a folder that was put back.
    package typealias Copying =
        @Sendable (any ItemStore) async throws -> (
            @Sendable (StoreRules, @escaping ZoneObserver) async throws -> any ItemStore
        )

    let clock: ManualClock
    private let rules: StoreRules
    private let copying: Copying
    private let open: Mutex<any ItemStore>
    private let told: Told
    private let random: Mutex<SeededGenerator>

    private final class Told: Sendable {
        let changes = Mutex<[(AccountID, ZoneChange)]>([])
    }

    static let day: UInt64 = 86_400_000
    static let account = AccountID(unchecked: String(repeating: "A", count: 26))
    static let other = AccountID(unchecked: String(repeating: "B", count: 26))

    package var store: any ItemStore { open.withLock { $0 } }

    /// - Parameter make: opens an empty store.
    package init(
        quota: UInt64 = 1 << 20, seed: UInt64 = 1,
        copying: @escaping Copying = { _ in throw ConformanceFailure(description: "it cannot be copied") },
        make: (StoreRules, @escaping ZoneObserver) async throws -> any ItemStore
    ) async throws {
        clock = ManualClock()
        random = Mutex(SeededGenerator(seed: seed))
        var rules = StoreRules(clock: clock.clock)
        rules.quota = quota
        rules.zonesPerAccount = 4
        rules.conflictBytes = 10_000
        rules.leavingOverQuota = 10_000
        self.rules = rules
        self.copying = copying
        let told = Told()
        self.told = told
        let store = try await make(rules) { account, change in told.changes.withLock { $0.append((account, change)) } }
        open = Mutex(store)
        for account in [Self.account, Self.other] {
            _ = try await store.addAccount(account, rootKey: Data([4]), statements: [], invitation: nil)
        }
    }

    /// - Returns: puts back what there is now: from then on ``store`` is another one.
    func copy() async throws -> @Sendable () async throws -> Void {
        let start = try await copying(store)
        return { [self] in
            let store = try await start(rules) { [told] account, change in
                told.changes.withLock { $0.append((account, change)) }
            }
            open.withLock { $0 = store }
        }
    }

    /// As a server that ends and starts.
    func restart() async throws { try await copy()() }

    var changes: [ZoneChange] { told.changes.withLock { $0.map(\.1) } }

    // MARK: Names

    func number(below bound: Int) -> Int { random.withLock { Int.random(in: 0..<bound, using: &$0) } }
    func key() -> Data { Data((0..<16).map { _ in UInt8(number(below: 256)) }) }
    static func name(_ number: Int) -> Data {
        Data(repeating: 0, count: 24) + withUnsafeBytes(of: number.bigEndian) { Data($0) }
    }
    static func zone(_ number: Int) -> ZoneID { ZoneID(unchecked: name(number)) }
    static func item(_ number: Int) -> ItemID { ItemID(unchecked: name(number)) }

    // MARK: Calls

    func write(
        _ writes: [ItemWrite], zone: Int = 1, key: Data? = nil, of account: AccountID = account
    ) async throws -> WriteOutcome {
        try await store.write(WriteBatch(key: key ?? self.key(), writes: writes), to: Self.zone(zone), of: account)
    }

    /// Writes one item, which must succeed.
    @discardableResult
    func put(
        _ item: Int, _ text: String = "", replaces: UInt64 = 0, blobs: [BlobHash] = [], zone: Int = 1,
        of account: AccountID = account
    ) async throws -> UInt64 {
        let outcome = try await write(
            [Self.putting(item, text, replaces: replaces, blobs: blobs)], zone: zone, of: account)
        guard case .written(let versions) = outcome, let version = versions.first else {
            throw ConformanceFailure(description: "a write of item \(item) met \(outcome)")
        }
        return version
    }

    @discardableResult
    func delete(_ item: Int, replaces: UInt64, zone: Int = 1) async throws -> UInt64 {
        guard case .written(let versions) = try await write([Self.deleting(item, replaces: replaces)], zone: zone),
            let version = versions.first
        else { throw ConformanceFailure(description: "a deletion of item \(item) met a conflict") }
        return version
    }

    static func putting(
        _ item: Int, _ text: String, replaces: UInt64 = 0, blobs: [BlobHash] = []
    ) -> ItemWrite {
        ItemWrite(self.item(item), replaces: replaces, content: ItemContent(sealed: Data(text.utf8), blobs: blobs))
    }

    static func deleting(_ item: Int, saying tombstone: String? = nil, replaces: UInt64) -> ItemWrite {
        ItemWrite(
            self.item(item), replaces: replaces, content: nil, tombstone: tombstone.map { Data($0.utf8) })
    }

    func page(
        after cursor: ZoneCursor? = nil, zone: Int = 1, items: Int = 500, bytes: Int = 1 << 20,
        of account: AccountID = account
    ) async throws -> ChangePage {
        try await store.changes(
            after: cursor, in: Self.zone(zone), of: account, limit: PageLimit(items: items, bytes: bytes))
    }

    func head(_ zone: Int = 1) async throws -> ZoneHead? {
        try await store.zones(of: Self.account).first { $0.zone == Self.zone(zone) }
    }

    /// Until nothing is left to remove.
    func sweep() async throws {
        for _ in 0..<1000 where try await !store.sweep() { return }
        throw ConformanceFailure(description: "sweeping does not end")
    }

    func upload(_ text: String) async throws -> BlobHash {
        let hash = BlobHash(of: Data(text.utf8))
        _ = try await store.beginBlob(hash, size: UInt64(text.utf8.count), of: Self.account)
        try await store.finishBlob(hash, size: UInt64(text.utf8.count), of: Self.account)
        return hash
    }

    /// Collects blobs and removes their bytes.
    func collect() async throws -> Set<BlobHash> {
        let addresses = try await store.giveUpBlobs(limit: 100)
        try await store.forgetBlobs(addresses)
        return Set(addresses.map(\.hash))
    }
}

extension ChangePage {
    /// The numbers of the items, in order.
    var numbers: [Int] { items.map { $0.id.bytes.suffix(8).reduce(0) { $0 << 8 | Int($1) } } }
}
