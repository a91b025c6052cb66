import BatonConcurrency
import BatonCore
import BatonTransport
package import BatonWire
import Foundation
package import Peers
import ServiceLifecycle
import SwiftProtobuf
import Synchronization

/// Keeps zones the same on the devices of the account that are near each other, without the cloud.
///
/// For each device that appears, and after each change here: which zones differ, what differs in them, give and take. Both sides
/// merge by the rule of the zone's source, so it does no harm to do it twice, from both sides at once, or beside the cloud.
/// Two exchanges with a device at a time at most, of two zones each, and one of each zone: a small zone does not wait for the end of a
/// large one, nor does one that changes meanwhile.
package final class DirectExchange: Service {
    private struct State {
        /// The zones to exchange with each device. Bound: devices times zones.
        var due: [DeviceID: Set<ZoneName>] = [:]
        /// The exchanges with each device.
        var running: [DeviceID: Running] = [:]
        /// Bound: devices that are near times zones.
        var known: [DeviceID: [ZoneName: Known]] = [:]
    }

    /// Up to where a device has had the same of a zone.
    struct Known {
        var position: ItemPosition
        /// How often in a row nothing but changes was exchanged, and more came meanwhile.
        var inARow = 0

        /// Whether what changed since may be all that differs. Policy: now and then all is compared.
        var mayGoOn: Bool { inARow < 10 }
    }

    private struct Running {
        /// Exchanges.
        var count = 0
        /// Zones of which items are exchanged now.
        var zones: Set<ZoneName> = []
    }

    static let exchangesAtOnce = 2
    static let zonesInExchange = 2
    /// Zones that fail in one exchange. Policy: with one more the rest waits for the next.
    static let failuresAtOnce = 2

    static let zonesAtOnce = 1000
    /// Limit of contents in one message.
    static let messageBytes = 3 << 20
    static let timeout = Duration.seconds(20)
    static let rangesAtOnce = 1000
    /// A range of which both have no more items is not divided further: to name them costs less.
    static let fewItems = 4
    /// The same for the whole zone.
    static let smallZone = 64
    /// Limit of stamps in one message.
    static let stampBytes = 1 << 20
    /// Rounds with some ranges of one zone; each brings up to 3 MiB.
    static let maximumRounds = 1000

    let sync: SyncService
    let peers: any SyncPeers
    private let presence: any PresenceSource
    private let retry: Duration
    private let state = Mutex(State())

    /// - Parameter retry: how long after a failure it is tried again.
    package init(
        sync: SyncService, peers: any SyncPeers, presence: any PresenceSource, retry: Duration = .seconds(5)
    ) {
        self.sync = sync
        self.peers = peers
        self.presence = presence
        self.retry = retry
    }

    package func run() async throws {
        let events = presence.events()
        // Before changes are looked at: all is compared anyway, so what has changed until now is not exchanged beside it.
        for device in peers.nearby() { ask(device) }
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.follow(events) }
                for await _ in sync.changes.signals { self.start(in: &group) }
                group.cancelAll()
            }
        }
    }

    private func follow(_ events: AsyncStream<PresenceEvent>) async {
        for await event in events {
            switch event {
            case .connected(let device):
                sync.networkChanged()
                ask(device)
            case .disconnected(let device, _):
                state.withLock { ($0.due[device], $0.known[device]) = (nil, nil) }
                sync.forgetClock(of: device)
            }
        }
    }

    /// A device appeared: everything is to be compared.
    private func ask(_ device: DeviceID) {
        let zones = Set(sync.zoneNames)
        state.withLock { $0.due[device, default: []].formUnion(zones) }
        sync.changes.wake()
    }

    private func start(in group: inout DiscardingTaskGroup) {
        let changed = sync.changes.take()
        let near = peers.nearby()
        let work = state.withLock { state -> [(DeviceID, Set<ZoneName>)] in
            for device in near where !changed.isEmpty { state.due[device, default: []].formUnion(changed) }
            var work: [(DeviceID, Set<ZoneName>)] = []
            for (device, due) in state.due where near.contains(device) {
                let running = state.running[device] ?? Running()
                let ready = due.subtracting(running.zones).filter { zone in
                    guard let wait = sync.largeExchanges.wait(for: zone, with: device) else { return true }
                    _ = DeadlineTimer.shared.schedule(after: wait) { [sync] in sync.changes.wake() }
                    return false
                }
                guard running.count < Self.exchangesAtOnce, !ready.isEmpty else { continue }
                state.due[device] = due.subtracting(ready)
                state.running[device, default: Running()].count += 1
                work.append((device, ready))
            }
            return work
        }
        for (device, zones) in work {
            group.addTask { await self.exchange(zones, with: device) }
        }
    }

    private func exchange(_ zones: Set<ZoneName>, with device: DeviceID) async {
        do {
            try await exchangeAll(zones.sorted(), with: device)
            state.withLock { Self.end(with: device, &$0) }
        } catch {
            state.withLock { state in
                Self.end(with: device, &state)
                state.due[device, default: []].formUnion(zones)
            }
            // The end of the daemon is no failure.
            guard !Task.isCancelled else { return }
            let failure = SyncFailure(error)
            sync.recorder.record(
                "sync", "exchange_failed", failure.message, ["device_id": device.rawValue, "reason": failure.reason])
            _ = DeadlineTimer.shared.schedule(after: retry) { [sync] in sync.changes.wake() }
            return
        }
        sync.changes.wake()
    }

    private static func end(with device: DeviceID, _ state: inout State) {
        state.running[device]?.count -= 1
        if state.running[device]?.count == 0 { state.running[device] = nil }
    }

    // MARK: One exchange

    func known(of zone: ZoneName, with device: DeviceID) -> Known? { state.withLock { $0.known[device]?[zone] } }

    func note(_ known: Known, of zone: ZoneName, with device: DeviceID) {
        state.withLock { $0.known[device, default: [:]][zone] = known }
    }

    /// - Returns: false where the other exchange has it: it is compared again once that has ended.
    private func begin(_ zone: ZoneName, with device: DeviceID) -> Bool {
        state.withLock { state in
            let isFree = state.running[device]?.zones.insert(zone).inserted ?? false
            if !isFree { state.due[device, default: []].insert(zone) }
            return isFree
        }
    }

    /// Whether a failure is that of one zone, so that the others are exchanged all the same.
    private static func isOfOneZone(_ error: any Error) -> Bool {
        guard let error = error as? BatonError else { return false }
        return error.code != .unavailable && error.code != .canceled
    }

    /// - Parameter isAgain: only to learn that zones are the same now.
    private func exchangeAll(_ zones: [ZoneName], with device: DeviceID, isAgain: Bool = false) async throws {
        var again: [ZoneName] = []
        var failures: [any Error] = []
        for start in stride(from: 0, to: zones.count, by: Self.zonesAtOnce) {
            var request = Baton_Link_V1_CompareZonesRequest.with { $0.time = sync.clock.milliseconds }
            var digests: [Baton_Link_V1_ZoneName: Data] = [:]
            for zone in zones[start..<min(start + Self.zonesAtOnce, zones.count)] {
                guard let digest = try await sync.source(of: zone)?.digest(of: zone) else { continue }
                request.zones.append(
                    .with {
                        $0.zone = zone.message
                        $0.digest = digest
                    })
                digests[zone.message] = digest
            }
            guard !request.zones.isEmpty else { continue }
            let asked = Set(request.zones.map(\.zone))
            let answer = try await peers.call(SyncMethods.compareZones, request, device, Self.timeout)
            sync.heard(answer.time, of: device)
            for message in answer.same {
                guard let digest = digests[message], !digest.isEmpty, let zone = ZoneName(message) else { continue }
                try await sync.source(of: zone)?.met(device, in: zone, digest: digest)
            }
            for message in answer.absent where asked.contains(message) {
                guard let zone = ZoneName(message) else { continue }
                try await sync.source(of: zone)?.met(device, in: zone, digest: nil)
            }
            guard !isAgain else { continue }
            for message in answer.undecided where asked.contains(message) && sync.isFirst(before: device) {
                guard let zone = ZoneName(message) else { continue }
                try await sync.source(of: zone)?.didFinishInitialFetch(zone, by: .device)
                // So that the other one hears of it, and asks.
                sync.changes.add(zone)
            }
            let differing = answer.differing.filter(asked.contains).compactMap { ZoneName($0) }
            again += try await exchangeSome(differing, with: device, &failures)
        }
        if !again.isEmpty { try await exchangeAll(again, with: device, isAgain: true) }
        if let failure = failures.first { throw failure }
    }

    /// Exchanges zones, two at once, so that a small one does not wait for a large one.
    /// - Returns: those of which the source wants to hear that they are the same now.
    private func exchangeSome(
        _ zones: [ZoneName], with device: DeviceID, _ failures: inout [any Error]
    ) async throws -> [ZoneName] {
        var again: [ZoneName] = []
        try await withThrowingTaskGroup(of: (zone: ZoneName, result: Result<Bool, any Error>).self) { group in
            var waiting = zones.makeIterator()
            var running = 0
            while true {
                while running < Self.zonesInExchange, let zone = waiting.next() {
                    running += 1
                    group.addTask { (zone, await self.exchangeFree(zone, with: device)) }
                }
                guard let (zone, result) = try await group.next() else { return }
                running -= 1
                switch result {
                case .success(let wantsMeeting):
                    if wantsMeeting { again.append(zone) }
                case .failure(let error):
                    failures.append(error)
                    guard Self.isOfOneZone(error), failures.count <= Self.failuresAtOnce else { throw error }
                }
            }
        }
        return again
    }

    /// Exchanges a zone, unless the other exchange has it.
    /// - Returns: whether the source wants to hear that it is the same now.
    private func exchangeFree(_ zone: ZoneName, with device: DeviceID) async -> Result<Bool, any Error> {
        guard begin(zone, with: device) else { return .success(false) }
        defer { state.withLock { _ = $0.running[device]?.zones.remove(zone) } }
        do {
            try await exchange(zone, with: device)
            return .success(try await sync.source(of: zone)?.wantsMeetings(in: zone) == true)
        } catch {
            return .failure(error)
        }
    }
}

extension ZoneSource {
    /// As many of the items as fit, one at least.
    /// - Returns: the items, and how many of the names that settles.
    func items(
        _ names: some Collection<String>, of zone: ZoneName, atMost bytes: Int
    ) async throws -> (items: [Baton_Link_V1_DirectItem], count: Int) {
        let (contents, count) = try await contents(of: Array(names), in: zone, atMost: bytes)
        let items = names.prefix(count).compactMap { name -> Baton_Link_V1_DirectItem? in
            guard let content = contents[name] else { return nil }
            return .with {
                $0.name = name
                $0.content = content
            }
        }
        return (items, count)
    }
}

extension ZoneName {
    package init?(_ message: Baton_Link_V1_ZoneName) {
        guard let kind = Kind(rawValue: message.kind), message.name.utf8.count <= 1024 else { return nil }
        self.init(kind: kind, name: message.name)
    }

    package var message: Baton_Link_V1_ZoneName {
        .with {
            $0.kind = kind.rawValue
            $0.name = name
        }
    }
}
