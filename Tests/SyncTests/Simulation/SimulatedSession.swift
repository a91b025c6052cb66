import BatonCore
import BatonWire
import Foundation

@testable import Sync

/// A call that is under way.
final class SimulatedCall: @unchecked Sendable {
    static let interrupted = BatonError(.unavailable, reason: "connection_closed", "The connection ended.")

    let device: Int
    let member: UInt8
    let request: SimulatedCloud.Request
    private var continuation: UnsafeContinuation<SimulatedCloud.Answer, any Error>?

    init(
        device: Int, member: UInt8, _ request: SimulatedCloud.Request,
        _ continuation: UnsafeContinuation<SimulatedCloud.Answer, any Error>
    ) {
        self.device = device
        self.member = member
        self.request = request
        self.continuation = continuation
    }

    /// Only the first answer counts.
    func end(with result: Result<SimulatedCloud.Answer, any Error>) {
        continuation?.resume(with: result)
        continuation = nil
    }

    func end(throwing error: any Error) { end(with: .failure(error)) }
    var isUnderWay: Bool { continuation != nil }
}

/// The calls of a zone's transfer to the cloud go through the network of the schedule.
struct SimulatedSession: ZoneCloud {
    let device: SimulatedDevice
    let connection: Int

    var server: String { "https://cloud" }

    private func call(_ request: SimulatedCloud.Request) async throws -> SimulatedCloud.Answer {
        guard device.connection == connection else { throw SimulatedCall.interrupted }
        device.world.statistics.calls += 1
        return try await withUnsafeThrowingContinuation { continuation in
            let call = SimulatedCall(device: device.index, member: device.disk.member, request, continuation)
            device.calls.append(call)
            device.world.send(.request(call))
        }
    }

    func head(of zone: Data) async throws -> Baton_Cloud_V1_ZoneHead? {
        guard case .head(let head) = try await call(.head(zone)) else { throw SimulatedCall.interrupted }
        return head
    }

    func changes(_ request: Baton_Cloud_V1_FetchChangesRequest) async throws -> Baton_Cloud_V1_FetchChangesResponse {
        guard case .changes(let answer) = try await call(.changes(request)) else { throw SimulatedCall.interrupted }
        return answer
    }

    func items(_ request: Baton_Cloud_V1_FetchItemsRequest) async throws -> Baton_Cloud_V1_FetchItemsResponse {
        guard case .items(let answer) = try await call(.items(request)) else { throw SimulatedCall.interrupted }
        return answer
    }

    func write(_ request: Baton_Cloud_V1_WriteItemsRequest) async throws -> Baton_Cloud_V1_WriteItemsResponse {
        guard case .write(let answer) = try await call(.write(request)) else { throw SimulatedCall.interrupted }
        return answer
    }
}

/// How far zones were read, on the device's disk.
struct SimulatedRecords: ZoneRecords {
    let device: SimulatedDevice
    let life: Int

    func record(of zone: ZoneName) async throws -> ZoneRecord? { device.disk.records[zone] }

    func save(_ record: ZoneRecord, of zone: ZoneName, _ notes: ZoneNotes) async throws {
        device.world.statistics.parked += notes.parking.count
        try device.write(life) { disk in
            disk.records[zone] = record
            for (item, name) in notes.names { disk.names[zone, default: [:]][item] = name }
            if notes.releasesAll { disk.held[zone] = nil }
            for item in notes.releasing { disk.held[zone]?[item] = nil }
            for item in notes.holding { disk.held[zone, default: [:]][item.id] = item }
            guard !notes.parking.isEmpty || !notes.unparking.isEmpty || !notes.damaged.isEmpty else { return }
            disk.parked[zone] = (disk.parked[zone] ?? []).subtracting(notes.unparking).union(notes.parking)
                .union(notes.damaged)
            disk.damaged[zone] = (disk.damaged[zone] ?? []).subtracting(notes.unparking).union(notes.damaged)
        }
    }

    func remember(_ names: [Data: String], in zone: ZoneName) async throws {
        try device.write(life) { disk in disk.names[zone, default: [:]].merge(names) { _, new in new } }
    }

    func names(of items: Set<Data>, in zone: ZoneName) async throws -> [Data: String] {
        (device.disk.names[zone] ?? [:]).filter { items.contains($0.key) }
    }

    func held(in zone: ZoneName, reaching version: UInt64) async throws -> [HeldItem] {
        (device.disk.held[zone] ?? [:]).values.filter { $0.last >= version }.sorted { $0.last < $1.last }
    }

    func parked(_ items: [Data], in zone: ZoneName) async throws -> [Data: UInt64] {
        let damaged = device.disk.damaged[zone] ?? []
        return (device.disk.parked[zone] ?? []).intersection(items).reduce(into: [:]) {
            $0[$1] = damaged.contains($1) ? 0 : device.wall
        }
    }

    func parked(in zone: ZoneName, limit: Int) async throws -> [Data] {
        guard let parked = device.disk.parked[zone], !parked.isEmpty else { return [] }
        return Array(parked.sorted { $0.lexicographicallyPrecedes($1) }.prefix(limit))
    }
}

/// Seals nothing, but opens only with the key that is named.
struct SimulatedCodec: ZoneCodec {
    let device: SimulatedDevice

    func zoneID(of zone: ZoneName) -> Data { Data(zone.name.utf8) }

    func itemID(of name: String, in zone: ZoneName) -> Data { Data(name.utf8) }

    func seal(_ content: Data, name: String, in zone: ZoneName) throws -> Data {
        guard zone.kind != .contentKeys else { return content }
        guard let generation = device.usableGeneration else {
            throw BatonError(.failedPrecondition, reason: ZoneCodecReason.noKey, "There is no key for all members.")
        }
        return Data([generation]) + content
    }

    func open(_ sealed: Data, itemID: Data, in zone: ZoneName) throws -> (name: String, content: Data) {
        let name = String(decoding: itemID, as: UTF8.self)
        guard zone.kind != .contentKeys, let generation = sealed.first else { return (name, sealed) }
        guard device.knownGenerations.contains(generation) else {
            throw BatonError(.failedPrecondition, reason: "unknown_content_key", "The key has not come.")
        }
        return (name, Data(sealed.dropFirst()))
    }
}
