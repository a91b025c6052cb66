import BatonCore
import BatonStore
import BatonTestSupport
import BatonTrust
import BatonWire
import Crypto
import Devices
import Foundation
import Testing

@testable import Sync

@Suite("The zone of content keys") struct KeyZoneTests {
    /// The zone as the cloud has it.
    private struct Cloud {
        private(set) var items: [String: IncomingItem] = [:]
        private var head: UInt64 = 0

        /// The items that a device wants written.
        @discardableResult
        mutating func write(from zone: KeyZone, limit: Int = 1000) async throws -> [OutgoingItem] {
            let pending = try await zone.pending(in: KeyZone.zone, limit: limit)
            var written: [(item: OutgoingItem, version: UInt64)] = []
            for item in pending {
                let present = items[item.name]?.version ?? 0
                #expect(item.replaces == present)
                put(item.name, item.state)
                written.append((item: item, version: head))
            }
            try await zone.written(written, in: KeyZone.zone)
            return pending
        }

        func read(into zone: KeyZone) async throws {
            try await zone.received(items.values.sorted { $0.version < $1.version }, in: KeyZone.zone)
        }

        mutating func put(_ name: String, _ state: ItemState) {
            head += 1
            items[name] = IncomingItem(name: name, version: head, state: state)
        }

        /// It is gone, and so is that it ever was.
        mutating func lose(_ name: String) { items[name] = nil }
    }

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func keyZone(of device: AccountDevice) async throws -> KeyZone {
        let database = try DaemonDatabase(path: device.database, migrations: KeyZone.migrations)
        return try await KeyZone(database: database, account: device.account)
    }

    private func pending(_ zone: KeyZone) async throws -> [OutgoingItem] {
        try await zone.pending(in: KeyZone.zone, limit: 1000)
    }

    /// The names of the items of these generations for these devices.
    private func names(_ generations: [ContentKey.ID], _ devices: [AccountDevice]) throws -> Set<String> {
        var names: Set<String> = []
        for device in devices {
            let id = try device.id
            for generation in generations {
                names.insert(KeyZoneCodec.name(ContentKeyEnvelopes.itemID(generation: generation, recipient: id)))
            }
        }
        return names
    }

    private func firstGeneration(_ device: AccountDevice) throws -> ContentKey.ID {
        try #require(device.account.keyRing()?.first.id)
    }

    private func newestGeneration(_ device: AccountDevice) throws -> ContentKey.ID {
        try #require(device.account.keyRing()?.generations.last?.id)
    }

    private func reason(_ operation: () throws -> Void) -> String {
        do {
            try operation()
            return "none"
        } catch {
            return (error as? BatonError)?.reason ?? "\(error)"
        }
    }

    /// Why nothing may be sealed.
    private func sharing(_ zone: KeyZone) -> String { reason { try zone.checkShared() } }

    // MARK: Writing

    @Test("A missing envelope that a member needs is to be written, and not again once it was")
    func missing() async throws {
        let devices = try await AccountDevice.household(2, in: folder)
        let (here, there) = (try await keyZone(of: devices[0]), try await keyZone(of: devices[1]))
        let first = try firstGeneration(devices[0])
        var cloud = Cloud()
        #expect(try await here.zones() == [KeyZone.zone])
        #expect(try await here.pending(in: KeyZone.zone, limit: 1).count == 1)
        let written = try await cloud.write(from: here)
        let needed = try names([first], devices)
        #expect(Set(written.map(\.name)) == needed)
        #expect(try await pending(here).isEmpty)
        // Another member has nothing to add to it.
        #expect(try await pending(there).count == 2)
        try await cloud.read(into: there)
        #expect(try await pending(there).isEmpty)
        // A joining device needs one too.
        let joined = try await AccountDevice(folder.file("joined"))
        try await devices[1].admit(joined)
        let added = try await cloud.write(from: there)
        let ofJoined = try names([first], [joined])
        #expect(Set(added.map(\.name)) == ofJoined)
        #expect(try await pending(there).isEmpty)
    }

