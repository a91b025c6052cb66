import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Devices
import Foundation
import SwiftProtobuf
import Testing

@Suite("Account: content keys, cloud, recovery")
struct AccountSealingTests {
    static let zone = "key-value/com.example.App"

    func seal(_ content: String, by device: VirtualDevice) throws -> Data {
        let snapshot = try #require(device.account.snapshot())
        return try snapshot.keyRing.seal(
            Data(content.utf8), name: "name", zoneID: snapshot.keyRing.zoneID(of: Self.zone),
            membership: snapshot.membership)
    }

    func open(_ sealed: Data, by device: VirtualDevice) throws -> String {
        let ring = try #require(device.account.keyRing())
        let zone = ring.zoneID(of: Self.zone)
        return String(
            decoding: try ring.open(sealed, zoneID: zone, itemID: ring.itemID("name", zoneID: zone)).content,
            as: UTF8.self)
    }

    func household(_ count: Int) async throws -> [VirtualDevice] {
        let first = try await VirtualDevice()
        try await first.account.createAccount(deviceName: "First")
        var devices = [first]
        for _ in 1..<count {
            let next = try await VirtualDevice()
            try await first.admit(next)
            devices.append(next)
        }
        for device in devices { try await device.exchange(with: first) }
        return devices
    }

    // H-2
    @Test("Devices that were paired open what any of them sealed, after a restart too")
    func paired() async throws {
        let devices = try await household(3)
        let sealed = try seal("hello", by: devices[1])
        for device in devices {
            #expect(try open(sealed, by: device) == "hello")
            let again = try #require(try await device.home.open().keyRing())
            #expect(again.generations == device.account.keyRing()?.generations)
        }
        #expect(try await !devices[0].account.makeContentKeyIfNeeded())
        let stranger = try await VirtualDevice()
        try await stranger.account.createAccount(deviceName: "Stranger")
        #expect(await reason { _ = try open(sealed, by: stranger) } == "unknown_content_key")
    }

    // H-11
    @Test("A revocation changes the content key at once: the others learn the new one, the revoked device does not")
    func revocation() async throws {
        let devices = try await household(3)
        let (first, second, lost) = (devices[0], devices[1], devices[2])
        let old = try seal("old", by: first)
        let events = Box(first.account.events())
        try await first.account.revoke(lost.id)
        #expect(await events.next() == .membershipChanged)
        #expect(await events.next() == .contentKeysChanged)
        let sealed = try seal("new", by: first)
        #expect(KeyRing.generation(of: sealed) != KeyRing.generation(of: old))
        #expect(await reason { _ = try open(sealed, by: second) } == "unknown_content_key")

        let secondEvents = Box(second.account.events())
        try await second.account.merge(first.account.membershipMessage(), from: first.id)
        #expect(await secondEvents.next() == .membershipChanged)
        #expect(await secondEvents.next() == .contentKeysChanged)
        #expect(try open(sealed, by: second) == "new" && open(old, by: second) == "old")
        #expect(try await !second.account.makeContentKeyIfNeeded())
        // Stored before it was used.
        for device in [first, second] {
            let again = try #require(try await device.home.open().keyRing())
            #expect(again.messages == device.account.keyRing()?.messages && again.messages.count == 1)
        }
        // A device that joins now opens all of it.
        let third = try await VirtualDevice()
        try await second.admit(third)
        #expect(try open(sealed, by: third) == "new" && open(old, by: third) == "old")
    }

    @Test(
        "A device that hears of a revocation without its key makes one when it is to seal, and both are known in the end"
    )
    func later() async throws {
        let devices = try await household(4)
        let (first, second, third, lost) = (devices[0], devices[1], devices[2], devices[3])
        try await first.account.revoke(lost.id)
        let statements = Baton_Link_V1_Membership.with { $0.statements = first.account.membershipMessage().statements }
        for device in [second, third] {
            try await device.account.merge(statements)
            #expect(await reason { _ = try seal("x", by: device) } == "content_key_outdated")
            #expect(try await device.account.makeContentKeyIfNeeded())
            #expect(try await !device.account.makeContentKeyIfNeeded())
        }
        let sealed = try devices.dropLast().map { try seal("x", by: $0) }
        #expect(Set(sealed.map { KeyRing.generation(of: $0) }).count == 3)
        for _ in 0..<2 {
            try await first.exchange(with: second)
            try await first.exchange(with: third)
        }
        for device in [first, second, third] {
            for item in sealed { #expect(try open(item, by: device) == "x") }
        }
        #expect(try Set([first, second, third].map { KeyRing.generation(of: try seal("y", by: $0)) }).count == 1)
    }

    @Test("Many who need a key at once make one")
    func concurrent() async throws {
        let devices = try await household(3)
        let statements = Baton_Link_V1_Membership.with {
            $0.statements = devices[0].account.membershipMessage().statements
        }
        try await devices[0].account.revoke(devices[2].id)
        let revocation = Baton_Link_V1_Membership.with {
            $0.statements = devices[0].account.membershipMessage().statements
        }
        #expect(revocation != statements)
        try await devices[1].account.merge(revocation)
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { try await devices[1].account.makeContentKeyIfNeeded() } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1)
    }

