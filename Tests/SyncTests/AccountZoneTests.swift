import BatonCore
import BatonStore
import BatonTestSupport
import BatonTrust
import BatonWire
import Crypto
import Devices
import Foundation
import SwiftProtobuf
import Testing

@testable import Sync

@Suite("The account's zone: its cloud, and what its devices are called") struct AccountZoneTests {
    /// The zone as the cloud has it.
    private struct Cloud {
        private(set) var items: [String: IncomingItem] = [:]
        private var head: UInt64 = 0

        @discardableResult
        mutating func write(from zone: AccountZone) async throws -> [String] {
            let pending = try await zone.pending(in: AccountZone.zone, limit: 1000)
            var written: [(item: OutgoingItem, version: UInt64)] = []
            for item in pending {
                #expect(item.replaces == items[item.name]?.version ?? 0)
                put(item.name, item.content)
                written.append((item: item, version: head))
            }
            try await zone.written(written, in: AccountZone.zone)
            return pending.map(\.name)
        }

        func read(into zone: AccountZone) async throws {
            try await zone.received(items.values.sorted { $0.version < $1.version }, in: AccountZone.zone)
            try await zone.didFinishInitialFetch(AccountZone.zone, by: .cloud)
        }

        mutating func put(_ name: String, _ content: Data?) {
            head += 1
            items[name] = IncomingItem(name: name, version: head, content: content)
        }
    }

    private let folder: TemporaryDirectory
    private let url = "https://cloud.example:8443"
    private let other = "https://other.example:8443"

    init() throws { folder = try TemporaryDirectory() }

    private func zone(of device: AccountDevice) async throws -> AccountZone {
        let database = try DaemonDatabase(path: device.database, migrations: AccountZone.migrations)
        return try await AccountZone(database: database, account: device.account)
    }

    private func pending(_ zone: AccountZone) async throws -> [String] {
        try await zone.pending(in: AccountZone.zone, limit: 1000).map(\.name)
    }

    @Test("One device writes where the cloud is and all names; another learns of them, and has nothing to add")
    func told() async throws {
        let devices = try await AccountDevice.household(2, in: folder)
        let (here, there) = (try await zone(of: devices[0]), try await zone(of: devices[1]))
        var cloud = Cloud()
        let names = try devices.map { AccountItems.profile(of: try $0.id) }.sorted()
        #expect(try await here.zones() == [AccountZone.zone])
        #expect(try await cloud.write(from: here) == names + [AccountItems.discoveryKey])
        #expect(try await pending(here).isEmpty)

        try await devices[0].account.setCloudEndpoint(url: url)
        #expect(try await cloud.write(from: here) == [AccountItems.cloud])
        try await cloud.read(into: there)
        #expect(devices[1].account.cloudEndpoint()?.url == url)
        #expect(try await pending(there).isEmpty)
        // Over a restart.
        #expect(try await pending(try await zone(of: devices[1])).isEmpty)

        try await devices[1].account.rename(to: "Renamed")
        #expect(try await cloud.write(from: there) == [AccountItems.profile(of: try devices[1].id)])
        try await cloud.read(into: here)
        #expect(devices[0].account.snapshot()?.name(of: try devices[1].id) == "Renamed")

        try await devices[1].account.setCloudEndpoint(url: nil)
        #expect(try await cloud.write(from: there) == [AccountItems.cloud])
        try await cloud.read(into: here)
        #expect(devices[0].account.cloudEndpoint() == nil)
    }

    @Test("Older records are written over, and change nothing; newer ones stay")
    func older() async throws {
        let devices = try await AccountDevice.household(2, in: folder)
        let (here, there) = (try await zone(of: devices[0]), try await zone(of: devices[1]))
        var (old, new) = (Cloud(), Cloud())
        try await devices[0].account.setCloudEndpoint(url: url)
        try await old.write(from: here)
        try await devices[1].learn(from: devices[0])
        try await devices[1].account.setCloudEndpoint(url: other)
        try await new.write(from: there)
        // The cloud of before comes with what it has.
        try await old.read(into: there)
        #expect(devices[1].account.cloudEndpoint()?.url == other)
        try await there.zoneReset(of: AccountZone.zone)
        try await old.read(into: there)
        #expect(try await old.write(from: there) == [AccountItems.cloud])
        try await old.read(into: here)
        #expect(devices[0].account.cloudEndpoint()?.url == other)
        #expect(try await pending(here).isEmpty)
    }

