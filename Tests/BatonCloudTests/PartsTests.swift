import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import CloudConformance
import Crypto
import Foundation
import GRDB
import NIOPosix
import Synchronization
import Testing

@testable import BatonCloud

/// The parts of the cloud, each by itself.
@Suite("Parts of the cloud") struct PartsTests {
    private let rootKey = P256.Signing.PrivateKey().publicKey
    private let caller: CloudCaller
    private let zone = ZoneID(unchecked: Data(repeating: 1, count: 32))

    init() {
        caller = CloudCaller(
            account: AccountID(rootKey: rootKey),
            device: DeviceID(unchecked: String(repeating: "B", count: 26)))
    }

    private func head(_ number: UInt64, zone: Int = 1) -> ZoneChange {
        .moved(
            ZoneHead(
                zone: ZoneID(unchecked: Data(repeating: UInt8(zone), count: 32)), epoch: Data(count: 16), head: number))
    }

    // MARK: Tokens

    @Test("Tokens, challenges and invitations are good for their time, for their device and on their server")
    func tokens() throws {
        let tokens = ServerTokens(secret: Data(repeating: 1, count: 32))
        let stranger = ServerTokens(secret: Data(repeating: 2, count: 32))
        let (token, expires) = tokens.token(for: caller, now: 1000)
        let text = "Bearer " + Base64URL.encode(token)
        #expect(expires == 3_601_000)
        #expect(try tokens.caller(authorization: text, now: 3_600_999) == caller)
        #expect(throws: BatonError.self) { try tokens.caller(authorization: text, now: 3_601_000) }
        #expect(throws: BatonError.self) { try stranger.caller(authorization: text, now: 1000) }
        let challenge = tokens.challenge(for: caller, now: 1000)
        let use = try tokens.check(challenge: challenge, of: caller, now: 61_000)
        #expect(use.expires == 61_000)
        #expect(throws: BatonError.self) { try tokens.check(challenge: challenge, of: caller, now: 61_001) }
        #expect(throws: BatonError.self) { try stranger.check(challenge: challenge, of: caller, now: 1000) }
        var other = caller
        other.device = DeviceID(unchecked: String(repeating: "C", count: 26))
        #expect(throws: BatonError.self) { try tokens.check(challenge: challenge, of: other, now: 1000) }
        // One is not taken for the other, though both are MACs of the same server.
        #expect(throws: BatonError.self) {
            try tokens.caller(authorization: "Bearer " + Base64URL.encode(challenge), now: 0)
        }
        let invitation = tokens.invitation(expires: 5000)
        #expect(try tokens.check(invitation: invitation, now: 4999).expires == 5000)
        #expect(throws: BatonError.self) { try tokens.check(invitation: invitation, now: 5000) }
        #expect(throws: BatonError.self) { try stranger.check(invitation: invitation, now: 0) }
        // Each is one of its own, and none looks like an option of a command line.
        let many = Set((0..<400).map { _ in tokens.invitation(expires: 5000) })
        #expect(many.count == 400 && !many.contains { $0.hasPrefix("-") })
    }

    @Test("Anything that is no token is refused")
    func garbage() {
        var random = SeededGenerator(seed: 7)
        let tokens = ServerTokens(secret: Data(repeating: 1, count: 32))
        for length in 0..<200 {
            let bytes = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            #expect(throws: BatonError.self) {
                try tokens.caller(authorization: "Bearer " + Base64URL.encode(bytes), now: 0)
            }
            #expect(throws: BatonError.self) { try tokens.check(challenge: bytes, of: caller, now: 0) }
            #expect(throws: BatonError.self) { try tokens.check(invitation: Base64URL.encode(bytes), now: 0) }
            if length != 41 { #expect(throws: BatonError.self) { try ZoneCursor(decoding: bytes) } }
        }
        #expect(Base64URL.decode("a=") == nil && Base64URL.decode("a+b/") == nil && Base64URL.decode("ü") == nil)
    }

    @Test("A zone knows which versions it gave out, over any number of starts, of which it remembers the last ones")
    func history() {
        var history = ZoneHistory()
        // Made by a version that kept no history.
        var head: UInt64 = 7
        #expect(history.contains(7, head: head) && !history.contains(8, head: head))
        #expect(history.end(of: 0, head: head) == 7 && history.end(of: 1, head: head) == nil)
        var given: [(incarnation: UInt64, versions: ClosedRange<UInt64>)] = [(0, 1...7)]
        for _ in 0..<80 {
            let rules = StoreRules().withNewIncarnation()
            guard let start = history.begin(rules, head: head) else {
                Issue.record("an incarnation began twice")
                return
            }
            #expect(history.begin(rules, head: start) == nil)
            #expect(start >= head + 1 << 32)
            #expect(!history.contains(start, head: start + 3) && !history.contains(head + 1, head: start + 3))
            head = start + 3
            given.append((rules.incarnation, start + 1...head))
            history = ZoneHistory(decoding: history.encoded)
        }
        for (index, stretch) in given.enumerated() {
            let isKnown = index > given.count - 1 - ZoneHistory.maximumCount
            #expect(history.end(of: stretch.incarnation, head: head) == (isKnown ? stretch.versions.upperBound : nil))
            for version in stretch.versions { #expect(history.contains(version, head: head) == isKnown) }
        }
        #expect(!history.contains(head + 1, head: head))
        for length in 0..<100 {
            _ = ZoneHistory(decoding: Data(repeating: 0xFF, count: length)).contains(.max, head: .max)
        }
    }

    @Test("A cursor is read back as it was written")
    func cursor() throws {
        let cursor = ZoneCursor(epoch: Data((0..<16).map { $0 }), position: .max - 1, floor: 77, incarnation: .max - 9)
        #expect(try ZoneCursor(decoding: cursor.encoded) == cursor)
    }

    @Test(
        "Ranges of blobs",
        arguments: [
            ("bytes=0-9", 0..<10), ("bytes=90-", 90..<100), ("bytes=90-1000", 90..<100), ("bytes=-10", 90..<100),
            ("bytes=-1000", 0..<100), ("bytes=99-99", 99..<100), ("bytes=100-", nil), ("bytes=5-4", nil),
            ("bytes=-0", nil), ("bytes=-", nil), ("bytes=", nil), ("items=0-1", nil), ("bytes=0-1,5-6", nil),
            ("bytes=18446744073709551615-", nil), ("bytes=0-18446744073709551615", 0..<100),
        ] as [(String, Range<UInt64>?)])
    func ranges(text: String, expected: Range<UInt64>?) {
        #expect(BlobResource.range(text, of: 100) == expected)
    }

    @Test("So many calls a second, and no more at once than the burst")
    func rate() {
        let now = Mutex(ContinuousClock.now)
        let limiter = RateLimiter<Int>(perSecond: 10, burst: 20) { now.withLock { $0 } }
        #expect((0..<30).count { _ in limiter.admits(1) } == 20)
        #expect(limiter.admits(2))
        now.withLock { $0 += .milliseconds(500) }
        #expect((0..<30).count { _ in limiter.admits(1) } == 5)
        now.withLock { $0 += .seconds(60) }
        #expect((0..<30).count { _ in limiter.admits(1) } == 20)
        now.withLock { $0 += .seconds(60) }
        #expect(limiter.admits(1, cost: 15) && !limiter.admits(1, cost: 6) && limiter.admits(1, cost: 5))
        now.withLock { $0 += .seconds(60) }
        #expect(limiter.admits(1, cost: 1000), "what is worth more than may come at once takes all of it")
        #expect(!limiter.admits(1))
    }

    // MARK: Subscriptions

    @Test("A slow subscriber gets one event for each zone, the newest")
    func coalescing() async throws {
        let hub = ChangeHub()
        let subscription = try hub.subscribe(caller, zones: [])
        for number: UInt64 in 1...1000 { hub.publish(caller.account, head(number)) }
        hub.publish(caller.account, head(5, zone: 2))
        hub.publish(caller.account, .gone(zone))
        hub.membershipChanged(caller.account)
        #expect(try await subscription.next() == [.membership, .zone(.gone(zone)), .zone(head(5, zone: 2))])
        hub.publish(caller.account, head(1))
        #expect(try await subscription.next() == [.zone(head(1))])
        hub.leave(subscription)
        #expect(hub.count == 0)
    }

    @Test("A subscriber hears of its own account and of the zones that it named")
    func filter() async throws {
        let hub = ChangeHub()
        let subscription = try hub.subscribe(caller, zones: [zone])
        hub.publish(AccountID(unchecked: String(repeating: "Z", count: 26)), head(9))
        hub.publish(caller.account, head(9, zone: 2))
        hub.publish(caller.account, head(1))
        #expect(try await subscription.next() == [.zone(head(1))])
    }

    @Test("A subscriber that waits is woken by news, by its end and by cancellation")
    func waking() async throws {
        let hub = ChangeHub()
        let subscription = try hub.subscribe(caller, zones: [])
        for number: UInt64 in 1...200 {
            async let news = subscription.next()
            hub.publish(caller.account, head(number))
            let told = try await news
            #expect(told == [.zone(head(number))])
        }
        let cancelled = Task { try await subscription.next() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let last = Task { try await subscription.next() }
        hub.end(caller, with: StoreRules.unknownAccount)
        await #expect(throws: BatonError.self) { try await last.value }
    }

    @Test("A subscriber for whom too much waits is told to begin again, and nothing piles up")
    func bound() async throws {
        let hub = ChangeHub()
        let subscription = try hub.subscribe(caller, zones: [])
        for number in 0...Subscription.maximumPending {
            var name = Data(count: 24)
            withUnsafeBytes(of: number.bigEndian) { name.append(contentsOf: $0) }
            hub.publish(caller.account, .gone(ZoneID(unchecked: name)))
        }
        await #expect(throws: BatonError.self) { try await subscription.next() }
    }

    // MARK: SQLite

    private func open(
        _ folder: TemporaryDirectory, _ observer: @escaping ZoneObserver = { _, _ in }
    ) throws -> SQLiteItemStore {
        try SQLiteItemStore(path: folder.file("cloud.sqlite"), rules: StoreRules(), observer: observer)
    }

    private func batch(_ text: String, replaces: UInt64 = 0, key: UInt8 = 1) -> WriteBatch {
        WriteBatch(
            key: Data(repeating: key, count: 16),
            writes: [
                ItemWrite(
                    ItemID(unchecked: Data(repeating: 9, count: 32)), replaces: replaces,
                    content: ItemContent(sealed: Data(text.utf8)))
            ])
    }

    @Test("Writes are there after the database is opened again, answers to repetitions too")
    func reopening() async throws {
        let folder = try TemporaryDirectory()
        let secret: Data
        do {
            let store = try open(folder)
            secret = try await store.secret()
            _ = try await store.addAccount(
                caller.account, rootKey: rootKey.x963Representation, statements: [.sample], invitation: nil)
            #expect(try await store.write(batch("a"), to: zone, of: caller.account) == .written([1]))
            try store.close()
            await #expect(throws: BatonError.self) { try await store.write(batch("b"), to: zone, of: caller.account) }
        }
        let store = try open(folder)
        #expect(try await store.secret() == secret)
        #expect(try await store.write(batch("a"), to: zone, of: caller.account) == .written([1]))
        let next = try await store.write(batch("b", replaces: 1, key: 2), to: zone, of: caller.account)
        guard case .written(let versions) = next, versions[0] > 1 << 32 else { throw IntegrationFailure("\(next)") }
        try store.close()
        #expect(try CloudDatabase.findings(path: folder.file("cloud.sqlite")) == [])
    }

    @Test("A failing write undoes nothing of the others in its transaction")
    func grouping() async throws {
        let folder = try TemporaryDirectory()
        let store = try open(folder)
        let pool = try CloudDatabase.open(folder.file("other.sqlite"), readers: 1)
        let writer = GroupCommit(pool: pool)
        _ = try await store.secret()
        try await writer.write { try $0.execute(sql: "CREATE TABLE numbers (n INTEGER PRIMARY KEY)") }
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let result: Void? = try? await writer.write { database in
                        try database.execute(sql: "INSERT INTO numbers (n) VALUES (?)", arguments: [number])
                        if number % 3 == 0 { throw StoreRules.missingBlob }
                    }
                    return result != nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let numbers = try await pool.read { try Int.fetchAll($0, sql: "SELECT n FROM numbers ORDER BY n") }
        #expect(outcomes.count { $0 } == 66 && numbers == (0..<100).filter { $0 % 3 != 0 })
        writer.close()
        await #expect(throws: BatonError.self) { try await writer.write { _ in } }
        try pool.close()
        try store.close()
    }

    @Test("A database that a newer server wrote is refused, and left as it is")
    func newer() async throws {
        let folder = try TemporaryDirectory()
        try open(folder).close()
        let queue = try DatabaseQueue(path: folder.file("cloud.sqlite"))
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('cloud-999')") }
        try queue.close()
        #expect { try open(folder) } throws: { ($0 as? BatonError)?.reason == "database_newer" }
    }

    @Test("A damaged file is found when it is met, refused, and `verify` names it")
    func damage() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("cloud.sqlite")
        do {
            let store = try open(folder)
            _ = try await store.addAccount(
                caller.account, rootKey: rootKey.x963Representation, statements: [.sample], invitation: nil)
            for number: UInt64 in 1...20 {
                let text = String(repeating: "x", count: 20_000)
                _ = try await store.write(
                    batch(text, replaces: number - 1, key: UInt8(number)), to: zone, of: caller.account)
            }
            try store.close()
        }
        #expect(try CloudDatabase.findings(path: path) == [])
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try file.seekToEnd()
        for offset in stride(from: UInt64(4096), to: size, by: 4096) {
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 64))
        }
        try file.close()
        let store = try? open(folder)
        if let store {
            await #expect { try await store.zones(of: caller.account) } throws: {
                ($0 as? BatonError)?.code == .dataLoss
            }
            try? store.close()
        }
        #expect(try !CloudDatabase.findings(path: path).isEmpty)
        try Data("no database at all, whatever its name says".utf8).write(
            to: URL(fileURLWithPath: folder.file("other")))
        #expect(try !CloudDatabase.findings(path: folder.file("other")).isEmpty)
    }

    // MARK: Blobs

    @Test("An upload interrupted by a crash never becomes a wrong blob")
    func leftovers() async throws {
        let folder = try TemporaryDirectory()
        let content = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) })
        let address = BlobAddress(space: try #require(BlobSpace("aa")), hash: BlobHash(of: content))
        let upload = folder.file("uploads/aa-\(address.hash.hexadecimal)")
        // Prefixes, and files that have their size but not all of their bytes.
        for length in stride(from: 0, through: 5000, by: 250) {
            for leftover in [content.prefix(length), content.prefix(length) + Data(count: 5000 - length)] {
                let store = try DirectoryBlobStore(directory: folder.path, threads: .singleton)
                try leftover.write(to: URL(fileURLWithPath: upload))
                let received = try await store.received(address)
                if received < 5000 {
                    try await store.append(content.dropFirst(Int(received)), to: address, at: received)
                }
                do {
                    try await store.finish(address)
                    #expect(try await store.read(address, range: 0..<5000) == content)
                    try await store.remove(address)
                } catch let error as BatonError {
                    #expect(error.reason == "blob_mismatch" && leftover.count == 5000 && leftover != content)
                    let (size, left) = (try await store.size(of: address), try await store.received(address))
                    #expect(size == nil && left == 0)
                }
            }
        }
    }

    @Test("A blob whose last step was missed is finished without its bytes, and one that is being removed comes again")
    func steps() async throws {
        let clock = ManualClock()
        let items = MemoryItemStore(rules: StoreRules(clock: clock.clock))
        let record = try await items.addAccount(caller.account, rootKey: Data(), statements: [], invitation: nil)
        let store = MemoryBlobStore()
        let blobs = CloudBlobs(items: items, store: store, limits: CloudLimits())
        let content = Data("blob".utf8)
        let hash = BlobHash(of: content)
        func begin(at offset: UInt64) async throws -> CloudBlobs.Upload? {
            try await blobs.begin(hash, size: 4, at: offset, of: caller.account, in: record.space)
        }
        var upload = try #require(try await begin(at: 0))
        try await blobs.append(content, to: &upload)
        // A crash between the two steps of the end.
        try await store.finish(upload.address)
        #expect(try await blobs.missing([hash], of: caller.account, in: record.space).map(\.received) == [4])
        var again = try #require(try await begin(at: 4))
        let end = try await blobs.finish(&again)
        #expect(end.isComplete)
        #expect(try await begin(at: 0) == nil)
        clock.advance(days: 2)
        #expect(try await blobs.collect(limit: 10) == 1)
        #expect(try await store.size(of: upload.address) == nil)
        #expect(try await blobs.missing([hash], of: caller.account, in: record.space).map(\.received) == [0])
    }

    // MARK: Membership

    @Test("A revocation counts at once, also when the disk refuses it, and is written with the next")
    func unsaved() async throws {
        let account = try TestAccount()
        let second = try account.admit()
        let store = FailingStatements(MemoryItemStore(rules: StoreRules()))
        _ = try await store.addAccount(
            account.id, rootKey: account.rootKey.publicKey.x963Representation, statements: account.statements,
            invitation: nil)
        let directory = MembershipDirectory(store: store)
        #expect(try await directory.entry(of: account.id).membership.isMember(second.id))
        try account.revoke(second)
        store.fails.withLock { $0 = true }
        #expect(try await directory.merge(account.statements, into: account.id).out == [second.id])
        await #expect(throws: BatonError.self) { try await directory.save(account.id) }
        #expect(try await !directory.entry(of: account.id).membership.isMember(second.id))
        #expect(try await store.account(account.id)?.statements.count == 2)
        store.fails.withLock { $0 = false }
        #expect(try await directory.merge(account.statements, into: account.id).hasChanged == false)
        try await directory.save(account.id)
        #expect(try await store.account(account.id)?.statements.count == 3)
    }
}
