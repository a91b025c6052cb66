import BatonConcurrency
import BatonCore
import BatonWire
import Devices
import Foundation
import Peers
import SwiftProtobuf
import Sync
import Synchronization

@testable import BatonTransport

/// Devices that are near each other, without a network: a call is one of the other device's handlers.
final class Neighbourhood: Sendable {
    /// One that was answered, refused, or has failed.
    struct Call: Hashable, Sendable {
        var from: DeviceID
        var to: DeviceID
        var path: String
        var zones: [String]
        /// Bytes of the contents in the request or the answer.
        var bytes: Int
        /// Bytes of the request and the answer.
        var size = 0
    }

    private struct State {
        var routers: [DeviceID: ConnectRouter] = [:]
        var away: Set<DeviceID> = []
        var events: [DeviceID: AsyncStream<PresenceEvent>.Continuation] = [:]
        var calls: [Call] = []
        /// How many calls of a method are still to fail.
        var failures: [String: Int] = [:]
        /// Exchanges of a zone's items wait for these.
        var gates: [String: Promise<Void>] = [:]
        var watchers: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// The oldest first.
    var calls: [Call] { state.withLock { $0.calls } }

    func add(_ router: ConnectRouter, as device: DeviceID) { state.withLock { $0.routers[device] = router } }

    // MARK: Presence

    func leave(_ device: DeviceID) { state.withLock { _ = $0.away.insert(device) } }

    func arrive(_ device: DeviceID) {
        state.withLock { state in
            state.away.remove(device)
            // It learns of all that are near, also of those that only answer and listen to nothing.
            for other in Set(state.routers.keys).subtracting(state.away) where other != device {
                state.events[device]?.yield(.connected(other))
                state.events[other]?.yield(.connected(device))
            }
        }
    }

    func near(_ device: DeviceID) -> Set<DeviceID> {
        state.withLock { state -> Set<DeviceID> in
            if state.away.contains(device) { return [] }
            return Set(state.routers.keys).subtracting(state.away).subtracting([device])
        }
    }

    func events(for device: DeviceID) -> AsyncStream<PresenceEvent> {
        let (stream, source) = AsyncStream.makeStream(of: PresenceEvent.self)
        state.withLock { $0.events[device] = source }
        return stream
    }

    // MARK: Calls

    /// The next calls of a method fail, as those to a device that goes away.
    func fail(_ path: String, times: Int) { state.withLock { $0.failures[path] = times } }

    /// Exchanges of this zone's items are not answered before the promise is settled.
    func hold(_ zone: ZoneName, until gate: Promise<Void>) { state.withLock { $0.gates[zone.name] = gate } }

    func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, from: DeviceID, to: DeviceID
    ) async throws -> Response {
        var call = Call(
            from: from, to: to, path: method.path, zones: Self.zones(of: request), bytes: Self.bytes(of: request),
            size: try request.serializedData().count)
        defer { note(call) }
        if method.path == SyncMethods.exchangeZone.path,
            let gate = call.zones.first.flatMap({ zone in state.withLock { $0.gates[zone] } })
        {
            try await gate.value()
        }
        guard isReachable(call) else {
            throw BatonError(.unavailable, reason: "not_connected", "That device is not connected now.")
        }
        let answer = try await self.call(method, request, by: .device(from), at: to)
        call.bytes += Self.bytes(of: answer)
        call.size += try answer.serializedData().count
        return answer
    }

    /// Calls a device as any caller.
    func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, by peer: CallContext.Peer, at device: DeviceID
    ) async throws -> Response {
        guard let router = state.withLock({ $0.routers[device] }),
            case .unary(let handler)? = router.routes[method.path]
        else { throw BatonError(.unavailable, reason: "not_served", "That device does not answer that.") }
        let codec = ConnectCodec.proto
        let answer = try await handler(try codec.encode(request), codec, CallContext(peer: peer))
        return try codec.decode(Response.self, from: answer)
    }

    /// Why a call is refused; nil: it is not.
    func refusal<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, by peer: CallContext.Peer, at device: DeviceID
    ) async -> BatonError? {
        do {
            _ = try await call(method, request, by: peer, at: device)
            return nil
        } catch {
            return error as? BatonError
        }
    }

    private func isReachable(_ call: Call) -> Bool {
        state.withLock { state -> Bool in
            guard !state.away.contains(call.from), !state.away.contains(call.to) else { return false }
            guard let left = state.failures[call.path], left > 0 else { return true }
            state.failures[call.path] = left - 1
            return false
        }
    }

    private func note(_ call: Call) {
        state.withLock { $0.calls.append(call) }
        changed()
    }

    private static func zones(of message: Any) -> [String] {
        switch message {
        case let request as Baton_Link_V1_CompareZonesRequest: request.zones.map(\.zone.name)
        case let request as Baton_Link_V1_ExchangeZoneRequest: [request.zone.name]
        case let request as Baton_Link_V1_GiveItemsRequest: [request.zone.name]
        default: []
        }
    }

    private static func bytes(of message: Any) -> Int {
        switch message {
        case let answer as Baton_Link_V1_ExchangeZoneResponse: answer.items.reduce(0) { $0 + $1.content.count }
        case let request as Baton_Link_V1_GiveItemsRequest: request.items.reduce(0) { $0 + $1.content.count }
        default: 0
        }
    }

    // MARK: Waiting

    /// Something may hold now that did not.
    func changed() {
        for watcher in state.withLock({ $0.watchers }) { watcher.yield() }
    }

    /// Returns when the condition holds: it is looked at after each call, and each change on a device.
    func until(_ condition: @Sendable () async throws -> Bool) async throws {
        let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.watchers.append(ring) }
        ring.yield()
        for await _ in bell {
            if try await condition() { return }
        }
        throw CancellationError()
    }

    /// Runs the devices while `body` runs, which may be once. Those that do not ask by themselves only answer.
    func running(
        _ devices: [NearDevice], asking: [NearDevice], _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices { group.addTask { try await device.sync.run() } }
            for device in devices {
                while !device.isReady { await Task.yield() }
            }
            for device in asking { group.addTask { try await device.exchange.run() } }
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

/// The others, as one device has them.
struct Neighbours: SyncPeers, PresenceSource {
    let neighbourhood: Neighbourhood
    let device: DeviceID

    func nearby() -> Set<DeviceID> { neighbourhood.near(device) }

    func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, _ device: DeviceID, _ timeout: Duration
    ) async throws -> Response {
        try await neighbourhood.call(method, request, from: self.device, to: device)
    }

    func connections() -> [DeviceID: PresenceConnection] { [:] }

    func events() -> AsyncStream<PresenceEvent> { neighbourhood.events(for: device) }
}
