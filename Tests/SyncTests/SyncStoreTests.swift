import BatonCore
import BatonStore
import BatonTestSupport
import Foundation
import Testing

@testable import Sync

@Suite("How far zones were read")
struct SyncStoreTests {
    private static let account = AccountID(unchecked: String(repeating: "A", count: 26))
    private static func owner(_ device: String) -> SyncStore.Owner {
        .init(account: account, device: DeviceID(unchecked: String(repeating: device, count: 26)))
    }

    @Test("what was saved is there after the database was closed; what was opened is tried no more")
    func reopened() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("daemon.sqlite")
        let record = ZoneRecord(
            server: "https://cloud", cursor: Data([1, 2]), position: 7, known: .max, isStartingOver: true)
        do {
            let database = try DaemonDatabase(path: path, migrations: SyncStore.migrations)
            let records = SyncStore(database: database).records(of: Self.owner("B"))
            try await records.save(record, of: .data, parking: [Data([7]), Data([8])], unparking: [])
            try await records.save(record, of: .data, parking: [], unparking: [Data([7])])
            try database.close()
        }
        let database = try DaemonDatabase(path: path, migrations: SyncStore.migrations)
        let records = SyncStore(database: database).records(of: Self.owner("B"))
        #expect(try await records.record(of: .data) == record)
        #expect(try await records.parked(in: .data, limit: 10) == [Data([8])])
        #expect(try await records.record(of: .other) == nil)
        #expect(try await records.parked(in: .other, limit: 10) == [])
    }

    @Test("more items without a key than are kept in mind are not taken, and what was kept stays")
    func tooManyParked() async throws {
        let directory = try TemporaryDirectory()
        let database = try DaemonDatabase(path: directory.file("daemon.sqlite"), migrations: SyncStore.migrations)
        let records = SyncStore(database: database, parkedLimit: 3).records(of: Self.owner("B"))
        let record = ZoneRecord(server: "https://cloud", cursor: Data([1]))
        try await records.save(record, of: .data, parking: [Data([1]), Data([2])], unparking: [])
        let later = ZoneRecord(server: "https://cloud", cursor: Data([2]))
        do {
            try await records.save(later, of: .data, parking: [Data([3]), Data([4])], unparking: [])
            Issue.record("four were kept")
        } catch {
            #expect((error as? BatonError)?.reason == "too_many_sealed_items")
        }
        #expect(try await records.record(of: .data) == record, "the page is read again")
        #expect(Set(try await records.parked(in: .data, limit: 9)) == [Data([1]), Data([2])])
        try await records.save(later, of: .data, parking: [Data([3]), Data([4])], unparking: [Data([1])])
        #expect(try await records.record(of: .data) == later)
    }

    @Test("a cloud's clock that leaps is not believed after a restart either")
    func cloudTime() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("daemon.sqlite")
        let day: UInt64 = 24 * 60 * 60 * 1000
        func hear(_ cloud: UInt64, own: UInt64, of device: String = "B") async throws -> UInt64 {
            let database = try DaemonDatabase(path: path, migrations: SyncStore.migrations)
            let clock = WallClock { Date(timeIntervalSince1970: Double(own) / 1000) }
            let believed = try await SyncStore(database: database, clock: clock).hear(cloud, of: Self.owner(device))
            try database.close()
            return believed
        }
        #expect(try await hear(100 * day, own: 90 * day) == 100 * day)
        #expect(try await hear(106 * day, own: 90 * day) == 100 * day)
        #expect(try await hear(106 * day, own: 98 * day) == 106 * day)
        #expect(try await hear(200 * day, own: 98 * day, of: "C") == 200 * day, "another device")
    }

    @Test("a device that joins its account again has read nothing")
    func joinedAgain() async throws {
        let directory = try TemporaryDirectory()
        let database = try DaemonDatabase(path: directory.file("daemon.sqlite"), migrations: SyncStore.migrations)
        let store = SyncStore(database: database)
        let record = ZoneRecord(server: "https://cloud", cursor: Data([1]))
        for device in ["B", "C"] {
            try await store.records(of: Self.owner(device)).save(record, of: .data, parking: [Data([7])], unparking: [])
        }
        #expect(try await store.records(of: Self.owner("D")).record(of: .data) == nil)
        try await store.keepOnly(Self.owner("C"))
        #expect(try await store.records(of: Self.owner("B")).record(of: .data) == nil)
        #expect(try await store.records(of: Self.owner("C")).record(of: .data) == record)
        #expect(try await store.parkedCounts(of: Self.owner("B")) == [:])
        #expect(try await store.parkedCounts(of: Self.owner("C")) == [ZoneName.data.description: 1])
        try await store.keepOnly(nil)
        #expect(try await store.records(of: Self.owner("C")).record(of: .data) == nil)
    }
}
