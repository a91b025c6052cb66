import BatonConcurrency
import BatonCore
import BatonTestSupport
import BatonTransport
import BatonWire
import CloudClient
import Devices
import Foundation
import SwiftProtobuf
import Testing

@testable import KeyValue
@testable import Sync

@Suite("Devices that are near each other", .timeLimit(.minutes(2))) struct DirectExchangeTests {
    private static let compare = SyncMethods.compareZones.path
    private static let exchange = SyncMethods.exchangeZone.path
    private static let give = SyncMethods.giveItems.path
    private static let zone = NearDevice.store.zone

    private let folder: TemporaryDirectory
    private let neighbourhood = Neighbourhood()

    init() throws { folder = try TemporaryDirectory() }

    /// Devices of one account, in the order of their identifiers; each one's clock is a second ahead of the one before.
    private func household(
        _ count: Int, cloud: CloudAddress? = nil, retry: Duration = .seconds(5)
    ) async throws -> [NearDevice] {
        let accounts = try await AccountDevice.household(count, in: folder).sorted { try $0.id < $1.id }
        var devices: [NearDevice] = []
        for (number, account) in accounts.enumerated() {
            devices.append(
                try await NearDevice(
                    account, in: neighbourhood, wall: NearDevice.wall + 1000 * UInt64(number), cloud: cloud,
                    retry: retry))
        }
        return devices
    }

    private func until(_ devices: [NearDevice], hold values: [String: PropertyValue]) async throws {
        try await neighbourhood.until {
            for device in devices {
                let held = try await device.values()
                if held != values { return false }
            }
            return true
        }
    }

    private func content(
        _ value: PropertyValue?, by device: DeviceID, at time: UInt64 = NearDevice.wall
    ) throws -> Data {
        let stamp = KeyValueStamp(time: HybridTimestamp(milliseconds: time, counter: 0), device: device)
        return try KeyValueWire.content(of: KeyValueEntry(value: value, stamp: stamp))
    }

    private func item(_ name: String, _ content: Data) -> Baton_Link_V1_DirectItem {
        .with {
            $0.name = name
            $0.content = content
        }
    }

    // MARK: Exchanged items

    @Test(
        "Differences go both ways when a device appears, then each change, whoever asks (K-12, K-13, K-18)",
        arguments: [[0], [1], [0, 1]])
    func bothWays(askers: [Int]) async throws {
        let devices = try await household(2)
        let (here, there) = (devices[0], devices[1])
        for device in devices { try await device.didFinishInitialFetch() }
        try await here.set("mine", .integer(1))
        try await here.set("page", .string("earlier"))
        try await there.set("yours", .integer(2))
        try await there.set("page", .string("later"))
        neighbourhood.leave(there.id)
        try await neighbourhood.running(devices, asking: askers.map { devices[$0] }) {
            neighbourhood.arrive(there.id)
            try await until(devices, hold: ["mine": .integer(1), "yours": .integer(2), "page": .string("later")])
            let asker = devices[askers[0]]
            try await asker.set("mine", nil)
            try await until(devices, hold: ["yours": .integer(2), "page": .string("later")])
            try await asker.set("more", .boolean(true))
            try await until(
                devices, hold: ["yours": .integer(2), "page": .string("later"), "more": .boolean(true)])
        }
        #expect(try await here.zones.digest(of: Self.zone) == there.zones.digest(of: Self.zone))
        #expect(neighbourhood.calls.allSatisfy { call in askers.contains { devices[$0].id == call.from } })
    }

    @Test("Nothing more is sent about equal items")
    func same() async throws {
        let devices = try await household(2)
        let (here, there) = (devices[0], devices[1])
        for device in devices {
            try await device.didFinishInitialFetch()
            try await device.zones.exchanged([":key": try content(.integer(1), by: here.id)], in: Self.zone)
        }
        try await neighbourhood.running(devices, asking: [here]) {
            try await neighbourhood.until { neighbourhood.calls.count >= 1 }
            here.sync.changed(Self.zone)
            try await neighbourhood.until { neighbourhood.calls.count >= 2 }
        }
        #expect(Set(neighbourhood.calls.map(\.path)) == [Self.compare])
        #expect(try await there.values() == ["key": .integer(1)])
    }

    @Test("A zone that the other device does not keep is passed over, and refused to who asks for it all the same")
    func unknownZones() async throws {
        let accounts = try await AccountDevice.household(2, in: folder)
        // Before the other one in the order in which zones are exchanged.
        let own = KeyValueStoreName(team: .development, identifier: BundleID(unchecked: "com.example.alone"))
        #expect(own.zone < Self.zone)
        let here = try await NearDevice(accounts[0], in: neighbourhood, stores: [own, NearDevice.store])
        let there = try await NearDevice(accounts[1], in: neighbourhood)
        for device in [here, there] { try await device.didFinishInitialFetch() }
        try await here.set("key", .integer(1), in: own)
        try await here.set("key", .integer(2))
        let unknown = [
            own.zone.message, KeyZone.zone.message, ZoneName(kind: .keyValue, name: "").message,
            ZoneName(kind: .keyValue, name: String(repeating: "n", count: 1025)).message,
            Baton_Link_V1_ZoneName.with { $0.kind = "photos" },
        ]
        try await neighbourhood.running([here, there], asking: [here]) {
            try await until([there], hold: ["key": .integer(2)])
            let caller = CallContext.Peer.device(here.id)
            for zone in unknown {
                let refusals = [
                    await neighbourhood.refusal(
                        SyncMethods.exchangeZone, .with { $0.zone = zone }, by: caller, at: there.id),
                    await neighbourhood.refusal(
                        SyncMethods.giveItems, .with { $0.zone = zone }, by: caller, at: there.id),
                ]
                #expect(refusals.allSatisfy { $0?.code == .notFound && $0?.reason == "unknown_zone" })
            }
            let digests = unknown.map { zone in
                Baton_Link_V1_ZoneDigest.with {
                    $0.zone = zone
                    $0.digest = Data([1])
                }
            }
            let answer = try await neighbourhood.call(
                SyncMethods.compareZones, .with { $0.zones = digests }, by: caller, at: there.id)
            #expect(answer.differing.isEmpty && answer.undecided.isEmpty)
        }
        let calls = neighbourhood.calls
        #expect(calls.contains { $0.path == Self.compare && $0.zones.count == 2 })
        #expect(Set(calls.filter { $0.path != Self.compare }.flatMap(\.zones)) == [Self.zone.name])
        #expect(there.sync.zoneNames == [Self.zone])
        #expect(!here.events.contains("exchange_failed"))
    }

    @Test("Items too large for one message come in several, at most 3 MiB each, whoever asks", arguments: [0, 1])
    func rounds(asker: Int) async throws {
        let devices = try await household(2)
        let (full, empty) = (devices[0], devices[1])
        for device in devices { try await device.didFinishInitialFetch() }
        // Five of these 12 values fit.
        let value = try content(.data(Data(count: 600 << 10)), by: full.id)
        try await full.zones.exchanged(
            Dictionary(uniqueKeysWithValues: (0..<12).map { (":\($0)", value) }), in: Self.zone)
        try await neighbourhood.running(devices, asking: [devices[asker]]) {
            try await neighbourhood.until { try await empty.values().count == 12 }
        }
        let sizes = neighbourhood.calls.map(\.bytes).filter { $0 > 0 }
        #expect(sizes.map { $0 / value.count } == [5, 5, 2])
        #expect(sizes.allSatisfy { $0 <= DirectExchange.messageBytes })
        // One that is too large by itself goes alone; what is not there (any more) is passed over.
        let (items, count) = try await full.zones.items([":none", ":0", ":1"], of: Self.zone, atMost: 1)
        #expect(items.map(\.name) == [":0"] && count == 2)
    }

    @Test(
        "A removal that the cloud has deleted is told to who has an older value, whoever asks, and to no other (K-13)",
        arguments: [0, 1])
    func buried(asker: Int) async throws {
        let devices = try await household(2)
        let (here, there) = (devices[0], devices[1])
        for device in devices { try await device.didFinishInitialFetch() }
        let removal = try content(nil, by: here.id, at: NearDevice.wall - 1000)
        try await here.zones.received(
            [IncomingItem(name: ":key", version: 2, state: .deleted(tombstone: removal))], in: Self.zone)
        let older = try content(.integer(1), by: there.id, at: NearDevice.wall - 2000)
        try await there.zones.received(
            [IncomingItem(name: ":key", version: 1, content: older)], in: Self.zone)
        #expect(try await there.values() == ["key": .integer(1)])
        try await neighbourhood.running(devices, asking: [devices[asker]]) {
            // A device that has nothing of it hears nothing.
            let answer = try await neighbourhood.call(
                SyncMethods.exchangeZone, .with { $0.zone = Self.zone.message }, by: .device(there.id), at: here.id)
            #expect(answer.items.isEmpty && answer.wanted.isEmpty && !answer.more)
            try await until([there], hold: [:])
        }
        #expect(try await here.values().isEmpty)
        #expect(try await there.zones.contents(of: [":key"], in: Self.zone) == [":key": removal])
    }

    // MARK: The account's state

    @Test(
        "With two devices without a cloud and without the account's state, the lesser one's state counts",
        arguments: [[0, 1], [1]])
    func undecided(askers: [Int]) async throws {
        let devices = try await household(2)
        let (lesser, greater) = (devices[0], devices[1])
        #expect(lesser.id < greater.id)
        try await lesser.set("lesser", .integer(1))
        try await lesser.set("page", .string("lesser"))
        // Later, and yet it gives way: it was set before the device knew the account's values.
        try await greater.set("page", .string("greater"))
        try await greater.set("greater", .integer(2))
        for device in devices { #expect(try await device.zones.digest(of: Self.zone) == Data()) }
        try await neighbourhood.running(devices, asking: askers.map { devices[$0] }) {
            try await until(
                devices, hold: ["lesser": .integer(1), "greater": .integer(2), "page": .string("lesser")])
        }
        for device in devices { #expect(try await device.zones.early(in: Self.zone) == nil) }
        #expect(try await lesser.zones.digest(of: Self.zone) == greater.zones.digest(of: Self.zone))
    }

    @Test("While the account's cloud is away nobody says so unasked; a device that was told counts for the whole")
    func cloudAway() async throws {
        let devices = try await household(3, cloud: CloudAddress(url: "https://cloud.example.com"))
        let (told, others) = (devices[0], Array(devices[1...]))
        try await told.didFinishInitialFetch()
        try await told.set("page", .string("the account's"))
        for (number, device) in others.enumerated() {
            try await device.set("page", .string("early"))
            try await device.set("\(number)", .boolean(true))
        }
        neighbourhood.leave(told.id)
        try await neighbourhood.running(devices, asking: devices) {
            // When one asks again, what it asked before is over.
            for count in 1...2 {
                try await neighbourhood.until {
                    others.allSatisfy { device in neighbourhood.calls.count { $0.from == device.id } >= count }
                }
                for device in others { device.sync.changed(Self.zone) }
            }
            #expect(neighbourhood.calls.allSatisfy { $0.path == Self.compare })
            for (one, other) in [(others[0], others[1]), (others[1], others[0])] {
                let answer = try await neighbourhood.call(
                    SyncMethods.compareZones, .with { $0.zones = [.with { $0.zone = Self.zone.message }] },
                    by: .device(one.id), at: other.id)
                #expect(answer.undecided == [Self.zone.message] && answer.differing.isEmpty)
                #expect(try await one.zones.digest(of: Self.zone) == Data())
            }
            neighbourhood.arrive(told.id)
            try await until(
                devices, hold: ["page": .string("the account's"), "0": .boolean(true), "1": .boolean(true)])
        }
    }

    // MARK: Permission

    @Test("A caller that is no device of the account is refused, and changes nothing (H-2)")
    func strangers() async throws {
        let devices = try await household(2)
        let (here, there) = (devices[0], devices[1])
        try await here.didFinishInitialFetch()
        try await here.set("key", .integer(1))
        let newer = item(":key", try content(.integer(2), by: there.id, at: NearDevice.wall + 5000))
        try await neighbourhood.running([here], asking: []) {
            let member = await neighbourhood.refusal(
                SyncMethods.exchangeZone, .with { $0.zone = Self.zone.message }, by: .device(there.id), at: here.id)
            #expect(member?.reason == nil)
            try await here.account.revoke(there.id)
            let callers: [(CallContext.Peer, BatonError.Code, String)] = [
                (.stranger(address: "127.0.0.1"), .unauthenticated, "not_a_device"),
                (.device(there.id), .permissionDenied, "not_a_member"),
                (.device(DeviceID(unchecked: String(repeating: "Q", count: 26))), .permissionDenied, "not_a_member"),
            ]
            for (caller, code, reason) in callers {
                let refusals = [
                    await neighbourhood.refusal(SyncMethods.compareZones, .init(), by: caller, at: here.id),
                    await neighbourhood.refusal(
                        SyncMethods.exchangeZone, .with { $0.zone = Self.zone.message }, by: caller, at: here.id),
                    await neighbourhood.refusal(
                        SyncMethods.giveItems,
                        .with {
                            $0.zone = Self.zone.message
                            $0.items = [newer]
                        }, by: caller, at: here.id),
                ]
                #expect(refusals.allSatisfy { $0?.code == code && $0?.reason == reason })
            }
        }
        #expect(try await here.values() == ["key": .integer(1)])
    }

    @Test("More than 1,000 zones in a call are refused, and nobody asks for more")
    func tooManyZones() async throws {
        let accounts = try await AccountDevice.household(2, in: folder)
        let here = try await NearDevice(accounts[0], in: neighbourhood, source: ManyZones(count: 1001))
        let there = try await NearDevice(accounts[1], in: neighbourhood)
        try await there.didFinishInitialFetch()
        let digests = ([Self.zone] + (0..<1000).map { ZoneName(kind: .keyValue, name: "\($0)") }).map { zone in
            Baton_Link_V1_ZoneDigest.with {
                $0.zone = zone.message
                $0.digest = Data([1])
            }
        }
        try await neighbourhood.running([here, there], asking: [here]) {
            try await neighbourhood.until { neighbourhood.calls.count >= 2 }
            #expect(neighbourhood.calls.map(\.zones.count) == [1000, 1])
            let caller = CallContext.Peer.device(here.id)
            let refusal = await neighbourhood.refusal(
                SyncMethods.compareZones, .with { $0.zones = digests }, by: caller, at: there.id)
            #expect(refusal?.code == .invalidArgument && refusal?.reason == "too_many_zones")
            let answer = try await neighbourhood.call(
                SyncMethods.compareZones, .with { $0.zones = Array(digests.prefix(1000)) }, by: caller, at: there.id)
            #expect(answer.differing == [Self.zone.message])
        }
    }

    // MARK: Failures

    @Test("Contents and names that cannot be read change nothing, and nobody is asked for them for ever")
    func garbage() async throws {
        let devices = try await household(2)
        let (here, there) = (devices[0], devices[1])
        try await here.didFinishInitialFetch()
        try await here.set("key", .integer(1))
        let good = try content(.integer(2), by: there.id, at: NearDevice.wall + 5000)
        var generator = SeededGenerator(seed: 7)
        let random = (0..<200).map { _ -> Data in
            let count = Int.random(in: 0...60, using: &generator)
            return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        }
        let impossible = try content(.integer(3), by: there.id, at: .max)
        let bad = [Data(), Data([0xFF]), impossible] + random
        let items = ["", "key", ":e\u{301}", ":" + String(repeating: "n", count: 1024)].map { item($0, good) }
        let answered = items + [item(":key", impossible)]
        let unasked = KeyZone.zone.message
        var router = ConnectRouter()
        router.unary(SyncMethods.compareZones) { request, _ in
            .with {
                $0.differing = [unasked] + request.zones.map(\.zone)
                $0.undecided = [unasked]
            }
        }
        router.unary(SyncMethods.exchangeZone) { _, _ in
            .with {
                $0.items = answered
                $0.wanted = ["", ":none", ":key"]
                $0.more = true
            }
        }
        router.unary(SyncMethods.giveItems) { _, _ in .init() }
        neighbourhood.add(router, as: there.id)
        try await neighbourhood.running([here], asking: [here]) {
            try await neighbourhood.until { neighbourhood.calls.contains { $0.path == Self.exchange } }
            here.sync.changed(Self.zone)
            try await neighbourhood.until { neighbourhood.calls.count { $0.path == Self.compare } >= 2 }
            try await neighbourhood.until { neighbourhood.calls.contains { $0.path == Self.give } }
            // The next round may compare beside this exchange.
            let paths = neighbourhood.calls.map(\.path)
            #expect(paths.first == Self.compare)
            #expect(paths.filter { $0 != Self.compare }.prefix(2) == [Self.exchange, Self.give])
            for content in bad {
                _ = try await neighbourhood.call(
                    SyncMethods.giveItems,
                    .with {
                        $0.zone = Self.zone.message
                        $0.items = items + [item(":key", content)]
                    }, by: .device(there.id), at: here.id)
            }
            #expect(try await here.values() == ["key": .integer(1)])
            // Readable items are taken, also beside unreadable ones.
            _ = try await neighbourhood.call(
                SyncMethods.giveItems,
                .with {
                    $0.zone = Self.zone.message
                    $0.items = items + [item(":good", good)]
                }, by: .device(there.id), at: here.id)
            #expect(try await here.values() == ["key": .integer(1), "good": .integer(2)])
        }
        #expect(Set(neighbourhood.calls.flatMap(\.zones)) == [Self.zone.name])
    }

    @Test("A change does not wait for a large zone that is being exchanged, nor for one that fails")
    func changesBeside() async throws {
        let accounts = try await AccountDevice.household(2, in: folder)
        let large = KeyValueStoreName(team: .development, identifier: BundleID(unchecked: "com.example.alone"))
        #expect(large.zone < Self.zone)
        var devices: [NearDevice] = []
        for account in accounts {
            devices.append(try await NearDevice(account, in: neighbourhood, stores: [large, NearDevice.store]))
        }
        let (here, there) = (devices[0], devices[1])
        for device in devices { try await device.didFinishInitialFetch() }
        try await here.set("large", .integer(1), in: large)
        let gate = Promise<Void>()
        neighbourhood.hold(large.zone, until: gate)
        try await neighbourhood.running(devices, asking: [here]) { [neighbourhood] in
            // Its exchange is waited for; what changes now, and again, comes all the same.
            try await neighbourhood.until { neighbourhood.calls.contains { $0.path == Self.compare } }
            for number in 1...2 {
                try await here.set("key", .integer(Int64(number)))
                try await until([there], hold: ["key": .integer(Int64(number))])
            }
            #expect(try await there.values(of: large).isEmpty)
            // It fails, the other goes on, and it is tried again.
            neighbourhood.hold(large.zone, until: Promise<Void>())
            gate.settle(.failure(BatonError(.deadlineExceeded, reason: "deadline_exceeded", "No answer.")))
            try await here.set("key", .integer(3))
            try await until([there], hold: ["key": .integer(3)])
            try await neighbourhood.until { here.events.contains("exchange_failed") }
        }
    }

    @Test("An exchange that ends with the daemon is no failure")
    func ending() async throws {
        let devices = try await household(2)
        let here = devices[0]
        for device in devices { try await device.didFinishInitialFetch() }
        try await here.set("key", .integer(1))
        neighbourhood.hold(Self.zone, until: Promise<Void>())
        try await neighbourhood.running(devices, asking: [here]) { [neighbourhood] in
            try await neighbourhood.until { neighbourhood.calls.contains { $0.path == Self.compare } }
        }
        #expect(here.events.isEmpty)
    }

    @Test(
        "A call that fails is made again after a while",
        arguments: [
            SyncMethods.compareZones.path, SyncMethods.exchangeZone.path, SyncMethods.giveItems.path,
        ])
    func again(path: String) async throws {
        let devices = try await household(2, retry: .milliseconds(1))
        let (here, there) = (devices[0], devices[1])
        for device in devices { try await device.didFinishInitialFetch() }
        try await here.set("key", .integer(1))
        neighbourhood.fail(path, times: 2)
        try await neighbourhood.running(devices, asking: [here]) {
            try await until([there], hold: ["key": .integer(1)])
        }
        #expect(here.events == ["exchange_failed", "exchange_failed"])
        #expect(neighbourhood.calls.count { $0.path == path } >= 3)
    }
}
