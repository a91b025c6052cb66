import BatonCore
import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf
import Sync
import Testing

@testable import Records

/// Deletions leave for good after 30 days by the account's time (D-1, rule 9).
@Suite("Burial of records", .timeLimit(.minutes(1)))
struct BurialTests {
    private static let kept = "SELECT COUNT(*) FROM record WHERE name = 'r'"
    private static let present = "SELECT COUNT(*) FROM record WHERE name = 'r' AND is_present = 1"

    /// - Parameter lead: of the second one's clock, in days.
    private static func three(lead: Double = 0) async throws -> (RecordsCloud, [BuryingDevice], TemporaryDirectory) {
        let (cloud, directory) = (RecordsCloud(), try TemporaryDirectory())
        var devices: [BuryingDevice] = []
        for (name, lead) in [("a", 0), ("b", lead), ("c", 0)] {
            devices.append(try await BuryingDevice(directory, name, cloud, lead: lead))
        }
        try await devices[0].device.makeZone()
        for device in devices { try await device.sync() }
        return (cloud, devices, directory)
    }

    private static func save(_ text: String, on device: BuryingDevice) async throws {
        _ = try await device.device.save([RecordsDevice.record("r", ["text": text])], policy: .changedKeys)
    }

    private static func delete(on device: BuryingDevice) async throws {
        _ = try await device.device.save([], deleting: ["r"])
    }

    @Test("24 bytes are left of a deletion, and a device that was away for long does not bring the record back")
    func lateDevice() async throws {
        let (cloud, devices, directory) = try await Self.three()
        let (a, b, late) = (devices[0], devices[1], devices[2])
        try await Self.save("one", on: a)
        for device in devices { try await device.sync() }
        try await Self.delete(on: a)
        for device in [a, b] { try await device.sync() }
        try await cloud.pass(days: 25, [a, b])
        #expect(try await a.count(Self.kept) == 1)
        try await cloud.pass(days: 15, [a, b])
        for device in [a, b] {
            #expect(try await device.count(Self.kept) == 0)
            #expect(try await device.count("SELECT COUNT(*) FROM grave") == 1)
        }
        let zone = try #require(RecordsDevice.container).zone(try #require(RecordZoneName("Z")))
        #expect(cloud.contents(of: zone).values.map(\.count) == [25])
        // Directly, and then through the cloud.
        try await late.device.give(to: a.device)
        #expect(try await a.count(Self.kept) == 0)
        try await late.sync()
        try await a.sync()
        #expect(try await late.count(Self.present) == 0)
        #expect(try await a.count(Self.kept) == 0)
        #expect(cloud.contents(of: zone).count == 1)
        // It waits its own 30 days, unannounced.
        #expect(try await late.count(Self.kept) == 1)
        try await late.device.give(to: a.device)
        #expect(try await a.count(Self.kept) == 0)
        try await cloud.pass(days: 40, devices)
        #expect(try await late.count(Self.kept) == 0)
        withExtendedLifetime(directory) {}
    }