    @Test("A revoked device gets no key by asking, and makes none")
    func revoked() async throws {
        let devices = try await household(2)
        try await devices[0].account.revoke(devices[1].id)
        try await devices[1].account.merge(
            .with { $0.statements = devices[0].account.membershipMessage().statements })
        #expect(await reason { try await devices[1].account.makeContentKeyIfNeeded() } == "revoked")
        #expect(await reason { try await devices[1].account.setCloudEndpoint(url: nil) } == "revoked")
        #expect(await reason { _ = try await devices[1].account.makeRecoveryKey() } == "revoked")
        #expect(await reason { _ = try await devices[1].account.contentKeyEnvelopes(existing: [:]) } == "revoked")
        let none = try await VirtualDevice()
        #expect(await reason { try await none.account.makeContentKeyIfNeeded() } == "no_account")
        #expect(none.account.keyRing() == nil && none.account.cloudEndpoint() == nil)
    }

    @Test("Neither content keys nor the cloud are taken from a non-member")
    func nonMembers() async throws {
        let devices = try await household(2)
        let (first, second) = (devices[0], devices[1])
        try await first.account.revoke(second.id)
        let third = try await VirtualDevice()
        try await first.admit(third)
        try await first.account.setCloudEndpoint(url: "https://cloud.example")
        let message = first.account.membershipMessage()
        #expect(message.contentKeys.count == 1 && message.hasCloud)
        // A device of the household that has not heard of the revocation of the sender yet cannot know; one that has, does.
        let fourth = try await VirtualDevice()
        try await third.admit(fourth, name: "Fourth")
        var planted = message
        planted.cloud.url = "https://thief.example"
        planted.cloud.timestamp += 1
        try await fourth.account.merge(planted, from: second.id)
        #expect(fourth.account.cloudEndpoint()?.url == third.account.cloudEndpoint()?.url)
        try await fourth.account.merge(planted, from: DeviceID(unchecked: String(repeating: "Q", count: 26)))
        #expect(fourth.account.cloudEndpoint()?.url == third.account.cloudEndpoint()?.url)
        try await fourth.account.merge(planted, from: first.id)
        #expect(fourth.account.cloudEndpoint()?.url == "https://thief.example")
    }

    @Test("The members know where the account's cloud is; the newest word counts; signing out reaches all")
    func cloud() async throws {
        let devices = try await household(2)
        let (first, second) = (devices[0], devices[1])
        let events = Box(second.account.events())
        let fingerprint = [UInt8](repeating: 9, count: 32)
        try await first.account.setCloudEndpoint(url: "https://cloud.example:8443", certificate: fingerprint)
        try await second.account.merge(first.account.membershipMessage(), from: first.id)
        #expect(await events.next() == .cloudEndpointChanged)
        #expect(second.account.cloudEndpoint() == first.account.cloudEndpoint())
        #expect(second.account.cloudEndpoint()?.certificate == fingerprint)
        let before = second.account.membershipMessage()
        try await second.account.setCloudEndpoint(url: "https://cloud.example:8443", certificate: fingerprint)
        #expect(second.account.membershipMessage() == before)

        try await second.account.setCloudEndpoint(url: "https://other.example")
        try await second.account.merge(first.account.membershipMessage(), from: first.id)
        #expect(second.account.cloudEndpoint()?.url == "https://other.example")
        try await first.account.merge(second.account.membershipMessage(), from: second.id)
        #expect(first.account.cloudEndpoint()?.url == "https://other.example")
        // A joining device hears of it.
        let third = try await VirtualDevice()
        try await first.admit(third)
        #expect(third.account.cloudEndpoint() == first.account.cloudEndpoint())
        #expect(try await third.home.open().cloudEndpoint() == first.account.cloudEndpoint())

        try await third.account.setCloudEndpoint(url: nil)
        try await first.account.merge(third.account.membershipMessage(), from: third.id)
        #expect(first.account.cloudEndpoint() == nil)
        #expect(try await first.home.open().cloudEndpoint() == nil)
        try await first.account.merge(second.account.membershipMessage(), from: second.id)
        #expect(first.account.cloudEndpoint() == nil)
    }

