import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import Peers
import SwiftProtobuf
import Testing

@testable import Devices

@Suite("Account service")
struct AccountServiceTests {
    @Test("An account survives a restart, whole: identity, names, keys (H-2)")
    func restart() async throws {
        let device = try await VirtualDevice()
        #expect(device.account.snapshot() == nil)
        #expect(device.account.linkIdentity() == nil)
        #expect(device.account.standing == .none)
        #expect(await reason { try await device.account.rename(to: "x") } == "no_account")
        let created = try await device.account.createAccount(deviceName: " Desk ")
        #expect(created.name(of: created.deviceID) == "Desk")
        #expect(created.discoveryKeys.all.count == 1)
        #expect(await reason { try await device.account.createAccount(deviceName: "Other") } == "account_exists")
        try await device.account.rename(to: "Table")

        let again = try await device.home.open()
        let snapshot = try #require(again.snapshot())
        #expect(snapshot.accountID == created.accountID)
        #expect(snapshot.deviceID == created.deviceID)
        #expect(snapshot.name(of: snapshot.deviceID) == "Table")
        #expect(snapshot.discoveryKeys == created.discoveryKeys)
        #expect(again.linkIdentity() == device.account.linkIdentity())
        #expect(again.membershipMessage() == device.account.membershipMessage())
        #expect(again.standing == .member)
        let chain = try #require(again.linkIdentity()?.certificateChain)
        #expect(device.account.verify(chainDER: chain).success?.standing == .member)
    }

    @Test("Keys are readable by their owner only, and the key is not in what is described")
    func permissions() async throws {
        let device = try await VirtualDevice()
        try await device.account.createAccount(deviceName: "Desk")
        func mode(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        #expect(try mode(device.home.accountFile) == 0o600)
        #expect(try mode(device.home.locations.keys) == 0o700)
        let identity = try #require(device.account.linkIdentity())
        #expect(String(describing: identity) == "device \(identity.deviceID) of account \(identity.accountID)")
    }

    @Test("A damaged file is refused, never taken for less, and never overwritten")
    func damage() async throws {
        let device = try await VirtualDevice()
        try await device.account.createAccount(deviceName: "Desk")
        let url = URL(fileURLWithPath: device.home.accountFile)
        let good = try Data(contentsOf: url)
        var cases = stride(from: 0, to: good.count, by: 41).map { Data(good.prefix($0)) }
        for position in stride(from: 0, to: good.count, by: 97) {
            var flipped = good
            flipped[position] ^= 0x10
            cases.append(flipped)
        }
        for damaged in cases {
            try damaged.write(to: url)
            #expect(await reason { _ = try await device.home.open() } == "account_file_damaged")
            #expect(try Data(contentsOf: url) == damaged)
        }
        try good.write(to: url)
        #expect(try await device.home.open().standing == .member)
    }

    @Test("Leftovers of a crash while writing are removed; the account is the one before")
    func crash() async throws {
        let device = try await VirtualDevice()
        let created = try await device.account.createAccount(deviceName: "Desk")
        let leftover = device.home.accountFile + ".abc.new"
        try Data("half a key".utf8).write(to: URL(fileURLWithPath: leftover))
        #expect(try await device.home.open().snapshot()?.deviceID == created.deviceID)
        #expect(!FileManager.default.fileExists(atPath: leftover))
    }

    @Test("A change that could not be stored did not happen")
    func unwritable() async throws {
        let device = try await VirtualDevice()
        let events = Box(device.account.events())
        // A file where the directory should be.
        try FileManager.default.createDirectory(atPath: device.home.locations.data, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: device.home.locations.keys))
        await #expect(throws: BatonError.self) { try await device.account.createAccount(deviceName: "Desk") }
        #expect(device.account.snapshot() == nil)
        try FileManager.default.removeItem(atPath: device.home.locations.keys)
        try await device.account.createAccount(deviceName: "Desk")
        #expect(await events.next() == .accountChanged)
    }

