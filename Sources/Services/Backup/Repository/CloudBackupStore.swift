import BackupFormat
package import BatonCore
import BatonWire
import Crypto
import Dispatch
import Foundation
import SwiftProtobuf
import Synchronization

/// A target that is the account's cloud.
///
/// Each device writes to its own zone, `backup/DEVICE`; all of them together are the target. An object is an item, sealed, and what is
/// large lies in blobs that the item names. A stone and its snapshot, a mark and its pack are in one zone.
/// Used by one thread at a time, as ``BackupRepository`` is.
package final class CloudBackupStore: BackupStore {
    private struct State {
        var zones: [Data: CloudBackupZone] = [:]
        /// The zone that an object is in, by its whole name.
        var places: [String: Data] = [:]
        var isRead = false
        var blocks = BlobBlocks()
    }

    private let keys: any BackupKeys
    private let calls: any BackupCloudCalls
    private let state = Mutex(State())
    private let pause: Duration
    /// Bytes that are sent at once, each time within the limits of a call.
    private static let partBytes = 512 << 10
    /// Blobs that are sent side by side.
    private static let transfers = 4
    private static let attempts = 3

    /// - Parameter pause: before something is tried again.
    package init(keys: any BackupKeys, calls: any BackupCloudCalls, pause: Duration = .seconds(1)) {
        self.keys = keys
        self.calls = calls
        self.pause = pause
    }

    package func close() { calls.close() }

    // MARK: Calls

    /// Runs calls of the cloud, on a thread that may block.
    private func wait<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws(BatonError) -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Value, any Error>?>(nil)
        let pause = pause
        // A task of its own: the thread, which is of no pool, waits for it right below.
        Task {
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(try await Self.persistently(pause, body))
            } catch {
                outcome = .failure(error)
            }
            result.withLock { $0 = outcome }
            done.signal()
        }
        done.wait()
        switch result.withLock({ $0 }) {
        case .success(let value): return value
        case .failure(let error): throw Self.told(error)
        case nil: throw Self.told(CancellationError())
        }
    }

    /// A connection that breaks in the middle of a large backup costs no more than the call.
    private static func persistently<Value>(
        _ pause: Duration, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        for attempt in 1..<attempts {
            do {
                return try await body()
            } catch let error as BatonError where error.code == .unavailable || error.code == .deadlineExceeded {
                try await Task.sleep(for: pause * attempt)
            }
        }
        return try await body()
    }

    private static func told(_ error: any Error) -> BatonError {
        guard let error = error as? BatonError else {
            return BatonError(
                .unavailable, reason: "cloud_unreachable",
                "The account's cloud did not answer. “baton explain sync” says why; the next backup goes on.",
                cause: error)
        }
        guard error.reason == "quota_exceeded" else { return error }
        return BatonError(
            .resourceExhausted, reason: "backup_quota",
            "The account's cloud has no room left for the backup. Leave out what is large (“baton backup list --large”, “baton backup "
                + "exclude PATH”), forget old backups (“baton backup forget”; their room is free two days later), ask the cloud's operator "
                + "for more, or back up to a disk (“baton backup target DIR”).", cause: error)
    }

    // MARK: Reading

    package func check() throws(BatonError) {
        let zones = keys.devices.prefix(1).map(keys.zoneID(of:))
        _ = try wait { [calls] in try await calls.heads(of: zones) }
    }

    private func refresh() throws(BatonError) {
        let known = state.withLock { $0.zones }
        let zones = try wait { [keys, calls] in
            var zones = known
            for device in keys.devices {
                let id = keys.zoneID(of: device)
                if zones[id] == nil { zones[id] = CloudBackupZone(device: device, id: id) }
            }
            let told = try await calls.heads(of: zones.keys.sorted { $0.lexicographicallyPrecedes($1) })
            let heads = Dictionary(told.map { ($0.zoneID, $0) }) { first, _ in first }
            for id in zones.keys { try await zones[id]?.refresh(heads[id], keys, calls) }
            return zones
        }
        var places: [String: Data] = [:]
        for (id, zone) in zones {
            for item in zone.items.values where item.object != nil { if let name = item.name { places[name] = id } }
        }
        state.withLock { state in
            state.zones = zones
            state.places = places
            state.isRead = true
        }
    }

    package func hasUnreadable() throws(BatonError) -> Bool {
        try refresh()
        return state.withLock { $0.zones.values.contains(where: \.hasUnreadable) }
    }

    package func names(_ kind: BackupObject) throws(BatonError) -> [String] {
        try refresh()
        let prefix = kind.rawValue + "/"
        return state.withLock { $0.places.keys.filter { $0.hasPrefix(prefix) } }
            .map { String($0.dropFirst(prefix.count)) }.filter(Self.isName)
    }

    private func object(_ kind: BackupObject, _ name: String) throws(BatonError) -> CloudObject {
        if let found = known(kind, name) { return found }
        try refresh()
        if let found = known(kind, name) { return found }
        throw BatonError(
            .notFound, reason: "file_not_found", "The account's cloud has no “\(kind.rawValue)/\(name)” of a backup.")
    }

    private func known(_ kind: BackupObject, _ name: String) -> CloudObject? {
        let whole = "\(kind.rawValue)/\(name)"
        return state.withLock { state in
            guard let zone = state.places[whole] else { return nil }
            return state.zones[zone]?.items[keys.itemID(whole, zone: zone)]?.object
        }
    }

    package func read(_ kind: BackupObject, _ name: String, limit: Int) throws(BatonError) -> [UInt8] {
        let object = try object(kind, name)
        guard object.size <= UInt64(limit) else { throw damaged(kind, name) }
        return try read(object, from: 0, count: Int(object.size), kind, name)
    }

    package func read(
        _ kind: BackupObject, _ name: String, from offset: UInt64, count: Int
    ) throws(BatonError) -> [UInt8] {
        let object = try object(kind, name)
        let (end, isOver) = offset.addingReportingOverflow(UInt64(clamping: count))
        guard count >= 0, !isOver, end <= object.size else { throw damaged(kind, name) }
        return try read(object, from: offset, count: count, kind, name)
    }

    private func read(
        _ object: CloudObject, from offset: UInt64, count: Int, _ kind: BackupObject, _ name: String
    ) throws(BatonError) -> [UInt8] {
        if case .inline(let bytes) = object { return Array(bytes[Int(offset)..<(Int(offset) + count)]) }
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var start: UInt64 = 0
        let (from, to) = (offset, offset + UInt64(count))
        for blob in object.blobs {
            let end = start + UInt64(blob.size)
            defer { start = end }
            guard from < end, start < to else { continue }
            let range = (max(from, start) - start)..<(min(to, end) - start)
            do throws(BatonError) {
                result += try bytes(range, of: blob)
            } catch {
                // The item is there, so its blobs must be.
                if error.code == .notFound || error.code == .outOfRange { throw damaged(kind, name) }
                throw error
            }
        }
        guard result.count == count else { throw damaged(kind, name) }
        return result
    }

    /// Small parts of a pack are read one after the other: what is beside them comes with them.
    private func bytes(_ range: Range<UInt64>, of blob: CloudObject.Blob) throws(BatonError) -> [UInt8] {
        let hash = Data(blob.hash)
        let needed = BlobBlocks.numbers(of: range)
        // Held here, too: another thread's reads may push them out.
        var blocks = state.withLock { state in
            var found = BlobBlocks()
            for number in needed { found.take(hash, number, from: state.blocks) }
            return found
        }
        let absent = needed.filter { blocks[hash, $0] == nil }
        if let first = absent.first, let last = absent.last {
            let wanted = BlobBlocks.range(first...last, size: UInt64(blob.size))
            let bytes = try wait { [calls] in try await calls.bytes(wanted, of: hash) }
            guard bytes.count == wanted.count else {
                throw BatonError(.outOfRange, reason: "cut_blob", "A part of the backup in the cloud is cut.")
            }
            state.withLock { $0.blocks.keep(bytes, hash, from: first) }
            if absent.count == needed.count {
                let start = Int(range.lowerBound - wanted.lowerBound)
                return Array(bytes.dropFirst(start).prefix(range.count))
            }
            blocks.keep(bytes, hash, from: first, among: needed)
        }
        return blocks.bytes(range, of: hash)
    }

    private func damaged(_ kind: BackupObject, _ name: String) -> BatonError {
        BatonError(
            .dataLoss, reason: "damaged_backup_object",
            "“\(kind.rawValue)/\(name)” in the account's cloud is damaged. “baton backup verify” says what that means.")
    }

    // MARK: Writing

    package func write(_ kind: BackupObject, _ name: String, _ bytes: [UInt8]) throws(BatonError) {
        let object = try uploaded(bytes)
        try change([(try whole(kind, name), object)], in: try zone(for: kind, name))
    }

    package func remove(_ kind: BackupObject, _ name: String) throws(BatonError) {
        if !state.withLock({ $0.isRead }) { try refresh() }
        let whole = try whole(kind, name)
        guard let zone = state.withLock({ $0.places[whole] }) else { return }
        try change([(whole, nil)], in: zone)
    }

    /// One write, so that it is accepted where there is no room left: it makes the account smaller.
    package func write(
        _ kind: BackupObject, _ name: String, _ bytes: [UInt8], removing removed: BackupObject
    ) throws(BatonError) {
        let zone = try zone(for: kind, name)
        let (one, other) = (try whole(kind, name), try whole(removed, name))
        guard state.withLock({ $0.places[other] }) == zone else {
            try write(kind, name, bytes)
            return try remove(removed, name)
        }
        try change([(one, try uploaded(bytes)), (other, nil)], in: zone)
    }

    private func whole(_ kind: BackupObject, _ name: String) throws(BatonError) -> String {
        guard Self.isName(name) else {
            throw BatonError(.invalidArgument, reason: "bad_object_name", "A part of a backup has an invalid name.")
        }
        return "\(kind.rawValue)/\(name)"
    }

    /// Where an object belongs: beside what it is about.
    private func zone(for kind: BackupObject, _ name: String) throws(BatonError) -> Data {
        if !state.withLock({ $0.isRead }) { try refresh() }
        guard let own = keys.device else { throw BackupRepository.readOnly }
        return state.withLock { state in
            if let place = state.places["\(kind.rawValue)/\(name)"] { return place }
            switch kind {
            case .mark: if let place = state.places["\(BackupObject.pack.rawValue)/\(name)"] { return place }
            case .forgotten:
                if let device = BackupSnapshot.ID(name)?.device, keys.devices.contains(device) {
                    return keys.zoneID(of: device)
                }
            default: break
            }
            return keys.zoneID(of: own)
        }
    }

    private func uploaded(_ bytes: [UInt8]) throws(BatonError) -> CloudObject {
        guard bytes.count > CloudObject.maximumInline else { return .inline(bytes) }
        let parts = stride(from: 0, to: bytes.count, by: CloudObject.blobBytes).map { start in
            let part = Data(bytes[start..<min(bytes.count, start + CloudObject.blobBytes)])
            return (hash: Data(SHA256.hash(data: part)), bytes: part)
        }
        guard parts.count <= CloudObject.maximumBlobs else {
            throw BatonError(
                .resourceExhausted, reason: "backup_object_too_large",
                "A part of the backup is larger than the account's cloud can hold. Back up to a disk: “baton backup target DIR”."
            )
        }
        try wait { [calls] in
            let missing = try await calls.missing(parts.map(\.hash))
            var waiting = parts.filter { missing[$0.hash] != nil }[...]
            try await withThrowingTaskGroup(of: Void.self) { group in
                func next() {
                    guard let part = waiting.popFirst() else { return }
                    group.addTask { try await Self.put(part.bytes, part.hash, from: missing[part.hash] ?? 0, calls) }
                }
                for _ in 0..<Self.transfers { next() }
                while try await group.next() != nil { next() }
            }
        }
        return .blobs(parts.map { .init(hash: Array($0.hash), size: UInt32(clamping: $0.bytes.count)) })
    }

    private static func put(
        _ bytes: Data, _ hash: Data, from received: UInt64, _ calls: any BackupCloudCalls
    ) async throws {
        var done = min(Int(clamping: received), bytes.count)
        repeat {
            let part = bytes.dropFirst(done).prefix(partBytes)
            try await calls.put(Data(part), at: UInt64(done), of: hash, size: UInt64(bytes.count))
            done += part.count
        } while done < bytes.count
    }

    /// All of these or none. Objects that another device wrote meanwhile are replaced, as in a directory.
    /// - Parameter changes: nil for what goes.
    private func change(_ changes: [(name: String, object: CloudObject?)], in zone: Data) throws(BatonError) {
        for _ in 0..<8 {
            var request = Baton_Cloud_V1_WriteItemsRequest()
            request.zoneID = zone
            request.idempotencyKey = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
            for (name, object) in changes {
                let item = keys.itemID(name, zone: zone)
                var write = Baton_Cloud_V1_ItemWrite()
                write.itemID = item
                write.replaces = state.withLock { $0.zones[zone]?.version(of: item) ?? 0 }
                if let object {
                    write.put.sealed = try keys.seal(object.encoded, name: name, zone: zone)
                    write.put.blobs = object.blobs.map { Data($0.hash) }
                } else {
                    write.delete = .init()
                }
                request.writes.append(write)
            }
            let sent = request
            let answer = try wait { [calls] in try await calls.write(sent) }
            if answer.conflicts.isEmpty, answer.versions.count == changes.count {
                return note(changes, answer.versions, in: zone)
            }
            state.withLock { state in
                for item in answer.conflicts {
                    var stored = state.zones[zone]?.items[item.itemID] ?? .init(version: 0)
                    stored.version = item.version
                    state.zones[zone]?.set(item.itemID, stored)
                }
            }
        }
        throw BatonError(
            .aborted, reason: "backup_conflict",
            "Another device changes the same part of the backup all the time. Try again in a while.")
    }

    private func note(_ changes: [(name: String, object: CloudObject?)], _ versions: [UInt64], in zone: Data) {
        state.withLock { state in
            for ((name, object), version) in zip(changes, versions) {
                state.zones[zone]?.set(
                    keys.itemID(name, zone: zone),
                    .init(name: object == nil ? nil : name, object: object, version: version))
                state.places[name] = object == nil ? nil : zone
            }
        }
    }
}
