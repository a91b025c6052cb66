import Backup
import BatonCore
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Synchronization

/// A cloud in memory, which may be full, break off, lie and forget.
final class ModelCloud: BackupCloud, BackupCloudCalls {
    struct Zone {
        var epoch = Data([1])
        var head: UInt64 = 0
        var items: [Data: Baton_Cloud_V1_Item] = [:]
    }

    struct State {
        var zones: [Data: Zone] = [:]
        var blobs: [Data: Data] = [:]
        /// Uploads that are not whole.
        var parts: [Data: Data] = [:]
        /// Bytes of blobs that there is room for.
        var room = Int.max
        /// Calls until one fails; nil: none does.
        var callsUntilFault: Int?
        var isAway = false
        /// The first page is sent again and again.
        var repeats = false
        var calls = 0
        var reads = 0
    }

    let state = Mutex(State())
    var isConfigured: Bool { true }
    var isReachable: Bool { state.withLock { !$0.isAway } }

    func calls() async throws -> any BackupCloudCalls { self }

    func recover(
        _ code: String, at url: String, fingerprint: Data
    ) async throws -> (keys: any BackupKeys, calls: any BackupCloudCalls) {
        guard code == "code" else { throw BatonError(.notFound, reason: "nothing_to_recover", "There is none.") }
        return (try FixedKeys(nil), self)
    }

    private func perform<Value>(_ body: (inout State) throws -> Value) throws -> Value {
        try state.withLock { state in
            state.calls += 1
            if let left = state.callsUntilFault {
                state.callsUntilFault = max(0, left - 1)
                // An end of the daemon, which is not tried again.
                if left == 0 { throw BatonError(.aborted, reason: "killed", "It was killed.") }
            }
            guard !state.isAway else {
                throw BatonError(.unavailable, reason: "cloud_unreachable", "Nobody answers.")
            }
            return try body(&state)
        }
    }

    func heads(of zones: [Data]) async throws -> [Baton_Cloud_V1_ZoneHead] {
        try perform { state in
            zones.compactMap { id in
                state.zones[id].map { zone in
                    .with {
                        $0.zoneID = id
                        $0.head = zone.head
                        $0.epoch = zone.epoch
                    }
                }
            }
        }
    }

    /// Small pages, so that there are several.
    func changes(_ request: Baton_Cloud_V1_FetchChangesRequest) async throws -> Baton_Cloud_V1_FetchChangesResponse {
        try perform { state in
            guard let zone = state.zones[request.zoneID] else {
                throw BatonError(.notFound, reason: "unknown_zone", "There is no such zone.")
            }
            let from = state.repeats ? 0 : request.cursor.reduce(0) { $0 << 8 | UInt64($1) }
            let news = zone.items.values.filter { $0.version > from }.sorted { $0.version < $1.version }
            let page = news.prefix(30)
            return .with {
                $0.items = Array(page)
                $0.more = news.count > page.count || state.repeats
                $0.cursor = withUnsafeBytes(of: (page.last?.version ?? from).bigEndian) { Data($0) }
            }
        }
    }

    func write(_ request: Baton_Cloud_V1_WriteItemsRequest) async throws -> Baton_Cloud_V1_WriteItemsResponse {
        try perform { state in
            var zone = state.zones[request.zoneID] ?? Zone()
            let conflicts = request.writes.filter { (zone.items[$0.itemID]?.version ?? 0) != $0.replaces }
            guard conflicts.isEmpty else {
                return .with {
                    $0.conflicts = conflicts.map { write in
                        zone.items[write.itemID] ?? .with { $0.itemID = write.itemID }
                    }
                }
            }
            var versions: [UInt64] = []
            for write in request.writes {
                guard write.put.blobs.allSatisfy({ state.blobs[$0] != nil }) else {
                    throw BatonError(.failedPrecondition, reason: "missing_blobs", "Blobs are missing.")
                }
                zone.head += 1
                versions.append(zone.head)
                zone.items[write.itemID] = .with {
                    $0.itemID = write.itemID
                    $0.version = zone.head
                    if case .put(let content)? = write.kind { $0.content = content }
                }
            }
            state.zones[request.zoneID] = zone
            return .with { $0.versions = versions }
        }
    }

    func missing(_ blobs: [Data]) async throws -> [Data: UInt64] {
        try perform { state in
            blobs.reduce(into: [:]) { missing, blob in
                if state.blobs[blob] == nil { missing[blob] = UInt64(state.parts[blob]?.count ?? 0) }
            }
        }
    }

    func put(_ bytes: Data, at offset: UInt64, of blob: Data, size: UInt64) async throws {
        try perform { state in
            var whole = state.parts[blob] ?? Data()
            guard whole.count == Int(offset) else {
                throw BatonError(.failedPrecondition, reason: "wrong_offset", "That is no place to go on.")
            }
            guard bytes.count <= state.room else {
                throw BatonError(.resourceExhausted, reason: "quota_exceeded", "The cloud says: “full”")
            }
            state.room -= bytes.count
            whole += bytes
            state.parts[blob] = whole
            guard whole.count == Int(size) else { return }
            guard Data(SHA256.hash(data: whole)) == blob else {
                throw BatonError(.invalidArgument, reason: "blob_mismatch", "It is another blob.")
            }
            state.parts[blob] = nil
            state.blobs[blob] = whole
        }
    }

    func bytes(_ range: Range<UInt64>, of blob: Data) async throws -> Data {
        try perform { state in
            state.reads += 1
            guard let whole = state.blobs[blob] else {
                throw BatonError(.notFound, reason: "unknown_blob", "There is no such blob.")
            }
            return Data(whole.dropFirst(Int(range.lowerBound)).prefix(range.count))
        }
    }

    func close() {}

    /// Takes an object away as a cloud that lies does: without a deletion.
    func hide(_ name: String, of device: String, _ keys: FixedKeys) throws {
        let id = DeviceID(rawValue: String(repeating: device, count: 26))
        state.withLock { state in
            guard let zone = id.map({ keys.zoneID(of: $0) }) else { return }
            state.zones[zone]?.items[keys.itemID(name, zone: zone)] = nil
        }
    }
}