    @Test("Two devices that exchange memberships know each other and their names (H-2)")
    func exchange() async throws {
        let (first, second, third) = (try await VirtualDevice(), try await VirtualDevice(), try await VirtualDevice())
        try await first.account.createAccount(deviceName: "First")
        try await first.admit(second)
        try await second.admit(third, name: "Third")
        let events = Box(first.account.events())
        #expect(try await first.account.merge(third.account.membershipMessage()))
        #expect(await events.next() == .membershipChanged)
        #expect(await events.next() == .profilesChanged)
        #expect(try await !first.account.merge(third.account.membershipMessage()))
        let snapshot = try #require(first.account.snapshot())
        #expect(snapshot.membership.members().count == 3)
        #expect(try snapshot.name(of: third.id) == "Third")
        let key = first.account.snapshot()?.discoveryKeys.newest
        for device in [second, third] {
            #expect(device.account.snapshot()?.accountID == snapshot.accountID)
            #expect(device.account.snapshot()?.discoveryKeys.newest == key)
            let chain = try #require(device.account.linkIdentity()?.certificateChain)
            #expect(first.account.verify(chainDER: chain).success?.standing == .member)
        }
        try await third.account.rename(to: "Renamed")
        try await first.exchange(with: third)
        #expect(first.account.snapshot()?.name(of: try third.id) == "Renamed")
        #expect(try first.account.device(named: "Renamed") == third.id)
    }

    @Test("A revoked device learns it, keeps its data, and stops using the link; the discovery key changes (H-11)")
    func revocation() async throws {
        let (first, second) = (try await VirtualDevice(), try await VirtualDevice())
        try await first.account.createAccount(deviceName: "First")
        try await first.admit(second)
        let chain = try #require(second.account.linkIdentity()?.certificateChain)
        let oldKey = try #require(first.account.snapshot()?.discoveryKeys.newest)
        try await first.account.revoke(try second.id)
        #expect(first.account.verify(chainDER: chain).failure?.reason == "device_revoked")
        #expect(first.account.snapshot()?.discoveryKeys.newest != oldKey)
        // No device is left that has nothing newer.
        #expect(first.account.snapshot()?.discoveryKeys.all.contains(oldKey) == false)

        let events = Box(second.account.events())
        // A revoked device receives the statements and nothing else.
        let message = first.account.membershipMessage()
        try await second.account.merge(.with { $0.statements = message.statements })
        #expect(await events.next() == .membershipChanged)
        #expect(await events.next() == .revokedSelf)
        for account in [second.account, try await second.home.open()] {
            #expect(account.standing == .revoked)
            #expect(account.linkIdentity() == nil)
            #expect(account.snapshot()?.accountID == first.account.snapshot()?.accountID)
            #expect(
                account.verify(chainDER: try #require(first.account.linkIdentity()?.certificateChain)).failure?.reason
                    == "revoked")
            #expect(await reason { try await account.rename(to: "x") } == "revoked")
            #expect(await reason { try await account.revoke(try first.id) } == "revoked")
        }
        // The first keeps that across a restart too, and cannot revoke itself.
        let again = try await first.home.open()
        #expect(again.verify(chainDER: chain).failure?.reason == "device_revoked")
        #expect(await reason { try await again.revoke(try first.id) } == "cannot_revoke_itself")
        // Let in anew, it is another device.
        let oldID = try second.id
        try await first.admit(second)
        #expect(try second.id != oldID)
        #expect(second.account.standing == .member)
        #expect(first.account.membership()?.isRevoked(oldID) == true)
    }

