import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import GRDB
import RecordMerge
import Synchronization
import Testing

@testable import Records

/// Sums of a column that counts are folded once their device was revoked (D-1).
@Suite("Sums of revoked devices", .timeLimit(.minutes(1)))
struct FoldedSumTests {
    private final class Revoked: Sendable {
        private let devices = Mutex<Set<String>>([])
        func insert(_ device: String) { devices.withLock { _ = $0.insert(device) } }
        func contains(_ device: String) -> Bool { devices.withLock { $0.contains(device) } }
    }

    private static func record(_ device: BuryingDevice) async throws -> RecordMerge.Record {
        try await device.device.replica.perform { transaction in
            let row = try #require(try Row.fetchOne(transaction.db, sql: "SELECT * FROM record WHERE type = 'pages'"))
            return try KeptRecord(row).record
        }
    }

    private static func count(_ number: UInt64, _ difference: Int64, on device: BuryingDevice) async throws {
        let cursor = try await MirroredZoneTests.fetch(device.device).cursor
        _ = try await MirroredZoneTests.send(
            number, [MirroredCounterTests.count("p", difference)], cursor: cursor, from: device.device)
    }

    @Test("They are one sum after 30 days, the same on all devices, and a late copy adds nothing to it")
    func folded() async throws {
        let (cloud, directory, revoked) = (RecordsCloud(), try TemporaryDirectory(), Revoked())
        var devices: [BuryingDevice] = []
        for name in ["a", "b", "c"] {
            let device = try await BuryingDevice(directory, name, cloud)
            device.device.service.connect(members: RecordsMembers(isRevoked: { revoked.contains($0) }))
            _ = try await MirroredZoneTests.start(device.device, tables: MirroredCounterTests.tables, on: name)
            devices.append(device)
        }
        let (a, b, c) = (devices[0], devices[1], devices[2])
        _ = try await MirroredZoneTests.send(
            1, [MirroredZoneTests.put("pages", "p", ["slug": "p"])], from: a.device)
        for _ in 0..<2 { for device in devices { try await device.sync() } }
        for (device, difference) in zip(devices, [Int64(1), 10, 100]) {
            try await Self.count(2, difference, on: device)
        }
        for _ in 0..<2 { for device in devices { try await device.sync() } }
        // No device hears of this one in time.
        try await Self.count(3, 1000, on: c)

        revoked.insert("c")
        try await cloud.pass(days: 25, [a, b])
        #expect(try await Self.record(a).counters["views"]?.sums.count == 3)
        try await cloud.pass(days: 15, [a, b])
        for _ in 0..<2 { for device in [a, b] { try await device.sync() } }
        let record = try await Self.record(a)
        #expect(record.counters["views"]?.sums.count == 3)
        #expect(record.counters["views"]?.sums[.settlement]?.value == 100)
        #expect(record.folded.count == 1)
        #expect(try await Self.record(b) == record)
        for device in [a, b] {
            #expect(try await device.count("SELECT COUNT(*) FROM record WHERE pending > 0") == 0)
            #expect(try await device.count("SELECT COUNT(*) FROM record WHERE is_folding = 1") == 0)
            #expect(try await MirroredCounterTests.views(device.device) == ["p": 111])
        }

        try await c.device.give(to: b.device)
        try await Self.count(4, 10, on: b)
        for _ in 0..<2 { for device in [a, b] { try await device.sync() } }
        for device in [a, b] { #expect(try await MirroredCounterTests.views(device.device) == ["p": 121]) }
        #expect(try await Self.record(a) == Self.record(b))
        withExtendedLifetime(directory) {}
    }
}
