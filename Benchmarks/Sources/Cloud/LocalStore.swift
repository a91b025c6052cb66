import BatonCore
import BatonStore
import BatonWire
import Foundation
import GRDB
import KeyValue
import SwiftProtobuf
import Sync

/// The key-value store of one app on one device: sets and changes of other devices, decided in memory and kept on disk.
final class LocalStore {
    private static let keys = (0..<1000).map { "key \($0)" }
    private static let wall: UInt64 = 1_800_000_000_000
    private static let account = AccountID(unchecked: String(repeating: "A", count: 26))
    private static let device = DeviceID(unchecked: String(repeating: "B", count: 26))
    private static let other = DeviceID(unchecked: String(repeating: "C", count: 26))
    /// Items of one call to the service, as one page of the cloud.
    private static let page = 500

    private let bare: DaemonDatabase
    private let service: KeyValueService
    private let name = KeyValueStoreName(
        team: .development, identifier: BundleID(unchecked: "development.benchmark"))
    private var version: UInt64 = 0

    private init(folder: String) throws {
        let database = try DaemonDatabase(path: folder + "/store.sqlite", migrations: KeyValueService.migrations)
        service = KeyValueService(database: database, recorder: NullEventRecorder())
        bare = try DaemonDatabase(path: folder + "/bare-store.sqlite", migrations: KeyValueService.migrations)
    }

    static func run(blocks: Int, folder: String) async throws {
        let store = try LocalStore(folder: folder)
        try await store.service.accountChanged(to: KeyValueAccount(account: account, device: device))
        try await store.service.prepare([store.name])
        var replica = KeyValueReplica(device: device, phase: .synced(account))
        for block in 0...blocks {
            var figures: [String: Any] = ["event": "store", "count": 200_000, "kept_count": 20 * page]
            let before = dictionary(200_000)
            figures["sets_ns"] = try sets(200_000, &replica)
            figures["applies_ns"] = store.applies(200_000, &replica)
            figures["dictionary_ns"] = [before, dictionary(200_000)]
            let bareBefore = try store.keepBare(20)
            figures["kept_ns"] = try await store.keep(20)
            figures["bare_ns"] = [bareBefore, try store.keepBare(20)]
            // The first warms up.
            if block > 0 { Lines.print(figures) }
        }
    }

    /// The measure of the replica: a dictionary.
    private static func dictionary(_ count: Int) -> Int {
        var values: [String: PropertyValue] = [:]
        let begin = monotonicNanoseconds()
        for number in 0..<count { values[keys[number % keys.count]] = .integer(Int64(number)) }
        let end = monotonicNanoseconds()
        precondition(values.count == keys.count, "every key is set")
        return Int(end - begin)
    }

    private static func sets(_ count: Int, _ replica: inout KeyValueReplica) throws -> Int {
        let begin = monotonicNanoseconds()
        for number in 0..<count {
            let actions = try replica.set(
                .integer(Int64(number)), forKey: keys[number % keys.count], wall: wall + UInt64(number))
            precondition(!actions.isEmpty, "each set is news")
        }
        return Int(monotonicNanoseconds() - begin)
    }

    /// Values that another device set, one item a call.
    private func applies(_ count: Int, _ replica: inout KeyValueReplica) -> Int {
        version += 1_000_000
        let items = (0..<count).map { number in
            KeyValueItem(
                key: Self.keys[number % Self.keys.count], version: version + UInt64(number),
                entry: KeyValueEntry(
                    value: .integer(Int64(number)),
                    stamp: KeyValueStamp(
                        time: HybridTimestamp(milliseconds: Self.wall + version + UInt64(number), counter: 0),
                        device: Self.other)))
        }
        let begin = monotonicNanoseconds()
        for item in items {
            let actions = replica.received([item], wall: Self.wall)
            precondition(!actions.isEmpty, "each change is news")
        }
        return Int(monotonicNanoseconds() - begin)
    }

    /// Pages of changes through the service, each on the disk when the next comes.
    private func keep(_ pages: Int) async throws -> Int {
        version += 1_000_000
        let contents = try (0..<pages).map { page in
            try (0..<Self.page).map { number in
                let place = version + UInt64(page * Self.page + number)
                let content = try Baton_Sync_V1_KeyValueItem.with {
                    $0.time = HybridTimestamp(milliseconds: Self.wall + place, counter: 0).rawValue
                    $0.deviceID = Self.other.rawValue
                    $0.value = .init(.integer(Int64(number)))
                }.serializedData()
                let key = Self.keys[(page * Self.page + number) % Self.keys.count]
                return IncomingItem(name: ":" + key, version: place, content: content)
            }
        }
        let zones = KeyValueZones(service)
        let begin = monotonicNanoseconds()
        for items in contents { try await zones.received(items, in: name.zone) }
        return Int(monotonicNanoseconds() - begin)
    }

    /// The same rows by bare SQLite, a transaction for each page.
    private func keepBare(_ pages: Int) throws -> Int {
        try bare.writeBlocking {
            try $0.execute(
                sql: "INSERT OR IGNORE INTO key_value_store VALUES (1, 'development/development.benchmark', NULL, 1, 0)"
            )
        }
        let value = try Baton_Value_V1_PropertyValue(.integer(1)).serializedData()
        let begin = monotonicNanoseconds()
        for page in 0..<pages {
            try bare.writeBlocking { database in
                let statement = try database.cachedStatement(
                    sql: """
                        INSERT OR REPLACE INTO key_value (store, key, value, time, device, cloud_version, cloud_time,
                            cloud_device)
                        VALUES (1, ?, ?, ?, ?, ?, ?, ?)
                        """)
                for number in 0..<Self.page {
                    let place = Int64(page * Self.page + number)
                    let key = Self.keys[Int(place) % Self.keys.count]
                    try statement.execute(arguments: [
                        Data(key.utf8), value, place, Self.other.rawValue, place, place, Self.other.rawValue,
                    ])
                }
            }
        }
        return Int(monotonicNanoseconds() - begin)
    }
}
