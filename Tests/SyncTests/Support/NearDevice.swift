import BatonCore
import BatonStore
import BatonTransport
import BatonTrust
import CloudClient
import Devices
import Foundation
import Logging
import Synchronization
import Testing

@testable import KeyValue
@testable import Sync

/// A device with its key-value stores, its engine, and what exchanges zones with the devices that are near it.
final class NearDevice: Sendable {
    /// Milliseconds since 1970.
    static let wall: UInt64 = 1_800_000_000_000
    static let store = KeyValueStoreName(team: .development, identifier: BundleID(unchecked: "com.example.near"))

    let id: DeviceID
    let account: AccountService
    let keyValues: KeyValueService
    let sync: SyncService
    let exchange: DirectExchange
    private let recorder: Recorder
    private let expected: Set<ZoneName>

    /// - Parameters:
    ///   - source: instead of the stores.
    ///   - wall: what its clock shows, always.
    ///   - cloud: the account's, which is away. Nil: there is none.
    init(
        _ device: AccountDevice, in neighbourhood: Neighbourhood, stores: Set<KeyValueStoreName> = [NearDevice.store],
        source: (any ZoneSource)? = nil, wall: UInt64 = NearDevice.wall, cloud: CloudAddress? = nil,
        retry: Duration = .seconds(5)
    ) async throws {
        let snapshot = try #require(device.account.snapshot())
        let account = device.account
        let database = try DaemonDatabase(
            path: device.database, migrations: KeyValueService.migrations + SyncStore.migrations)
        let keyValues = KeyValueService(
            database: database, recorder: NullEventRecorder(),
            clock: WallClock { Date(timeIntervalSince1970: Double(wall) / 1000) })
        try await keyValues.accountChanged(
            to: KeyValueAccount(account: snapshot.accountID, device: snapshot.deviceID))
        try await keyValues.prepare(stores)
        let source: any ZoneSource = source ?? KeyValueZones(keyValues)
        let recorder = Recorder(neighbourhood)
        let sync = SyncService(
            account: account, access: AbsentCloud(cloud: cloud), sources: [source],
            store: SyncStore(database: database), recorder: recorder, logger: Logger(label: "test"))
        keyValues.connect(to: Trigger(sync: sync, neighbourhood: neighbourhood))
        let neighbours = Neighbours(neighbourhood: neighbourhood, device: snapshot.deviceID)
        var router = ConnectRouter { context in
            guard account.membership()?.isMember(try context.device) == true else {
                throw BatonError(.permissionDenied, reason: "not_a_member", "That device does not belong here.")
            }
        }
        DirectExchangeHarness(sync: sync, peers: neighbours).register(on: &router)
        neighbourhood.add(router, as: snapshot.deviceID)
        id = snapshot.deviceID
        self.account = account
        self.keyValues = keyValues
        self.sync = sync
        exchange = DirectExchange(sync: sync, peers: neighbours, presence: neighbours, retry: retry)
        self.recorder = recorder
        expected = Set(try await source.zones())
    }

    var zones: KeyValueZones { KeyValueZones(keyValues) }

    /// Whether its engine knows the zones that were there when it began.
    var isReady: Bool { expected.isSubset(of: sync.zoneNames) }

    /// The events that it has recorded, the oldest first.
    var events: [String] { recorder.events }

    /// The cloud has sent it all that the account has.
    func didFinishInitialFetch() async throws {
        for zone in try await zones.zones() { try await zones.didFinishInitialFetch(zone, by: .cloud) }
    }

    // MARK: An app

    func set(_ key: String, _ value: PropertyValue?, in store: KeyValueStoreName = NearDevice.store) async throws {
        let write = KeyValueService.AppWrite(key: key, value: value, time: .max, replaces: nil)
        _ = try await keyValues.write([write], era: nil, to: KeyValueGrant(store: store, limits: .classic))
    }

    func values(of store: KeyValueStoreName = NearDevice.store) async throws -> [String: PropertyValue] {
        try await keyValues.commitQueue.perform { transaction in try transaction.find(store)?.replica.values ?? [:] }
    }

    // MARK: Its surroundings

    private final class Recorder: EventRecorder {
        private let neighbourhood: Neighbourhood
        private let records = Mutex<[String]>([])

        init(_ neighbourhood: Neighbourhood) { self.neighbourhood = neighbourhood }

        var events: [String] { records.withLock { $0 } }

        func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
            records.withLock { $0.append(event) }
            neighbourhood.changed()
        }
    }

    private struct Trigger: SyncTrigger {
        let sync: SyncService
        let neighbourhood: Neighbourhood

        func changed(_ zone: ZoneName) {
            sync.changed(zone)
            neighbourhood.changed()
        }
    }

    /// None, or one that cannot be reached.
    private struct AbsentCloud: SyncAccess {
        let cloud: CloudAddress?

        func address() -> CloudAddress? { cloud }
        func session(to address: CloudAddress, invitation: String) async throws -> CloudSession {
            throw BatonError(.unavailable, reason: "cloud_unreachable", "The cloud is away.")
        }
        func codec() -> (any ZoneCodec)? { nil }
    }
}