    @Test("Needed envelopes are written again when the cloud has deleted, damaged or lost them, or has another epoch")
    func brokenCloud() async throws {
        let devices = try await AccountDevice.household(3, in: folder)
        let zone = try await keyZone(of: devices[0])
        var cloud = Cloud()
        let names = try await cloud.write(from: zone).map(\.name)
        try #require(names.count == 3)
        let old = try #require(cloud.items[names[0]])
        cloud.put(names[0], .deleted(tombstone: nil))
        cloud.put(names[1], .content(Data([1, 2, 3])))
        try await cloud.read(into: zone)
        let again = try await cloud.write(from: zone)
        #expect(Set(again.map(\.name)) == [names[0], names[1]])
        #expect(again.allSatisfy { $0.replaces > 0 && $0.content != nil })
        #expect(try await pending(zone).isEmpty)
        // A late report of an older state changes nothing.
        let late = IncomingItem(name: names[0], version: old.version, state: .deleted(tombstone: nil))
        try await zone.received([late], in: KeyZone.zone)
        #expect(try await pending(zone).isEmpty)

        cloud.lose(names[2])
        try await zone.startedOver(KeyZone.zone, holding: [names[0], names[1]])
        let lost = try await cloud.write(from: zone)
        #expect(lost.map(\.name) == [names[2]])
        #expect(try await pending(zone).isEmpty)
        try await zone.zoneReset(of: KeyZone.zone)
        let replaced = try await pending(zone)
        #expect(Set(replaced.map(\.name)) == Set(names))
        #expect(replaced.allSatisfy { $0.replaces == 0 })
        // Unless it comes from there.
        try await cloud.read(into: zone)
        #expect(try await pending(zone).isEmpty)
    }

    @Test("Envelopes for a revoked device are deleted, once; that device writes and learns nothing (H-2)")
    func revoked() async throws {
        let devices = try await AccountDevice.household(3, in: folder)
        let (first, second, lost) = (devices[0], devices[1], devices[2])
        let zone = try await keyZone(of: first)
        var cloud = Cloud()
        try await cloud.write(from: zone)
        try await first.account.revoke(lost.id)
        let oldest = try firstGeneration(first)
        let newest = try newestGeneration(first)
        let changes = try await cloud.write(from: zone)
        let deleted = changes.filter { $0.content == nil }.map(\.name)
        let written = changes.filter { $0.content != nil }.map(\.name)
        let ofLost = try names([oldest], [lost])
        let ofMembers = try names([newest], [first, second])
        #expect(Set(deleted) == ofLost && Set(written) == ofMembers)
        // Over the quota the cloud takes only what makes room.
        #expect(changes.first?.content == nil)
        #expect(try await pending(zone).isEmpty)

        try await lost.learnStatements(from: first)
        let outside = try await keyZone(of: lost)
        try await cloud.read(into: outside)
        #expect(try await pending(outside).isEmpty)
        #expect(lost.account.keyRing()?.generation(newest) == nil)
    }

    // MARK: Reading

    @Test("A member that has heard of a revocation, and of no key, takes the key from the zone")
    func takenIn() async throws {
        let devices = try await AccountDevice.household(3, in: folder)
        let (first, second, lost) = (devices[0], devices[1], devices[2])
        try await first.account.revoke(lost.id)
        let newest = try newestGeneration(first)
        try await second.learnStatements(from: first)
        #expect(second.account.keyRing()?.generation(newest) == nil)
        var cloud = Cloud()
        try await cloud.write(from: try await keyZone(of: first))
        let zone = try await keyZone(of: second)
        try await cloud.read(into: zone)
        let snapshot = try #require(second.account.snapshot())
        #expect(snapshot.keyRing.usable(in: snapshot.membership)?.id == newest)
        #expect(snapshot.keyRing.messages == first.account.keyRing()?.messages)
        // It makes no key of its own, and has nothing to add.
        #expect(try await pending(zone).isEmpty)
    }

    @Test("A key that came before the statements that it depends on is taken from the zone later, after a restart too")
    func beforeItsStatements() async throws {
        let devices = try await AccountDevice.household(3, in: folder)
        let (first, second, lost) = (devices[0], devices[1], devices[2])
        try await first.account.revoke(lost.id)
        let newest = try newestGeneration(first)
        var cloud = Cloud()
        try await cloud.write(from: try await keyZone(of: first))
        try await cloud.read(into: try await keyZone(of: second))
        #expect(second.account.keyRing()?.generation(newest) == nil)
        let again = try await AccountDevice(second.home)
        try await again.learnStatements(from: first)
        #expect(again.account.keyRing()?.generation(newest) == nil)
        try await keyZone(of: again).didFinishInitialFetch(KeyZone.zone, by: .cloud)
        #expect(again.account.keyRing()?.generation(newest) != nil)
    }

    @Test("An item that cannot be an envelope is written over, and its bytes are not kept")
    func tooLarge() async throws {
        let device = try await AccountDevice.household(1, in: folder)[0]
        let zone = try await keyZone(of: device)
        var cloud = Cloud()
        let name = try #require(try await cloud.write(from: zone).first?.name)
        cloud.put(name, .content(Data(count: 8 << 20)))
        try await cloud.read(into: zone)
        let sizes = try ["", "-wal"].map { end in
            try FileManager.default.attributesOfItem(atPath: device.database + end)[.size] as? Int ?? 0
        }
        #expect(sizes.reduce(0, +) < 1 << 20)
        let again = try await cloud.write(from: zone)
        #expect(again.map(\.name) == [name])
        #expect(try await pending(zone).isEmpty)
    }