    @Test("Deleted, damaged and lost records are written again, and those that no member vouches for")
    func broken() async throws {
        let devices = try await AccountDevice.household(3, in: folder)
        let zone = try await zone(of: devices[0])
        var cloud = Cloud()
        try await devices[0].account.setCloudEndpoint(url: url)
        try await cloud.write(from: zone)
        let profile = AccountItems.profile(of: try devices[0].id)
        cloud.put(AccountItems.cloud, nil)
        cloud.put(profile, Data([1, 2, 3]))
        try await cloud.read(into: zone)
        #expect(try await cloud.write(from: zone) == [AccountItems.cloud, profile])

        let endpoint = try #require(devices[0].account.cloudEndpoint())
        let thief = try CloudEndpoint(
            url: "https://thief.example", certificate: nil,
            timestamp: HybridTimestamp(rawValue: endpoint.timestamp.rawValue + 1))
        let account = try #require(devices[0].account.snapshot()?.accountID)
        cloud.put(
            AccountItems.cloud, try SignedCloudEndpoint.make(thief, account: account, key: P256.Signing.PrivateKey()))
        // The profile of one device is not that of another.
        cloud.put(profile, cloud.items[AccountItems.profile(of: try devices[1].id)]?.content)
        try await cloud.read(into: zone)
        #expect(devices[0].account.cloudEndpoint() == endpoint)
        #expect(try await cloud.write(from: zone) == [AccountItems.cloud, profile])

        try await zone.startedOver(AccountZone.zone, holding: [profile])
        #expect(try await pending(zone).count == 4)
        try await zone.zoneReset(of: AccountZone.zone)
        #expect(try await pending(zone).count == 5)
    }

    // H-11: else two of them that meet no other device would never find each other again.
    @Test("Devices that hear of a revocation through the cloud, and each make a discovery key, agree on one")
    func discoveryKeys() async throws {
        let devices = try await AccountDevice.household(4, in: folder)
        var zones: [AccountZone] = []
        for device in devices.prefix(3) { zones.append(try await zone(of: device)) }
        var cloud = Cloud()
        for zone in zones {
            try await cloud.write(from: zone)
            for other in zones { try await cloud.read(into: other) }
        }
        func newest() -> [DiscoveryKey?] { devices.prefix(3).map { $0.account.snapshot()?.discoveryKeys.newest } }
        let old = try #require(newest()[0])
        let thief = try devices[3].id
        try await devices[0].account.revoke(thief)
        for device in devices[1...2] { try await device.learnStatements(from: devices[0]) }
        #expect(Set(newest()).count == 3 && !newest().contains(old))
        // Each writes what it has, in the order in which they come; of what is there the newest stays.
        for zone in zones {
            try await cloud.read(into: zone)
            try await cloud.write(from: zone)
        }
        for zone in zones { try await cloud.read(into: zone) }
        #expect(Set(newest()).count == 1 && !newest().contains(old))
        for zone in zones { #expect(try await pending(zone).isEmpty) }
        // Statements of the revoked device count for nothing, even under a seal that it once had.
        let key = try #require(newest()[0])
        let made = try DiscoveryKey(
            timestamp: HybridTimestamp(rawValue: key.timestamp.rawValue + 1), bytes: [UInt8](repeating: 9, count: 32))
        let account = try #require(devices[0].account.snapshot()?.accountID)
        cloud.put(
            AccountItems.discoveryKey,
            try VouchedDiscoveryKey.make(made, account: account, signer: P256.Signing.PrivateKey()))
        try await cloud.read(into: zones[1])
        #expect(newest()[1] == key)
        #expect(try await cloud.write(from: zones[1]) == [AccountItems.discoveryKey])
    }

    @Test("Where the cloud is stays true when who said so is revoked: another member says it. Its own name is deleted")
    func revoked() async throws {
        let devices = try await AccountDevice.household(3, in: folder)
        let (here, there) = (try await zone(of: devices[0]), try await zone(of: devices[1]))
        var cloud = Cloud()
        try await devices[1].account.setCloudEndpoint(url: url)
        try await cloud.write(from: there)
        try await cloud.read(into: here)
        let revoked = try devices[1].id
        try await devices[0].account.revoke(revoked)
        // The key that everybody is found by has changed, too.
        #expect(
            try await cloud.write(from: here)
                == [AccountItems.profile(of: revoked), AccountItems.cloud, AccountItems.discoveryKey])
        #expect(cloud.items[AccountItems.profile(of: revoked)]?.content == nil)
        #expect(try await pending(here).isEmpty)
        // A device that is no member any more writes nothing.
        try await devices[1].learn(from: devices[0])
        try await cloud.read(into: there)
        #expect(try await pending(there).isEmpty)
        #expect(devices[2].account.cloudEndpoint() == nil)
        let third = try await zone(of: devices[2])
        try await cloud.read(into: third)
        #expect(devices[2].account.cloudEndpoint()?.url == url)
    }

    @Test("Records that came before the statements that they depend on count later; items of other names stay")
    func early() async throws {
        let devices = try await AccountDevice.household(1, in: folder)
        let joined = try await AccountDevice(folder.file("joined"))
        try await devices[0].admit(joined)
        let far = try await AccountDevice(folder.file("far"))
        try await devices[0].admit(far)
        // The far one has not heard of who joined after it.
        let late = try await AccountDevice(folder.file("late"))
        try await devices[0].admit(late)
        var cloud = Cloud()
        let (there, here) = (try await zone(of: late), try await zone(of: far))
        try await late.account.setCloudEndpoint(url: url)
        try await cloud.write(from: there)
        cloud.put("something/new", Data([1]))
        try await cloud.read(into: here)
        #expect(far.account.cloudEndpoint() == nil)
        try await far.learnStatements(from: devices[0])
        try await here.didFinishInitialFetch(AccountZone.zone, by: .cloud)
        #expect(far.account.cloudEndpoint()?.url == url)
        #expect(try await pending(here).isEmpty)
        // Nor is it kept here: its size is not bounded.
        #expect(!here.items.names.contains("something/new"))
    }
}
