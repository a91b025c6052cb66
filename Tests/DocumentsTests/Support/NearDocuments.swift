import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import Sync
import Synchronization
import Testing

@testable import Documents

/// Devices of an account without a cloud that keep one folder equal, in one process: a call is the other one's method.
final class NearDocuments: Sendable {
    struct Device: Sendable {
        let id: DeviceID
        let folder: String
        let service: DocumentsService
        let zones: DocumentsZones
        let harness: DocumentLinkHarness

        func write(_ bytes: Data, _ name: String) throws {
            try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }

        func read(_ name: String) -> Data? { FileManager.default.contents(atPath: "\(folder)/\(name)") }

        var container: ContainerEngine? { service.running.first { $0.name.folderName != nil } }
    }

    private struct State {
        var devices: [DeviceID: Device] = [:]
        var away: Set<DeviceID> = []
        /// Devices that count as near, and answer nothing.
        var silent: Set<DeviceID> = []
        /// Devices that send something else than what they have.
        var liars: Set<DeviceID> = []
        /// No device keeps a content of more bytes for another one.
        var largestKept: UInt64 = .max
        /// Bytes of contents that each has sent.
        var sent: [DeviceID: Int] = [:]
        /// Parts after which the next reading is cut.
        var cut: Int?
        var isCloudUnreachable = false
        /// By how many milliseconds the account's time is ahead of the clock.
        var passed: UInt64 = 0
    }

    let zone: ZoneName
    private let directory: TemporaryDirectory
    private let state = Mutex(State())

    init() throws {
        directory = try TemporaryDirectory()
        guard let name = ContainerName.folder("work") else { throw CocoaError(.featureUnsupported) }
        zone = name.zone
    }

    var sent: [DeviceID: Int] { state.withLock { $0.sent } }
    var time: UInt64 { state.withLock { WallClock.system.milliseconds + $0.passed } }
    func set(away device: DeviceID, _ isAway: Bool) {
        state.withLock { state in
            if isAway { state.away.insert(device) } else { state.away.remove(device) }
        }
    }
    func set(cloudUnreachable: Bool) { state.withLock { $0.isCloudUnreachable = cloudUnreachable } }
    func set(silent device: DeviceID) { state.withLock { _ = $0.silent.insert(device) } }
    func set(liar device: DeviceID) { state.withLock { _ = $0.liars.insert(device) } }
    func set(largestKept bytes: UInt64) { state.withLock { $0.largestKept = bytes } }
    func cut(after parts: Int) { state.withLock { $0.cut = parts } }
    func pass(_ milliseconds: UInt64) { state.withLock { $0.passed += milliseconds } }

    // MARK: Devices

    /// - Parameters:
    ///   - hasCloud: one that takes nothing.
    ///   - folder: nil: beside all else.
    ///   - marks: which contents are to be on it.
    func add(
        _ letter: String, readOnly: Bool = false, hasCloud: Bool = false, at folder: String? = nil,
        _ marks: FolderMarks = FolderMarks()
    ) async throws -> Device {
        let id = DeviceID(unchecked: String(repeating: letter, count: 26))
        let database = try DaemonDatabase(
            path: directory.file("\(letter).sqlite"), migrations: SyncStore.migrations + DocumentsService.migrations)
        let folder = folder ?? directory.file("\(letter)-folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let service = try DocumentsService(
            database: database,
            blobs: try await BlobService(database: database, path: directory.file("\(letter)-blobs")),
            directory: directory.file("\(letter)-containers"), arbiter: Arbiter(), peers: Peers(id: id, world: self),
            recorder: NullEventRecorder())
        service.connect(to: Trigger(world: self))
        await service.accountChanged(
            to: DocumentsAccount(
                account: AccountID(unchecked: String(repeating: "A", count: 26)), device: id, deviceName: letter,
                gearKey: [UInt8](repeating: 7, count: GearTable.keyBytes), hasCloud: hasCloud))
        let device = Device(
            id: id, folder: folder, service: service, zones: DocumentsZones(service),
            harness: DocumentLinkHarness(service))
        state.withLock { $0.devices[id] = device }
        _ = try await service.addFolder("work", at: folder, joins: false, isReadOnly: readOnly, marks)
        return device
    }