    @Test("An envelope of a device revoked since brings a later generation, but no first one, and is written anew")
    func revokedWriter() async throws {
        let devices = try await AccountDevice.household(4, in: folder)
        let (first, writer, reader, lost) = (devices[0], devices[1], devices[2], devices[3])
        try await first.account.revoke(lost.id)
        try await writer.learn(from: first)
        var cloud = Cloud()
        try await cloud.write(from: try await keyZone(of: writer))
        let oldest = try firstGeneration(first)
        let later = try newestGeneration(first)
        try await first.account.revoke(writer.id)
        try await reader.learnStatements(from: first)
        #expect(reader.account.keyRing()?.generation(later) == nil)
        let zone = try await keyZone(of: reader)
        try await cloud.read(into: zone)
        let snapshot = try #require(reader.account.snapshot())
        let (issuer, writerID) = (try first.id, try writer.id)
        #expect(snapshot.keyRing.generation(later)?.issuer == issuer)

        let identity = try #require(reader.account.linkIdentity())
        let key = try P256.Signing.PrivateKey(derRepresentation: identity.privateKey)
        for (generation, expected) in [(oldest, "envelope_refused"), (later, "none")] {
            let ofReader = try names([generation], [reader])
            let name = try #require(ofReader.first)
            let content = try #require(cloud.items[name]?.content)
            let envelope = try ContentKeyEnvelope(content, account: snapshot.accountID)
            let outcome = reason { _ = try envelope.open(with: key, membership: snapshot.membership) }
            #expect(envelope.writer == writerID && outcome == expected)
        }
        let changes = try await pending(zone)
        let rewritten = changes.filter { $0.content != nil && $0.replaces > 0 }.map(\.name)
        let deleted = changes.filter { $0.content == nil }.map(\.name)
        let ofMembers = try names([oldest, later], [first, reader])
        let ofWriter = try names([oldest, later], [writer])
        #expect(Set(rewritten) == ofMembers && Set(deleted) == ofWriter)
    }

    // MARK: Sealing

    @Test("A later generation counts as shared when it lies there for every member, the first one from the start")
    func shared() async throws {
        let devices = try await AccountDevice.household(3, in: folder)
        let (first, second, lost) = (devices[0], devices[1], devices[2])
        let zone = try await keyZone(of: first)
        #expect(sharing(zone) == "none")
        try await first.account.revoke(lost.id)
        let newest = try newestGeneration(first)
        let needed = try names([newest], [first, second])
        var cloud = Cloud()
        var written: Set<String> = []
        while !needed.isSubset(of: written) {
            #expect(sharing(zone) == "content_key_not_shared")
            let items = try await cloud.write(from: zone, limit: 1)
            try #require(!items.isEmpty)
            written.formUnion(items.map(\.name))
        }
        #expect(sharing(zone) == "none")

        // To another member it does when it has read so, be the key from elsewhere.
        try await second.learn(from: first)
        let other = try await keyZone(of: second)
        #expect(sharing(other) == "content_key_not_shared")
        try await cloud.read(into: other)
        #expect(sharing(other) == "none")

        // A device that joins is a member too.
        let joined = try await AccountDevice(folder.file("joined"))
        try await first.admit(joined)
        #expect(sharing(zone) == "content_key_not_shared")
        try await cloud.write(from: zone)
        #expect(sharing(zone) == "none")
        let ofSecond = try names([newest], [second])
        let name = try #require(ofSecond.first)
        cloud.put(name, .deleted(tombstone: nil))
        try await cloud.read(into: zone)
        #expect(sharing(zone) == "content_key_not_shared")
    }

    @Test("The zone's items are known after a restart, with their versions")
    func reopened() async throws {
        let devices = try await AccountDevice.household(3, in: folder)
        let (first, second, lost) = (devices[0], devices[1], devices[2])
        var database = try DaemonDatabase(path: first.database, migrations: KeyZone.migrations)
        let zone = try await KeyZone(database: database, account: first.account)
        var cloud = Cloud()
        try await cloud.write(from: zone)
        try await first.account.revoke(lost.id)
        try await cloud.write(from: zone)
        let known = zone.items.names
        try database.close()

        database = try DaemonDatabase(path: first.database, migrations: KeyZone.migrations)
        let again = try await KeyZone(database: database, account: first.account)
        #expect(again.items.names == known)
        #expect(known.count == 5)
        #expect(try await pending(again).isEmpty)
        #expect(sharing(again) == "none")
        try await first.account.revoke(second.id)
        // Each names the version that it replaces.
        let changes = try await cloud.write(from: again)
        #expect(changes.filter { $0.content == nil }.count == 2)
        try database.close()
    }
}
