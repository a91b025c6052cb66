import BatonCore
import BatonStore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf
import Sync
import Synchronization
import Testing

@testable import KeyValue

@Suite("Key-value service", .timeLimit(.minutes(2))) struct KeyValueServiceTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func store(
        _ name: String = "a", device: String? = nil, bounds: KeyValueBounds = .init()
    ) async throws
        -> TestStore
    { try await TestStore(folder.file(name + ".sqlite"), device: device, bounds: bounds) }

    @Test("Answered writes are on the disk: a service that starts anew has them, removals too (K-9, K-13)")
    func survivesRestart() async throws {
        var store = try await store(device: "B")
        let app = try await store.open()
        let deep = (0..<40).reduce(PropertyValue.string("x")) { value, _ in .dictionary([.string("k"): value]) }
        let values: [String: PropertyValue] = [
            "text": .string("VALUE IN THE CLOUD"), "number": .integer(-5), "real": .real(0.5), "flag": .boolean(true),
            "data": .data(Data([0, 255])), "date": .date(Date(timeIntervalSinceReferenceDate: 1)),
            "list": .array([.integer(1)]), "deep": deep, "nul\0key": .integer(1), "": .integer(2),
        ]
        for (key, value) in values { #expect(try await app.write(key, value) == .taken) }
        // No device needs to hear of a removal of a key that no other device ever had; so sync first.
        try await store.engine.sync()
        try await app.write("gone", .integer(1))
        try await app.write("gone", nil)
        try store.close()
        store = try await self.store(device: "B")
        #expect(try await store.open().values() == values)
        // The removal too, which other devices have to hear of.
        try await store.engine.sync()
        let item = try #require(store.engine.cloud.contents(of: store.zone)[":gone"])
        #expect(try Baton_Sync_V1_KeyValueItem(serializedBytes: item).kind == .removal(.init()))
        try store.close()
    }

    @Test("A store is its team's and identifier's own; two apps of a team with one identifier share it")
    func identity() async throws {
        let store = try await store()
        let others = [
            KeyValueStoreName(
                team: TeamIdentity(fingerprint: [UInt8](repeating: 8, count: 32)),
                identifier: BundleID(unchecked: "com.example.app")),
            KeyValueStoreName(team: .development, identifier: BundleID(unchecked: "com.example.app")),
            KeyValueStoreName(
                team: TeamIdentity(fingerprint: [UInt8](repeating: 7, count: 32)),
                identifier: BundleID(unchecked: "com.example.app2")),
        ]
        let app = try await store.open(1)
        try await app.write("key", .integer(1))
        for (index, name) in others.enumerated() {
            let other = try await store.open(Int32(index) + 2, .init(store: name, limits: .classic))
            #expect(try await other.values().isEmpty)
            try await other.write("key", .integer(2))
        }
        #expect(try await app.values() == ["key": .integer(1)])
        #expect(try await app.changes() == ["key": .unspecified])
        #expect(try await store.open(9).values() == ["key": .integer(1)])
        for name in others { #expect(KeyValueStoreName(rawValue: name.rawValue) == name) }
        for text in ["", "x", "development/", "development/a/b", "0A/com.example", "development/../x"] {
            #expect(KeyValueStoreName(rawValue: text) == nil)
        }
        try store.close()
    }

    @Test("Every process of the app hears of a write, a slow one of the last state only")
    func processes() async throws {
        let store = try await store()
        let (one, other) = (try await store.open(1), try await store.open(2))
        try await one.write("a", .integer(1))
        #expect(try await other.changes() == ["a": .unspecified])
        #expect(try await other.news().isEmpty)
        for number in 0..<100 { try await one.write("a", .integer(Int64(number))) }
        try await one.write("b", nil)
        try await one.write("c", .integer(5))
        try await one.write("c", nil)
        let news = try #require(try await other.news().first)
        #expect(news.entries.map(\.key) == ["a", "c"])
        #expect(try PropertyValue(news.entries[0].value) == .integer(99))
        #expect(!news.entries[1].hasValue)
        // Beyond what is remembered, everything is sent anew.
        other.subscriber.tell(
            Dictionary(uniqueKeysWithValues: (0...KeyValueSubscriber.maximumKeys).map { ("\($0)", nil) }))
        #expect(try await other.news().map(\.snapshot) == [true])
        try store.close()
    }

    @Test("A store that is deleted is gone from the disk and from what syncs; it is not while anybody has it open")
    func deletes() async throws {
        var store = try await store(device: "B")
        let name = TestStore.grant.store
        let app = try await store.open()
        try await app.write("key", .integer(1))
        let error = await #expect(throws: BatonError.self) { try await store.service.delete(name) }
        #expect(error?.reason == "store_in_use")
        store.service.close(app.subscriber)
        try await store.service.delete(name)
        #expect(try await !store.service.holds(name))
        #expect(try await !store.zones.keeps(store.zone))
        #expect(try await store.zones.zones().isEmpty)
        #expect(try await store.zones.pending(in: store.zone, limit: 10).isEmpty)
        try store.close()
        store = try await self.store(device: "B")
        #expect(try await !store.service.holds(name))
        // It can be made again, and is empty then.
        let again = try await store.open()
        #expect(try await again.values().isEmpty)
        try await again.write("key", .integer(2))
        #expect(try await again.values() == ["key": .integer(2)])
        try store.close()
    }

    @Test("The log says once for each process why it has no store, however often it asks (K-20)")
    func refusals() async throws {
        let recorder = RefusalRecorder()
        let database = try DaemonDatabase(path: folder.file("refusals.sqlite"), migrations: KeyValueService.migrations)
        let service = KeyValueService(database: database, recorder: recorder)
        let error = BatonError(.permissionDenied, reason: "no_key_value_store", "It needs the entitlement.")
        for processID: Int32 in [1, 1, 2, 1] {
            service.noteRefusal(
                error, of: PeerProcess(processID: processID, userID: 1, startTime: 1, executable: nil))
        }
        #expect(recorder.messages == ["It needs the entitlement.", "It needs the entitlement."])
        try database.close()
    }

    @Test("A value without room is refused, and the one of before stays (K-2, K-3, K-4, K-5, X-8)")
    func limits() async throws {
        let store = try await store()
        let app = try await store.open()
        try await app.write("key", .string("old"))
        #expect(try await app.write("key", .data(Data(count: (64 << 10) + 1))) == .refused)
        #expect(try await app.values() == ["key": .string("old")])
        #expect(try await app.write("key", .data(Data(count: 64 << 10))) == .taken)
        #expect(try await app.write("other", .boolean(true)) == .refused)
        await #expect(throws: BatonError.self) { try await app.write(String(repeating: "k", count: 65), .integer(1)) }
        var grant = TestStore.grant
        grant.limits = .intermediate
        let intermediate = try await store.open(3, grant)
        await #expect(throws: BatonError.self) {
            try await intermediate.write(String(repeating: "k", count: 65), .integer(1))
        }
        #expect(try await intermediate.write("large", .data(Data(count: 400 << 10))) == .taken)
        grant.limits = .present
        let present = try await store.open(2, grant)
        #expect(try await present.write(String(repeating: "k", count: 65), .data(Data(count: 500 << 10))) == .taken)
        // The value that the other app of the team filled may shrink here, and not grow.
        #expect(try await app.write("other", .boolean(true)) == .refused)
        #expect(try await app.write("key", nil) == .taken)
        try store.close()
    }

    @Test("A write that the disk does not take is not answered, not told, and leaves nothing behind")
    func diskFails() async throws {
        let store = try await store()
        let (app, other) = (try await store.open(1), try await store.open(2))
        try await app.write("key", .integer(1))
        _ = try await other.changes()
        try store.database.writeBlocking { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER full BEFORE INSERT ON key_value BEGIN SELECT RAISE(ABORT, 'full'); END;
                    """)
        }
        let error = await #expect(throws: BatonError.self) { try await app.write("key", .integer(2)) }
        #expect(error?.reason == "not_kept")
        #expect(try await other.news().isEmpty)
        #expect(try await app.values() == ["key": .integer(1)])
        try store.database.writeBlocking { try $0.execute(sql: "DROP TRIGGER full") }
        #expect(try await app.write("key", .integer(3)) == .taken)
        #expect(try await other.changes() == ["key": .unspecified])
        #expect(try await app.values() == ["key": .integer(3)])
        try store.close()
    }

    @Test("A thousand writes at once are all kept, in few transactions")
    func manyAtOnce() async throws {
        var store = try await store()
        let app = try await store.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 { group.addTask { try await app.write("\(number)", .integer(Int64(number))) } }
            try await group.waitForAll()
        }
        try store.close()
        store = try await self.store()
        #expect(try await store.open().values().count == 1000)
        try store.close()
    }

    // MARK: Apps that do not behave, and bounds

    @Test("A request with another process's handle, a key twice, or a value that is none changes nothing")
    func hostileRequests() async throws {
        let store = try await store()
        let app = try await store.open(1)
        let stranger = PeerProcess(processID: 2, userID: 1, startTime: 1, executable: nil)
        func reason(
            _ other: PeerProcess? = nil, _ change: (inout Baton_App_V1_WriteKeyValuesRequest) -> Void
        ) async
            -> String?
        {
            await #expect(throws: BatonError.self) { try await app.request(change, by: other) }?.reason
        }
        let write = Baton_App_V1_KeyValueWrite.with {
            $0.key = "key"
            $0.value.integer = 1
        }
        #expect(await reason(stranger) { $0.writes = [write] } == "other_process")
        #expect(await reason { $0.handle = SessionID.random().rawValue } == "unknown_store_handle")
        #expect(await reason { $0.handle = "x" } == "invalid_identifier")
        #expect(await reason { $0.writes = [write, write] } == "key_twice")
        // Composed and decomposed, it is one key.
        #expect(
            await reason { request in
                request.writes = ["\u{e9}", "e\u{301}"].map { key in .with { $0.key = key } }
            } == "key_twice")
        #expect(
            await reason { request in
                request.writes = [write, .with { $0.key = String(repeating: "k", count: 65) }]
            } == "key_too_long")
        #expect(
            await reason { request in
                request.writes = (0...2048).map { index in .with { $0.key = "\(index)" } }
            } == "too_many_writes")
        #expect(
            await reason { request in
                request.writes = [
                    .with {
                        $0.key = "key"
                        $0.value = .init()
                    }
                ]
            } == "invalid_property_value")
        #expect(try await app.values().isEmpty)
        #expect(try await app.news().isEmpty)
        // A clock that is ahead of the daemon's is none.
        let era = try await store.service.commitQueue.perform { try $0.find(TestStore.grant.store)?.replica.era }
        _ = try await app.request { request in
            request.era = era ?? 0
            var ahead = write
            ahead.key = "key"
            ahead.time = .max
            request.writes = [ahead]
        }
        let held = try await store.service.commitQueue.perform {
            try $0.find(TestStore.grant.store)?.replica.slots["key"]
        }
        #expect(held?.entry.stamp.time.milliseconds == store.now)
        service(store).close(app.subscriber)
        #expect(await reason { $0.writes = [write] } == "unknown_store_handle")
        try store.close()
    }

    private func service(_ store: TestStore) -> KeyValueService { store.service }

    @Test("Subscribers of a store and of a process are bounded; so are stores, of which an empty one gives way")
    func bounds() async throws {
        var bounds = KeyValueBounds()
        (bounds.stores, bounds.subscribersPerStore, bounds.subscribersPerProcess) = (3, 3, 2)
        let store = try await store(bounds: bounds)
        let apps = [try await store.open(1), try await store.open(1)]
        await #expect(throws: BatonError.self) { try await store.open(1) }
        _ = try await store.open(2)
        await #expect(throws: BatonError.self) { try await store.open(3) }
        store.service.close(apps[0].subscriber)
        _ = try await store.open(3)

        func grant(_ name: String) -> KeyValueGrant {
            .init(
                store: KeyValueStoreName(team: .development, identifier: BundleID(unchecked: name)), limits: .classic)
        }
        let other = try await store.open(10, grant("full"))
        try await other.write("key", .integer(1))
        store.service.close(other.subscriber)
        store.service.close(try await store.open(10, grant("empty")).subscriber)
        // In the place of the empty one; the other holds what no other device has.
        let last = try await store.open(10, grant("another"))
        let error = await #expect(throws: BatonError.self) { try await store.open(10, grant("more")) }
        #expect(error?.reason == "too_many_stores")
        #expect(try await last.values().isEmpty)
        #expect(try await store.open(11, grant("full")).values() == ["key": .integer(1)])
        try store.close()
    }

    @Test("Ten thousand keys are told in parts that fit, which make one change")
    func manyKeys() async throws {
        let store = try await store(device: "B")
        let items = try (0..<10_000).map { number in
            let entry = KeyValueEntry(
                value: .string("number \(number), " + String(repeating: "x", count: 200)),
                stamp: .init(
                    time: .init(milliseconds: store.now, counter: 0),
                    device: DeviceID(unchecked: String(repeating: "C", count: 26))))
            return IncomingItem(
                name: ":key \(number)", version: UInt64(number) + 1, content: try KeyValueWire.content(of: entry))
        }
        let app = try await store.open()
        try await store.zones.received(items, in: store.zone)
        try await store.zones.didFinishInitialFetch(store.zone, by: .cloud)
        let news = try await app.news()
        #expect(news.count > 1)
        #expect(news.map(\.more) == Array(repeating: true, count: news.count - 1) + [false])
        #expect(Set(news.flatMap(\.entries).map(\.key)).count == 10_000)
        #expect(try news.allSatisfy { try $0.serializedData().count < 2 << 20 })
        try store.close()
    }
}

private final class RefusalRecorder: EventRecorder {
    private let records = Mutex<[String]>([])

    var messages: [String] { records.withLock { $0 } }

    func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
        if (category, event) == ("key_value", "store_refused") { records.withLock { $0.append(message) } }
    }
}