    @Test("Two revocations at once: no device that was revoked knows the newest discovery key")
    func concurrentRevocations() async throws {
        let first = try await VirtualDevice()
        try await first.account.createAccount(deviceName: "First")
        let others = [try await VirtualDevice(), try await VirtualDevice(), try await VirtualDevice()]
        for other in others { try await first.admit(other) }
        let (second, thief, lost) = (others[0], others[1], others[2])
        for other in others { try await other.exchange(with: first) }
        try await first.account.revoke(try lost.id)
        // The second has not heard of that. It revokes the other one, and sends the lost one its new key.
        try await second.account.revoke(try thief.id)
        try await second.exchange(with: lost)
        let known = Set(try #require(lost.account.snapshot()).discoveryKeys.all)
        try await first.exchange(with: second)
        try await first.exchange(with: second)
        for device in [first, second] {
            let newest = try #require(device.account.snapshot()?.discoveryKeys.newest)
            #expect(!known.contains(newest))
        }
        #expect(first.account.snapshot()?.discoveryKeys.newest == second.account.snapshot()?.discoveryKeys.newest)
    }

    // H-11: a revoked device has the older keys for good.
    @Test("An old discovery key is forgotten once every member was met under a newer one, and handed to nobody")
    func oldKeys() async throws {
        let first = try await VirtualDevice()
        try await first.account.createAccount(deviceName: "First")
        let (second, away, thief) = (
            try await VirtualDevice(), try await VirtualDevice(), try await VirtualDevice()
        )
        for device in [second, away, thief] { try await first.admit(device) }
        // On paper, and never met.
        _ = try await first.account.makeRecoveryKey()
        func keys(_ device: VirtualDevice) -> [DiscoveryKey] { device.account.snapshot()?.discoveryKeys.all ?? [] }
        let old = try #require(keys(first).first)
        try await first.account.revoke(try thief.id)
        let new = try #require(keys(first).first)
        try await first.exchange(with: second)
        // The one that is away may have the old one only.
        #expect(keys(first) == [new, old])
        let joined = try await VirtualDevice()
        try await first.admit(joined, name: "Joined")
        #expect(keys(joined) == [new])
        try await joined.exchange(with: first)
        #expect(keys(joined) == [new])
        // Stored state survives a restart, and so do the devices that were met.
        let again = VirtualDevice(home: first.home, account: try await first.home.open())
        #expect(keys(again) == [new, old])
        try await again.exchange(with: away)
        #expect(keys(away).first == new)
        try await again.exchange(with: away)
        #expect(keys(again) == [new])
        // No device brings it back.
        try await again.account.merge(.with { $0.discoveryKeys = [old.message] }, from: try away.id)
        #expect(keys(again) == [new])
        // The thief is believed nothing.
        let made = try DiscoveryKey(
            timestamp: HybridTimestamp(rawValue: new.timestamp.rawValue + 1), bytes: [UInt8](repeating: 1, count: 32))
        try await again.account.merge(.with { $0.discoveryKeys = [made.message] }, from: try thief.id)
        #expect(keys(again) == [new])
    }

    @Test("A device that tells of a newer key than it announced itself with is called under that one")
    func toldKey() async throws {
        let (first, second, thief) = (try await VirtualDevice(), try await VirtualDevice(), try await VirtualDevice())
        try await first.account.createAccount(deviceName: "First")
        for device in [second, thief] { try await first.admit(device) }
        let (here, there) = (LinkAdmission(account: first.account), LinkAdmission(account: second.account))
        there.naming.announce("abc")
        #expect(here.naming.recognise("abc", there.naming.attributes("abc")) == .member(try second.id))
        try await first.account.revoke(try thief.id)
        // It has only the old key yet, and announces itself with it.
        #expect(there.admits(here.naming.serverName("abc", nil)))
        try await first.exchange(with: second)
        #expect(!there.admits(here.naming.serverName("abc", nil)))
        #expect(there.admits(here.naming.serverName("abc", try second.id)))
    }

    @Test("A discovery key that claims to be from tomorrow does not outlive a revocation")
    func futureKey() async throws {
        let (first, thief) = (try await VirtualDevice(), try await VirtualDevice())
        try await first.account.createAccount(deviceName: "First")
        try await first.admit(thief)
        let tomorrow = HybridTimestamp(
            milliseconds: WallClock.system.milliseconds + HybridLogicalClock.maximumDrift - 1000, counter: .max)
        var planted = Baton_Link_V1_Membership()
        planted.discoveryKeys = [
            .with {
                $0.timestamp = tomorrow.rawValue
                $0.key = Data(repeating: 7, count: 32)
            }
        ]
        #expect(try await first.account.merge(planted))
        #expect(first.account.snapshot()?.discoveryKeys.newest?.timestamp == tomorrow)
        try await first.account.revoke(try thief.id)
        let newest = try #require(first.account.snapshot()?.discoveryKeys.newest)
        #expect(newest.bytes != [UInt8](repeating: 7, count: 32) && newest.timestamp > tomorrow)
        // Others take it.
        let third = try await VirtualDevice()
        try await first.admit(third)
        #expect(third.account.snapshot()?.discoveryKeys.newest == newest)
    }

    @Test("A device whose clock is years behind joins, knows the discovery keys, and can be renamed")
    func slowClock() async throws {
        let first = try await VirtualDevice()
        try await first.account.createAccount(deviceName: "First")
        let past = WallClock { Date(timeIntervalSince1970: 1_000_000) }
        let second = try await VirtualDevice(AccountEnvironment(clock: past, random: AccountEnvironment.system.random))
        let third = try await VirtualDevice()
        try await first.admit(second)
        try await first.admit(third)
        #expect(second.account.snapshot()?.discoveryKeys == first.account.snapshot()?.discoveryKeys)
        try await second.account.rename(to: "Renamed")
        try await first.account.revoke(try third.id)
        try await second.exchange(with: first)
        #expect(second.account.snapshot()?.discoveryKeys.newest == first.account.snapshot()?.discoveryKeys.newest)
        #expect(first.account.snapshot()?.name(of: try second.id) == "Renamed")
        let again = try await second.home.open(
            AccountEnvironment(clock: past, random: AccountEnvironment.system.random))
        #expect(again.membershipMessage() == second.account.membershipMessage())
    }

    @Test("Many changes at once: none is lost, and the device's chain does not fork")
    func concurrentChanges() async throws {
        let device = try await VirtualDevice()
        try await device.account.createAccount(deviceName: "First")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let key = P256.Signing.PrivateKey()
                    let profile = try DeviceProfiles.make(name: "Device \(number)", timestamp: .zero, key: key)
                    _ = try await device.account.admit(key.publicKey, profile: profile)
                }
            }
            try await group.waitForAll()
        }
        let membership = try #require(try await device.home.open().membership())
        #expect(membership.members().count == 25)
        #expect(try !membership.isForked(device.id))
    }

    @Test("Events that nobody reads do not pile up, and none of a kind is lost")
    func coalescing() async throws {
        let device = try await VirtualDevice()
        let events = Box(device.account.events())
        let changes = Box(device.account.changes())
        try await device.account.createAccount(deviceName: "First")
        for number in 0..<50 { try await device.account.rename(to: "Name \(number)") }
        #expect(await events.next() == .accountChanged)
        #expect(await events.next() == .membershipChanged)
        #expect(await events.next() == .profilesChanged)
        try await device.account.revokeNobody()
        let other = try await VirtualDevice()
        try await device.admit(other)
        #expect(await events.next() == .membershipChanged)
        #expect(await changes.next() != nil)
        // Reading ends with the task.
        let reading = Task { await events.next() }
        reading.cancel()
        _ = await reading.value
    }

    @Test("Memberships that are forged, foreign or garbage change nothing and are recorded")
    func hostileMessages() async throws {
        let home = try TemporaryHome()
        let recorder = MemoryRecorder()
        let account = try await home.open(.system, recorder)
        try await account.createAccount(deviceName: "First")
        let foreign = try await VirtualDevice()
        try await foreign.account.createAccount(deviceName: "Foreign")
        let before = account.membershipMessage()
        var garbage = Baton_Link_V1_Membership()
        garbage.statements = [
            .with {
                $0.statement = Data([1, 2, 3])
                $0.signature = Data(repeating: 0, count: 64)
            }
        ]
        garbage.profiles = [.with { $0.profile = Data(repeating: 255, count: 10_000) }]
        garbage.discoveryKeys = [
            .with { $0.key = Data([1]) },
            .with {
                $0.timestamp = .max
                $0.key = Data(repeating: 7, count: 32)
            },
        ]
        #expect(try await !account.merge(garbage))
        var stranger = foreign.account.membershipMessage()
        stranger.discoveryKeys = []
        #expect(try await !account.merge(stranger))
        #expect(account.membershipMessage() == before)
        #expect(recorder.events.contains("statements_refused"))
    }

    @Test("Unknown fields in another device's messages are neither stored nor passed on")
    func unknownFields() async throws {
        let (first, second, third) = (try await VirtualDevice(), try await VirtualDevice(), try await VirtualDevice())
        try await first.account.createAccount(deviceName: "First")
        try await first.admit(second)
        try await second.admit(third)
        let plain = third.account.membershipMessage()
        let field: [UInt8] = [0xFA, 0x3F, 0x80, 0x80, 0x40] + [UInt8](repeating: 0x6A, count: 1 << 20)
        let junk = try Baton_Link_V1_KeepAlive(serializedBytes: field).unknownFields
        var padded = plain
        padded.unknownFields = junk
        for index in padded.statements.indices { padded.statements[index].unknownFields = junk }
        for index in padded.profiles.indices { padded.profiles[index].unknownFields = junk }
        for index in padded.discoveryKeys.indices { padded.discoveryKeys[index].unknownFields = junk }
        #expect(try await first.account.merge(padded))
        #expect(first.account.membershipMessage() == plain)
        #expect(try await first.home.open().membershipMessage() == plain)
        let file = try FileManager.default.attributesOfItem(atPath: first.home.accountFile)
        #expect(try #require(file[.size] as? Int) < 1 << 16)
    }

    @Test("An account that could not be loaded again is not stored")
    func tooLarge() async throws {
        let device = try await VirtualDevice()
        try await device.account.createAccount(deviceName: "Desk")
        let before = try Data(contentsOf: URL(fileURLWithPath: device.home.accountFile))
        var file = AccountFile(directory: device.home.locations.keys)
        let state = try file.load()
        file.limit = before.count - 1
        #expect(throws: BatonError.self) { try file.save(state) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: device.home.accountFile)) == before)
        file.limit = before.count
        try file.save(state)
    }

    @Test("Devices are named by identifier, a beginning of it, or name")
    func naming() async throws {
        let (first, second, third) = (try await VirtualDevice(), try await VirtualDevice(), try await VirtualDevice())
        try await first.account.createAccount(deviceName: "Same")
        try await first.admit(second, name: "Same")
        try await first.admit(third, name: "Other")
        let id = try third.id
        #expect(try first.account.device(named: id.rawValue.lowercased()) == id)
        #expect(try first.account.device(named: String(id.rawValue.prefix(8))) == id)
        #expect(try first.account.device(named: "Other") == id)
        #expect(await reason { _ = try first.account.device(named: "Same") } == "ambiguous_device")
        #expect(await reason { _ = try first.account.device(named: "Nobody") } == "unknown_device")
        #expect(await reason { _ = try first.account.device(named: "") } == "unknown_device")
        #expect(try first.account.device(named: "oth") == id)
        #expect(try first.account.device(named: "OTHER") == id)
        // A name that a revoked device had means the member that has it now.
        try await first.account.revoke(try second.id)
        #expect(try first.account.device(named: "Same") == first.id)
    }

    @Test("An answer that does not let this device in makes no account", arguments: 0..<6)
    func hostileJoin(variant: Int) async throws {
        let (first, other) = (try await VirtualDevice(), try await VirtualDevice())
        let foreign = try await VirtualDevice()
        try await first.account.createAccount(deviceName: "First")
        try await foreign.account.createAccount(deviceName: "Foreign")
        let key = P256.Signing.PrivateKey()
        let profile = try DeviceProfiles.make(name: "Second", timestamp: .zero, key: key)
        var response = try await first.account.admit(key.publicKey, profile: profile)
        switch variant {
        case 0: response.rootPublicKey = Data(repeating: 4, count: 65)
        case 1: response.contentKey = Data([1])
        case 2: response.sponsorDeviceID = try foreign.id.rawValue
        case 3: response.membership.statements.removeLast()
        case 4: response.membership = foreign.account.membershipMessage()
        default: response.membership.statements.removeFirst()
        }
        await #expect(throws: BatonError.self) {
            _ = try await other.account.join(response, deviceKey: key, deviceName: "Second")
        }
        #expect(other.account.snapshot() == nil)
        #expect(!FileManager.default.fileExists(atPath: other.home.accountFile))
    }
}

extension AccountService {
    /// A change that changes nothing: it notifies no device.
    fileprivate func revokeNobody() async throws { try await merge(membershipMessage()) }
}

/// One reader of a stream.
final class Box<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    init(_ stream: AsyncStream<Element>) { self.stream = stream }
    func next() async -> Element? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
    var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }
}