    /// Runs the devices' services and brings their entries to each other, until the body ends.
    /// - Parameter others: run already, and meet those.
    func run(_ devices: [Device], beside others: [Device] = [], _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices { group.addTask { try await device.service.run() } }
            group.addTask { [self] in
                while !Task.isCancelled {
                    for (index, one) in devices.enumerated() {
                        for other in devices[(index + 1)...] + others { try? await exchange(one, other) }
                    }
                    try? await Task.sleep(for: .milliseconds(20))  // sleeps: until something may have changed
                }
            }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private func exchange(_ one: Device, _ other: Device) async throws {
        guard state.withLock({ $0.away.union($0.silent).isDisjoint(with: [one.id, other.id]) }) else { return }
        for (giver, taker) in [(one, other), (other, one)] {
            let theirs = try await taker.zones.stamps(in: zone)
            let names = try await giver.zones.stamps(in: zone).filter { theirs[$0.key] != $0.value }.keys
            guard !names.isEmpty else { continue }
            try await taker.zones.exchanged(try await giver.zones.contents(of: Array(names), in: zone), in: zone)
        }
        for device in [one, other] { try await device.zones.didFinishInitialFetch(zone, by: .device) }
        guard let digest = try await one.zones.digest(of: zone), !digest.isEmpty,
            try await other.zones.digest(of: zone) == digest
        else { return }
        try await one.zones.met(other.id, in: zone, digest: digest)
        try await other.zones.met(one.id, in: zone, digest: digest)
    }

    func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while try await !condition() {
            guard ContinuousClock.now < end else {
                Issue.record("Still waiting for \(what).")
                throw CancellationError()
            }
            try await Task.sleep(for: .milliseconds(10))  // sleeps: a file that came causes no event
        }
    }

    // MARK: What devices use

    private struct Arbiter: FileArbiter {
        func request(_ accesses: [FileAccess], _ answer: @escaping @Sendable (ClaimAnswer) -> Void) -> UInt64 {
            answer(.granted)
            return 1
        }
        func end(_ claim: UInt64, _ news: [FileNews]) {}
        func withdraw(_ claim: UInt64) {}
        func tell(_ news: FileNews) {}
        func holders(against accesses: [FileAccess]) -> [String] { [] }
    }

    private struct Trigger: SyncTrigger {
        let world: NearDocuments
        func changed(_ zone: ZoneName) {}
        var accountTime: UInt64? { world.time }
        func isUnreachable(for zone: ZoneName) -> Bool { world.state.withLock { $0.isCloudUnreachable } }
    }

    private struct Peers: DocumentPeers {
        let id: DeviceID
        let world: NearDocuments

        func nearby() -> Set<DeviceID> {
            world.state.withLock { state in
                state.away.contains(id)
                    ? [] : Set(state.devices.keys).subtracting(state.away).subtracting([id])
            }
        }

        func others() -> Set<DeviceID> { world.state.withLock { Set($0.devices.keys).subtracting([id]) } }

        private func device(_ device: DeviceID) throws -> Device {
            guard nearby().contains(device), let device = world.state.withLock({ $0.devices[device] }) else {
                throw BatonError(.unavailable, reason: "not_connected", "That device is not connected now.")
            }
            return device
        }

        func call<Request, Response>(
            _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
        ) async throws -> Response {
            let harness = try self.device(device).harness
            // sleeps: it never answers, and the caller gives it up
            if world.state.withLock({ $0.silent.contains(device) }) { try await Task.sleep(for: .seconds(3600)) }
            let answer: Any =
                switch request {
                case let request as Baton_Link_V1_FindContentsRequest: try await harness.find(request, for: id)
                case let request as Baton_Link_V1_ReadRunsRequest: try await harness.readRuns(request, for: id)
                case let request as Baton_Link_V1_KeepContentsRequest:
                    try await harness.keep(withoutLarge(request), for: id)
                default: throw CocoaError(.featureUnsupported)
                }
            guard let answer = answer as? Response else { throw CocoaError(.featureUnsupported) }
            return answer
        }

        /// As by a device whose disk has no room for more.
        private func withoutLarge(
            _ request: Baton_Link_V1_KeepContentsRequest
        ) throws -> Baton_Link_V1_KeepContentsRequest {
            let largest = world.state.withLock { $0.largestKept }
            var request = request
            request.contents = try request.contents.filter { content in
                try EntryCodec.decode(content.entry).heads.values.allSatisfy { $0.size <= largest }
            }
            return request
        }

        func read(
            _ request: Baton_Link_V1_ReadContentRequest, from device: DeviceID,
            take: (Baton_Link_V1_ReadContentPart) async throws -> Void
        ) async throws {
            try await self.device(device).harness.read(request, for: id) { part in
                let (lies, isCut) = world.state.withLock { state in
                    state.sent[device, default: 0] += part.data.count
                    let isCut = state.cut == 0
                    state.cut = state.cut.flatMap { $0 == 0 ? nil : $0 - 1 }
                    return (state.liars.contains(device), isCut)
                }
                if isCut { throw BatonError(.unavailable, reason: "cut", "The connection ended.") }
                var part = part
                if lies { part.data[part.data.startIndex] &+= 1 }
                try await take(part)
            }
        }
    }
}
