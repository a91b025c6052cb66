import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Sync
import Testing

@testable import KeyValue

@Suite("Key-value zones", .timeLimit(.minutes(2))) struct KeyValueZonesTests {
    private let folder: TemporaryDirectory
    private let cloud = MemoryCloud()

    init() throws { folder = try TemporaryDirectory() }

    private func store(_ name: String, device: String? = nil) async throws -> TestStore {
        try await TestStore(folder.file(name + ".sqlite"), device: device, cloud: cloud)
    }

    @Test("Values set on one device are announced to another one's apps, with the reason (K-12, K-14, K-15, K-16)")
    func throughTheCloud() async throws {
        let (here, there) = (try await store("a", device: "B"), try await store("b", device: "C"))
        let (one, other) = (try await here.open(), try await there.open())
        try await here.engine.sync()
        try await there.engine.sync()
        _ = here.engine.takeTriggered()
        try await one.write("key", .string("value"))
        #expect(here.engine.takeTriggered() == [here.zone])
        try await here.engine.sync()
        try await there.engine.sync()
        #expect(try await other.changes() == ["key": .server])
        #expect(try await other.values() == ["key": .string("value")])
        // It does not come back to where it was set as another's.
        #expect(try await one.changes() == ["key": .unspecified])
        try await other.write("key", nil)
        try await there.engine.sync()
        try await here.engine.sync()
        #expect(try await one.changes() == ["key": .server])
        #expect(try await one.values().isEmpty)
        #expect(try await here.zones.pending(in: here.zone, limit: 10).isEmpty)
        for store in [here, there] { try store.close() }
    }

    @Test("Values set before the first download are reported as held back, and since when; then they are to be written")
    func waitingForTheFirstDownload() async throws {
        let here = try await store("a", device: "B")
        let app = try await here.open()
        #expect(try await here.zones.early(in: here.zone) == nil)
        let start = here.now
        try await app.write("first", .integer(1))
        here.advance(by: 1000)
        try await app.write("second", .integer(2))
        #expect(try await here.zones.early(in: here.zone) == EarlyItems(count: 2, since: start))
        #expect(try await here.zones.pending(in: here.zone, limit: 10).isEmpty)
        try await here.zones.didFinishInitialFetch(here.zone, by: .cloud)
        #expect(try await here.zones.early(in: here.zone) == nil)
        #expect(try await here.zones.pending(in: here.zone, limit: 10).count == 2)
        try here.close()
    }

    @Test("The later of two devices' changes of one key wins on both, whoever writes first (K-18)")
    func conflicts() async throws {
        let (here, there) = (try await store("a", device: "B"), try await store("b", device: "C"))
        let (one, other) = (try await here.open(), try await there.open())
        for store in [here, there] { try await store.engine.sync() }
        try await one.write("first", .string("earlier"))
        there.advance(by: 10)
        try await other.write("first", .string("later"))
        try await other.write("second", .string("earlier"))
        here.advance(by: 20)
        try await one.write("second", .string("later"))
        for store in [here, there, here] { try await store.engine.sync() }
        for app in [one, other] {
            #expect(try await app.values() == ["first": .string("later"), "second": .string("later")])
        }
        #expect(try await here.zones.digest(of: here.zone) == there.zones.digest(of: there.zone))
        for store in [here, there] { try store.close() }
    }

    @Test("The first download has the last word about early writes, and the app is told that it was that (K-16)")
    func initialSync() async throws {
        let here = try await store("a", device: "B")
        let one = try await here.open()
        try await one.write("key", .string("account's"))
        try await here.engine.sync()

        let there = try await store("b")
        #expect(try await there.zones.zones().isEmpty)
        let other = try await there.open()
        there.advance(by: 1_000_000)
        try await other.write("key", .string("early"))
        try await other.write("mine", .string("only here"))
        #expect(try await other.values().count == 2)
        _ = try await other.changes()
        try await there.signIn("C")
        // Nothing goes out before everything has come.
        #expect(try await there.zones.pending(in: there.zone, limit: 10).isEmpty)
        _ = try await other.changes()
        try await there.engine.sync()
        #expect(try await other.changes()["key"] == .initialSync)
        #expect(try await other.values() == ["key": .string("account's"), "mine": .string("only here")])
        try await here.engine.sync()
        #expect(try await one.values()["mine"] == .string("only here"))
        for store in [here, there] { try store.close() }
    }

    @Test("Another account's values take the place of the former one's, also what a process had not told yet (K-16)")
    func accounts() async throws {
        var here = try await store("a", device: "B")
        let one = try await here.open()
        try await one.write("key", .integer(1))
        try await here.engine.sync()
        _ = try await one.news()
        let era = try await here.service.commitQueue.perform { try $0.find(TestStore.grant.store)?.replica.era }
        try await here.signIn("B", TestStore.otherAccount)
        let news = try await one.news()
        #expect(news.flatMap(\.entries).map(\.reason) == [.account])
        #expect(news.first?.era != era)
        #expect(try await one.write("key", .integer(2), era: era) == .superseded)
        #expect(try await one.values().isEmpty)
        try await one.write("new", .integer(3))
        try here.close()

        // While the daemon was away, the device lost its account.
        here = try await store("a")
        #expect(try await here.open().values().isEmpty)
        let count = try await here.service.commitQueue.perform {
            try $0.find(TestStore.grant.store)?.replica.slots.count
        }
        #expect(count == 0)
        try here.close()
    }

    @Test("Nothing that was answered is lost when the daemon ends between any two steps")
    func restarts() async throws {
        var here = try await store("a", device: "B")
        for number in 0..<5 {
            try await here.open(Int32(number)).write("\(number)", .integer(Int64(number)))
            // The cloud took it, and the device never heard of that.
            if number % 2 == 0 {
                let items = try await here.zones.pending(in: here.zone, limit: 10)
                _ = cloud.write(items, in: here.zone)
            }
            try here.close()
            here = try await store("a", device: "B")
        }
        try await here.engine.sync()
        #expect(cloud.contents(of: here.zone).count == 5)
        #expect(try await here.open().values().count == 5)
        try here.close()
    }

    @Test("An old removal is deleted in the cloud too, and on every device")
    func oldRemovals() async throws {
        let (here, there) = (try await store("a", device: "B"), try await store("b", device: "C"))
        let one = try await here.open()
        _ = try await there.open()
        for store in [here, there] { try await store.engine.sync() }
        try await one.write("key", .integer(1))
        try await one.write("key", nil)
        try await one.write("kept", .integer(1))
        for store in [here, there] { try await store.engine.sync() }
        #expect(cloud.contents(of: here.zone).keys.sorted() == [":kept", ":key"])
        #expect(try await Set(there.zones.stamps(in: there.zone).keys) == [":kept", ":key"])
        _ = here.engine.takeTriggered()
        for store in [here, there] { store.advance(by: KeyValueReplica.removalLifetime + 1000) }
        try await here.service.forgetRemovals()
        #expect(here.engine.takeTriggered() == [here.zone])
        #expect(try await here.zones.pending(in: here.zone, limit: 10).map(\.content) == [nil])
        for store in [there, here] { try await store.engine.sync() }
        #expect(cloud.contents(of: here.zone).keys.sorted() == [":kept"])
        for store in [here, there] {
            #expect(try await store.zones.stamps(in: store.zone).keys.sorted() == [":kept"])
            #expect(try await store.zones.pending(in: store.zone, limit: 10).isEmpty)
            try store.close()
        }
    }

    @Test("Two devices without the cloud come to the same, and to nothing more when it is back")
    func exchanges() async throws {
        let (here, there) = (try await store("a", device: "B"), try await store("b", device: "C"))
        let (one, other) = (try await here.open(), try await there.open())
        for store in [here, there] { try await store.engine.sync() }
        try await one.write("a", .integer(1))
        try await one.write("gone", .integer(1))
        try await one.write("gone", nil)
        try await other.write("b", .integer(2))
        #expect(try await here.zones.digest(of: here.zone) != there.zones.digest(of: there.zone))
        try await exchange(here.zones, there.zones, here.zone)
        #expect(try await here.zones.digest(of: here.zone) == there.zones.digest(of: there.zone))
        #expect(try await other.changes()["a"] == .server)
        #expect(try await one.values() == ["a": .integer(1), "b": .integer(2)])
        #expect(try await other.values() == ["a": .integer(1), "b": .integer(2)])
        let stamps = try await here.zones.stamps(in: here.zone)
        #expect(stamps.values.allSatisfy { $0.count <= 64 })
        for store in [here, there, here] { try await store.engine.sync() }
        #expect(cloud.contents(of: here.zone).count == 3)
        for store in [here, there] { try store.close() }
    }

    @Test("Starting over drops nothing: what the account has no more is written there again")
    func startsOver() async throws {
        let here = try await store("a", device: "B")
        let one = try await here.open()
        try await one.write("gone", .integer(1))
        try await one.write("kept", .integer(1))
        try await here.engine.sync()
        try await one.write("new", .integer(1))
        _ = try await one.changes()
        try await here.zones.startedOver(here.zone, holding: [":kept"])
        #expect(try await one.changes().values.allSatisfy { $0 == .unspecified })
        #expect(try await one.values().keys.sorted() == ["gone", "kept", "new"])
        #expect(try await here.zones.pending(in: here.zone, limit: 9).map(\.name).sorted() == [":gone", ":new"])
        try here.close()
    }

    @Test("Contents and names that cannot be read change nothing, and do not stop what comes with them")
    func unreadable() async throws {
        let here = try await store("a", device: "B")
        let one = try await here.open()
        try await one.write("key", .integer(1))
        try await here.engine.sync()
        _ = try await one.changes()
        let good = KeyValueEntry(
            value: .integer(2),
            stamp: .init(
                time: .init(milliseconds: here.now + 5, counter: 0),
                device: DeviceID(unchecked: String(repeating: "C", count: 26))))
        let end = KeyValueEntry(
            value: .integer(3), stamp: .init(time: .init(rawValue: .max), device: good.stamp.device))
        let unknownKind = try Baton_Sync_V1_KeyValueItem.with {
            $0.time = good.stamp.time.rawValue
            $0.deviceID = good.stamp.device.rawValue
        }.serializedData()
        var generator = SeededGenerator(seed: 7)
        let bad =
            [Data(), Data([0xFF]), unknownKind, try KeyValueWire.content(of: end)]
            + (0..<200).map { _ in
                Data(
                    (0..<Int.random(in: 0...60, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
                )
            }
        for content in bad {
            cloud.put(content, as: ":key", in: here.zone)
            cloud.put(try KeyValueWire.content(of: good), as: ":good", in: here.zone)
            try await here.engine.sync()
        }
        // Two spellings of one key would be two items.
        cloud.put(try KeyValueWire.content(of: good), as: ":e\u{301}", in: here.zone)
        cloud.put(try KeyValueWire.content(of: good), as: ":" + String(repeating: "n", count: 1024), in: here.zone)
        try await here.engine.sync()
        try await here.zones.exchanged(
            [":key": Data([0xFF]), ":e\u{301}": try KeyValueWire.content(of: good)], in: here.zone)
        #expect(try await one.values() == ["key": .integer(1), "good": .integer(2)])
        // The next write goes over it.
        try await one.write("key", .integer(4))
        try await here.engine.sync()
        let content = try #require(cloud.contents(of: here.zone)[":key"])
        #expect(KeyValueWire.entry(content)?.value == .integer(4))
        try here.close()
    }

    @Test("Removals that the cloud has deleted are kept over a restart, and told to a device that has what is older")
    func buried() async throws {
        let here = try await store("a", device: "B")
        let there = try await store("b", device: "C")
        let one = try await here.open()
        try await one.write("key", .integer(1))
        try await here.engine.sync()
        try await there.engine.sync()
        _ = try await there.open()
        try await there.engine.sync()
        try await one.write("key", nil)
        try await here.engine.sync()
        here.advance(by: KeyValueReplica.removalLifetime + 10)
        try await here.engine.sync()
        #expect(cloud.contents(of: here.zone).isEmpty)
        #expect(try await here.zones.stamps(in: here.zone).isEmpty)
        #expect(try await here.zones.pending(in: here.zone, limit: 9).isEmpty)
        // The other device comes back, and meets this one before it meets the cloud.
        let theirs = try await there.zones.stamps(in: there.zone)
        #expect(theirs.keys.sorted() == [":key"])
        try here.close()
        let again = try await store("a", device: "B")
        let own = try await again.zones.stamps(in: [.all], of: again.zone, meeting: Set(theirs.keys))
        #expect(own[":key"] != nil && own[":key"] != theirs[":key"])
        let contents = try await again.zones.contents(of: [":key"], in: again.zone)
        #expect(again.zones.stamps(of: contents) == own)
        try await there.zones.exchanged(contents, in: there.zone)
        #expect(try await there.open(2).values().isEmpty)
        for store in [again, there] { try store.close() }
    }

    @Test("A store that gave way to others and comes back is another one, and is read anew")
    func madeAgain() async throws {
        var bounds = KeyValueBounds()
        bounds.stores = 1
        let here = try await TestStore(folder.file("a.sqlite"), device: "B", cloud: cloud, bounds: bounds)
        let first = try await here.open()
        try await here.engine.sync()
        let identity = try await here.zones.identity(of: here.zone)
        here.service.close(first.subscriber)
        let other = KeyValueStoreName(team: .development, identifier: BundleID(unchecked: "com.example.other"))
        try await here.service.prepare([other])
        #expect(try await here.zones.zones() == [other.zone])
        let absent = try await here.zones.identity(of: here.zone)
        _ = here.engine.takeTriggered()
        _ = try await here.open(2)
        #expect(here.engine.takeTriggered() == [here.zone])
        let again = try await here.zones.identity(of: here.zone)
        #expect(identity != absent && absent != again && again != identity)
        let gone = try await here.zones.digest(of: other.zone)
        #expect(gone == nil)
        try here.close()
    }

    @Test("A zone that is not here, or is of another kind, holds nothing and takes nothing")
    func otherZones() async throws {
        let here = try await store("a", device: "B")
        let zones = here.zones
        for zone in [
            ZoneName(kind: .keyValue, name: "development/com.example.none"), ZoneName(kind: .keyValue, name: "../x"),
            ZoneName(kind: .contentKeys, name: ""),
        ] {
            #expect(try await zones.pending(in: zone, limit: 10).isEmpty)
            try await zones.received([.init(name: "key", version: 1, content: Data())], in: zone)
            try await zones.didFinishInitialFetch(zone, by: .cloud)
            try await zones.startedOver(zone, holding: [])
            #expect(try await zones.stamps(in: zone).isEmpty)
        }
        #expect(try await zones.zones().isEmpty)
        _ = try await here.open()
        #expect(try await zones.zones() == [here.zone])
        // An app that was installed finds what the account has.
        try await here.service.prepare([
            KeyValueStoreName(team: .development, identifier: BundleID(unchecked: "com.example.new"))
        ])
        #expect(try await zones.zones().count == 2)
        #expect(here.engine.takeTriggered().count == 2)
        try here.close()
    }

    @Test("Large values go out in batches that the cloud takes")
    func largeValues() async throws {
        let here = try await store("a", device: "B")
        var grant = TestStore.grant
        grant.limits = .present
        let one = try await here.open(1, grant)
        try await here.engine.sync()
        for number in 0..<10 { try await one.write("\(number)", .data(Data(count: 100 << 10))) }
        // Others may have filled it further.
        for number in 0..<30 {
            let entry = KeyValueEntry(
                value: .data(Data(count: 100 << 10)),
                stamp: .init(
                    time: .init(milliseconds: here.now, counter: 0),
                    device: DeviceID(unchecked: String(repeating: "C", count: 26))))
            try await here.zones.exchanged([":more \(number)": try KeyValueWire.content(of: entry)], in: here.zone)
        }
        let batch = try await here.zones.pending(in: here.zone, limit: 100)
        #expect((1..<22).contains(batch.count))
        try await here.engine.sync()
        #expect(cloud.contents(of: here.zone).count == 40)
        #expect(try await one.news().count > 1)
        try here.close()
    }
}