    @Test("what a device deletes whose clock is behind is gone on all, also where it was deleted before and made again")
    func clockBehind() async throws {
        let (cloud, devices, directory) = try await Self.three(lead: -200)
        let (a, behind, late) = (devices[0], devices[1], devices[2])
        try await Self.save("one", on: a)
        try await Self.delete(on: a)
        try await Self.save("two", on: a)
        for device in devices { try await device.sync() }
        #expect(try await late.count(Self.present) == 1)
        try await Self.delete(on: behind)
        for device in [behind, a] { try await device.sync() }
        try await cloud.pass(days: 40, [behind, a])
        for device in [late, a, behind] { try await device.sync() }
        for device in devices { #expect(try await device.count(Self.present) == 0) }
        withExtendedLifetime(directory) {}
    }

    @Test("an edit that the deletion had not seen keeps the record, also after its burial, whatever its clock says")
    func unseenEdit() async throws {
        let (cloud, devices, directory) = try await Self.three()
        let (a, b, late) = (devices[0], devices[1], devices[2])
        try await Self.save("one", on: a)
        for device in devices { try await device.sync() }
        // Before the deletion, and only here.
        try await Self.save("kept", on: late)
        cloud.pass(days: 1)
        try await Self.delete(on: a)
        for device in [a, b] { try await device.sync() }
        try await cloud.pass(days: 45, [a, b])
        #expect(try await a.count(Self.kept) == 0)
        try await late.device.give(to: b.device)
        try await late.sync()
        for device in devices { try await device.sync() }
        for device in devices {
            #expect(try await device.device.fetch("r").record.texts == ["text": "kept"])
        }
        // It is edited and deleted as any other; no dot was given twice.
        try await Self.save("again", on: a)
        try await a.sync()
        try await late.sync()
        #expect(try await late.device.fetch("r").record.texts == ["text": "again"])
        try await Self.delete(on: late)
        for device in [late] + devices { try await device.sync() }
        for device in devices { #expect(try await device.count(Self.present) == 0) }
        try await cloud.pass(days: 45, devices)
        for device in devices { #expect(try await device.count(Self.kept) == 0) }
        withExtendedLifetime(directory) {}
    }

    @Test("a name that is used again is another record, and an old copy adds nothing to it")
    func usedAgain() async throws {
        let (cloud, devices, directory) = try await Self.three()
        let (a, b, late) = (devices[0], devices[1], devices[2])
        _ = try await a.device.save([RecordsDevice.record("r", ["old": "x"])])
        for device in devices { try await device.sync() }
        try await Self.delete(on: a)
        for device in [a, b] { try await device.sync() }
        try await cloud.pass(days: 45, [a, b])
        try await Self.save("new", on: a)
        try await late.device.give(to: a.device)
        #expect(try await a.device.fetch("r").record.texts == ["text": "new"])
        for device in [a, late, b, a] { try await device.sync() }
        for device in devices { #expect(try await device.device.fetch("r").record.texts == ["text": "new"]) }
        try await Self.delete(on: b)
        for device in [b, a, late] { try await device.sync() }
        for device in devices { #expect(try await device.count(Self.present) == 0) }
        withExtendedLifetime(directory) {}
    }

    @Test("a false clock ends nothing, and a member's false grave nothing that can be undone")
    func falseWords() async throws {
        let (cloud, devices, directory) = try await Self.three()
        let (a, b) = (devices[0], devices[1])
        try await Self.save("one", on: a)
        for device in devices { try await device.sync() }
        let zone = try #require(RecordsDevice.container).zone(try #require(RecordZoneName("Z")))
        let id = RecordGraves.id(of: try RecordName("r"))
        func tell(_ milliseconds: UInt64) async throws {
            var graves = Graveyard()
            graves.bury(id, at: HybridTimestamp(milliseconds: milliseconds, counter: 0).rawValue)
            let shard = Graveyard.name(of: id)
            let content = try #require(graves.content(ofName: shard))
            try await b.device.zones.exchanged(
                [RecordGraves.itemName(ofShard: shard): content, "_graves-ff": content], in: zone)
        }
        // One of the future is refused. One of now hides it here, unannounced, until the next edit.
        try await tell(try #require(cloud.accountTime) + 3 * 24 * 60 * 60 * 1000)
        #expect(try await b.count(Self.present) == 1)
        try await tell(try #require(cloud.accountTime) + 1000)
        #expect(try await b.count(Self.present) == 0)
        #expect(try await b.count(Self.kept) == 1)
        #expect(try await b.device.zones.contents(of: ["r"], in: zone).isEmpty)
        try await Self.save("two", on: b)
        try await b.sync()
        try await a.sync()
        for device in [a, b] { #expect(try await device.device.fetch("r").record.texts == ["text": "two"]) }

        // A leap of the account's time counts for nothing.
        try await Self.delete(on: a)
        try await a.sync()
        try await a.look()
        cloud.pass(days: 60)
        try await a.look()
        try await a.sync()
        #expect(try await a.count(Self.kept) == 1)
        withExtendedLifetime(directory) {}
    }

    @Test("an app that was not told of a deletion begins from nothing, also while its first reading goes on")
    func tokens() async throws {
        let (cloud, devices, directory) = try await Self.three()
        let a = devices[0]
        try await Self.save("one", on: a)
        for number in 0..<3 { _ = try await a.device.save([RecordsDevice.record("\(number)", ["text": "x"])]) }
        let before = try await a.device.changes().token
        func page(_ token: Data) async throws -> Baton_App_V1_FetchZoneChangesResponse {
            let request = Baton_App_V1_FetchZoneChangesRequest.with {
                $0.zone.zoneName = "Z"
                $0.token = token
                $0.limit = 1
            }
            return try await a.device.replica.perform { try $0.changes(request) }
        }
        let reading = try await page(Data())
        #expect(reading.more)
        try await Self.delete(on: a)
        try await a.sync()
        try await cloud.pass(days: 45, [a])
        #expect(try await a.count(Self.kept) == 0)
        for token in [before, reading.token] {
            let error = await #expect(throws: BatonError.self) { try await page(token) }
            #expect(error?.reason == "change_token_expired")
        }
        var (token, names): (Data, [String]) = (Data(), [])
        while true {
            let answer = try await page(token)
            names += answer.records.map(\.id.recordName)
            token = answer.token
            if !answer.more { break }
        }
        #expect(names == ["0", "1", "2"])
        #expect(try await page(token).records.isEmpty)
        withExtendedLifetime(directory) {}
    }

    @Test("what the cloud has lost is written again, but for what was buried")
    func startedOver() async throws {
        let (cloud, devices, directory) = try await Self.three()
        let (a, late) = (devices[0], devices[2])
        try await Self.save("one", on: a)
        for device in devices { try await device.sync() }
        try await Self.delete(on: a)
        try await a.sync()
        try await cloud.pass(days: 45, [a])
        for device in [late, a] { try await device.resync() }
        for device in [late, a] { try await device.sync() }
        let zone = try #require(RecordsDevice.container).zone(try #require(RecordZoneName("Z")))
        #expect(cloud.contents(of: zone).count == 1)
        #expect(try await late.count(Self.present) == 0)
        withExtendedLifetime(directory) {}
    }
}