    @Test("A cloud that is none is refused, and one from tomorrow's tomorrow does not stay for ever")
    func hostileCloud() async throws {
        let devices = try await household(2)
        let (first, second) = (devices[0], devices[1])
        for url in [
            "", "http://cloud.example", "https://", "https://a b", "https://user@a", "https://a/path", "https://a?b",
            "https://a:99999", "https://" + String(repeating: "a", count: 2000), "file:///etc/passwd",
        ] {
            #expect(
                await reason { try await first.account.setCloudEndpoint(url: url) } == "invalid_cloud_url", "\(url)")
        }
        #expect(
            await reason { try await first.account.setCloudEndpoint(url: "https://a", certificate: [1]) }
                == "invalid_fingerprint")
        var message = second.account.membershipMessage()
        for (url, timestamp) in [
            ("http://thief.example", WallClock.system.milliseconds << 16), ("https://thief.example", UInt64.max),
        ] {
            message.cloud.url = url
            message.cloud.timestamp = timestamp
            #expect(try await !first.account.merge(message, from: second.id))
        }
        #expect(first.account.cloudEndpoint() == nil)
        // As far ahead as is believed: what is said here after that is newer.
        message.cloud.url = "https://thief.example"
        message.cloud.timestamp =
            HybridTimestamp(
                milliseconds: WallClock.system.milliseconds + HybridLogicalClock.maximumDrift - 1000, counter: .max
            ).rawValue
        #expect(try await first.account.merge(message, from: second.id))
        try await first.account.setCloudEndpoint(url: "https://right.example")
        try await second.account.merge(first.account.membershipMessage(), from: first.id)
        #expect(second.account.cloudEndpoint()?.url == "https://right.example")
    }

    @Test("Keys and cloud that came with an answer to join are taken as they are; malformed ones are not")
    func hostileJoin() async throws {
        let devices = try await household(2)
        try await devices[0].account.revoke(devices[1].id)
        let key = P256.Signing.PrivateKey()
        let profile = try DeviceProfiles.make(name: "Second", timestamp: .zero, key: key)
        var response = try await devices[0].account.admit(key.publicKey, profile: profile)
        #expect(response.membership.contentKeys.count == 1)
        response.membership.contentKeys[0].signature = Data(repeating: 1, count: 64)
        response.membership.cloud.url = "ftp://nowhere"
        let joined = try await VirtualDevice()
        _ = try await joined.account.join(response, deviceKey: key, deviceName: "Second")
        #expect(joined.account.keyRing()?.messages.isEmpty == true && joined.account.cloudEndpoint() == nil)
        try await joined.account.merge(devices[0].account.membershipMessage(), from: devices[0].id)
        #expect(joined.account.keyRing()?.messages.count == 1)
    }

    @Test("Content keys reach a device through the cloud alone")
    func envelopes() async throws {
        let devices = try await household(3)
        let (first, second, lost) = (devices[0], devices[1], devices[2])
        try await first.account.revoke(lost.id)
        let sealed = try seal("new", by: first)
        let changes = try await first.account.contentKeyEnvelopes(existing: [:])
        #expect(changes.writes.count == 4 && changes.deletions.isEmpty)
        #expect(try await first.account.contentKeyEnvelopes(existing: changes.writes).isEmpty)
        let items = Array(changes.writes.values).shuffled()
        // Before the statements: not believed, and kept until they come.
        try await second.account.mergeContentKeyEnvelopes(items)
        #expect(await reason { _ = try open(sealed, by: second) } == "unknown_content_key")
        try await second.account.merge(.with { $0.statements = first.account.membershipMessage().statements })
        #expect(try await !second.account.mergeContentKeyEnvelopes(items))
        #expect(try open(sealed, by: second) == "new")
        let discoveryKey = try #require(first.account.snapshot()?.discoveryKeys.newest)
        #expect(second.account.snapshot()?.discoveryKeys.all.contains(discoveryKey) == true)
        #expect(try await !lost.account.mergeContentKeyEnvelopes(items + [Data([1, 2, 3])]))
        #expect(await reason { _ = try open(sealed, by: lost) } == "unknown_content_key")
        // Envelopes for a device that is revoked later are deleted.
        try await first.account.revoke(second.id)
        let after = try await first.account.contentKeyEnvelopes(existing: changes.writes)
        #expect(after.deletions.count == 2 && after.writes.count == 1)
    }
}
