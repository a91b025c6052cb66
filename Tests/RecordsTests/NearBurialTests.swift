import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Records
import Testing

/// Deletions leave for good in an account without a cloud too, once all devices have met (D-1, rule 9).
@Suite("Burial of records without a cloud", .timeLimit(.minutes(1)))
struct NearBurialTests {
    private static let kept = "SELECT COUNT(*) FROM record WHERE name = 'r'"
    private static let present = "SELECT COUNT(*) FROM record WHERE name = 'r' AND is_present = 1"

    /// Its cloud gives the account's time, and nothing else is asked of it.
    private struct Near {
        let id: DeviceID
        let burying: BuryingDevice
        var device: RecordsDevice { burying.device }

        init(_ directory: TemporaryDirectory, _ name: String, _ cloud: RecordsCloud, others: [String]) async throws {
            id = RecordsDevice.id(name)
            burying = try await BuryingDevice(directory, name, cloud)
            let others = Set(others.map(RecordsDevice.id))
            burying.device.service.connect(members: RecordsMembers(hasCloud: { false }, others: { others }))
        }

        func save(_ text: String) async throws {
            _ = try await device.save([RecordsDevice.record("r", ["text": text])], policy: .changedKeys)
        }

        /// Exchanges all, and compares then, as near devices do.
        func meet(_ other: Near) async throws {
            for _ in 0..<2 {
                try await device.give(to: other.device)
                try await other.device.give(to: device)
            }
            for zone in try await device.zones.zones() {
                let digest = try await device.zones.digest(of: zone)
                try await device.zones.met(other.id, in: zone, digest: try await other.device.zones.digest(of: zone))
                try await other.device.zones.met(id, in: zone, digest: digest)
            }
        }

        func count(_ sql: String) async throws -> Int { try await burying.count(sql) }
    }

    /// Time passes while these devices are near each other.
    private static func pass(days: Int, _ cloud: RecordsCloud, _ devices: [Near]) async throws {
        for _ in 0..<(days + 4) / 5 {
            cloud.pass(days: 5)
            for device in devices { try await device.burying.look() }
            for device in devices.dropFirst() { try await devices[0].meet(device) }
        }
    }

    @Test("A deletion is buried when each other device was met since, and had the same")
    func allMet() async throws {
        let (cloud, directory) = (RecordsCloud(), try TemporaryDirectory())
        let a = try await Near(directory, "a", cloud, others: ["b", "c"])
        let b = try await Near(directory, "b", cloud, others: ["a", "c"])
        let c = try await Near(directory, "c", cloud, others: ["a", "b"])
        try await a.device.makeZone()
        try await a.save("one")
        for device in [b, c] { try await a.meet(device) }
        _ = try await a.device.save([], deleting: ["r"])
        try await Self.pass(days: 60, cloud, [a, b])
        for device in [a, b] { #expect(try await device.count(Self.kept) == 1) }
        #expect(try await c.count(Self.present) == 1)

        try await a.meet(c)
        try await b.meet(c)
        try await Self.pass(days: 5, cloud, [a, b])
        for device in [a, b] {
            #expect(try await device.count(Self.kept) == 0)
            #expect(try await device.count("SELECT COUNT(*) FROM grave") == 1)
        }
        // It waits its own 30 days, unannounced.
        try await a.meet(c)
        #expect(try await c.count(Self.present) == 0)
        #expect(try await a.count(Self.kept) == 0)
        try await Self.pass(days: 40, cloud, [a, b, c])
        #expect(try await c.count(Self.kept) == 0)
        withExtendedLifetime(directory) {}
    }

    @Test("An old copy of what was buried comes back nowhere, unless it was edited and nobody had heard of that")
    func oldCopies() async throws {
        let (cloud, directory) = (RecordsCloud(), try TemporaryDirectory())
        let a = try await Near(directory, "a", cloud, others: ["b"])
        let b = try await Near(directory, "b", cloud, others: ["a"])
        // Restored from a backup of before.
        let old = try await Near(directory, "c", cloud, others: ["a", "b"])
        let edited = try await Near(directory, "d", cloud, others: ["a", "b"])
        try await a.device.makeZone()
        try await a.save("one")
        for device in [b, old, edited] { try await a.meet(device) }
        try await edited.save("two")
        _ = try await a.device.save([], deleting: ["r"])
        try await Self.pass(days: 40, cloud, [a, b])
        #expect(try await a.count(Self.kept) == 0)

        try await old.device.give(to: a.device)
        #expect(try await a.count(Self.kept) == 0)
        try await a.meet(old)
        #expect(try await old.count(Self.present) == 0)
        #expect(try await a.count(Self.kept) == 0)

        for device in [edited, b] { try await a.meet(device) }
        for device in [a, b, edited] {
            #expect(try await device.count(Self.present) == 1)
            #expect(try await device.device.fetch("r").record.texts["text"] == "two")
        }
        withExtendedLifetime(directory) {}
    }
}
