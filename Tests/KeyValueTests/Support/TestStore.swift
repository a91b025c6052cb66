import BatonCore
import BatonStore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import Sync
import Synchronization

@testable import KeyValue

/// A device's key-value service over a database of its own, with one app's store.
final class TestStore: Sendable {
    static let account = AccountID(unchecked: String(repeating: "A", count: 26))
    static let otherAccount = AccountID(unchecked: String(repeating: "D", count: 26))
    static let grant = KeyValueGrant(
        store: KeyValueStoreName(
            team: TeamIdentity(fingerprint: [UInt8](repeating: 7, count: 32)),
            identifier: BundleID(unchecked: "com.example.app")),
        limits: .classic)

    let database: DaemonDatabase
    let service: KeyValueService
    let engine: MemoryEngine
    private let box: TimeBox

    init(
        _ path: String, device: String? = nil, cloud: MemoryCloud = MemoryCloud(),
        account: AccountID = TestStore.account,
        bounds: KeyValueBounds = .init(), at start: UInt64 = 1_800_000_000_000
    ) async throws {
        let time = TimeBox(start)
        box = time
        database = try DaemonDatabase(path: path, migrations: KeyValueService.migrations)
        service = KeyValueService(
            database: database, recorder: NullEventRecorder(), bounds: bounds,
            clock: WallClock { Date(timeIntervalSince1970: Double(time.value) / 1000) })
        engine = MemoryEngine(KeyValueZones(service), cloud)
        service.connect(to: engine)
        try await service.accountChanged(to: device.map { Self.signedIn($0, account) })
    }

    var zones: KeyValueZones { KeyValueZones(service) }
    var zone: ZoneName { Self.grant.store.zone }
    var now: UInt64 { box.value }
    func advance(by milliseconds: UInt64) { box.advance(milliseconds) }

    static func signedIn(_ device: String, _ account: AccountID = TestStore.account) -> KeyValueAccount {
        KeyValueAccount(
            account: account, device: DeviceID(unchecked: String(repeating: device, count: 26)))
    }

    func signIn(_ device: String, _ account: AccountID = TestStore.account) async throws {
        try await service.accountChanged(to: Self.signedIn(device, account))
    }

    func close() throws { try database.close() }

    // MARK: A process of the app

    func open(_ processID: Int32 = 1, _ grant: KeyValueGrant = TestStore.grant) async throws -> TestProcess {
        let process = PeerProcess(processID: processID, userID: 1, startTime: 1, executable: nil)
        let subscriber = try await service.open(grant, process: process)
        let opened = TestProcess(service: service, subscriber: subscriber, process: process)
        _ = try await opened.news()
        return opened
    }
}

/// A process that has the store open.
struct TestProcess {
    let service: KeyValueService
    let subscriber: KeyValueSubscriber
    let process: PeerProcess

    /// The updates that are due now.
    func news() async throws -> [Baton_App_V1_KeyValueNews] { try await service.news(for: subscriber) }

    /// The keys that are due, with why.
    func changes() async throws -> [String: Baton_App_V1_KeyValueReason] {
        try await news().flatMap(\.entries).reduce(into: [:]) { $0[$1.key] = $1.reason }
    }

    /// Everything, as a process that opens the store anew gets it.
    func values() async throws -> [String: PropertyValue] {
        let subscriber = try await service.open(subscriber.grant, process: nil)
        defer { service.close(subscriber) }
        return try await service.news(for: subscriber).flatMap(\.entries).reduce(into: [:]) { values, entry in
            if entry.hasValue { values[entry.key] = try PropertyValue(entry.value) }
        }
    }

    /// - Parameter time: nil for now.
    @discardableResult
    func write(
        _ key: String, _ value: PropertyValue?, time: UInt64 = .max, replaces: Data? = nil, era: UInt64? = nil
    ) async throws -> KeyValueOutcome? {
        let write = KeyValueService.AppWrite(key: key, value: value, time: time, replaces: replaces)
        return try await service.write([write], era: era, to: subscriber.grant).results.first?.outcome
    }

    /// A request as it comes from an app.
    func request(
        _ change: (inout Baton_App_V1_WriteKeyValuesRequest) -> Void, by other: PeerProcess? = nil
    ) async throws -> Baton_App_V1_WriteKeyValuesResponse {
        var request = Baton_App_V1_WriteKeyValuesRequest.with { $0.handle = subscriber.id.rawValue }
        change(&request)
        return try await KeyValueHarness.write(request, process: other ?? process, service)
    }
}

/// A clock that the test moves.
final class TimeBox: Sendable {
    private let time: Mutex<UInt64>
    init(_ start: UInt64) { time = Mutex(start) }
    var value: UInt64 { time.withLock { $0 } }
    func advance(_ milliseconds: UInt64) { time.withLock { $0 += milliseconds } }
}
