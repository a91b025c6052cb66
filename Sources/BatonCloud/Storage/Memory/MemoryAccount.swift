import BatonCore
import Foundation

/// An account of ``MemoryItemStore``.
struct MemoryAccount {
    struct Blob {
        var size: UInt64
        var standing: BlobStanding
        /// How often items name it.
        var uses = 0
        /// When it was uploaded, or last let go of.
        var touched: UInt64

        var record: BlobRecord { BlobRecord(size: size, standing: standing) }
    }

    struct BatchName: Hashable {
        var zone: ZoneID
        var key: Data
    }

    private struct Answer {
        var digest: Data
        var versions: [UInt64]
        var written: UInt64
    }

    var record: AccountRecord
    private(set) var zones: [ZoneID: MemoryZone] = [:]
    var blobs: [BlobHash: Blob] = [:]
    private(set) var usage = Usage()
    /// Bytes of zones that were deleted since it was swept: they count towards the quota, as with drivers that remove them
    /// bit by bit.
    private var removed = 0
    private var answers: [BatchName: Answer] = [:]
    /// Bytes that count and go by themselves.
    private var leaving: Int { removed + StoreRules.answerCost * answers.count }

    /// With what counts besides.
    var wholeUsage: Usage {
        var usage = usage
        usage.otherBytes = leaving
        return usage
    }

    init(record: AccountRecord) { self.record = record }

    mutating func setQuota(_ quota: UInt64?) { usage.ownQuota = quota }

    // MARK: Zones

    func zone(_ id: ZoneID) throws(BatonError) -> MemoryZone {
        guard let zone = zones[id] else { throw StoreRules.unknownZone }
        return zone
    }

    mutating func write(_ batch: WriteBatch, to id: ZoneID, _ rules: StoreRules) throws(BatonError) -> WriteOutcome {
        let name = BatchName(zone: id, key: batch.key)
        if let answer = answers[name] {
            guard answer.digest == batch.digest else { throw StoreRules.repeatedKey }
            return .written(answer.versions)
        }
        let zone = zones[id]
        let conflicts = batch.writes.compactMap { write in
            let item = zone?.items[write.id] ?? .absent(write.id)
            return item.version == write.replaces ? nil : item
        }
        guard conflicts.isEmpty else {
            var bytes = 0
            let fitting = conflicts.prefix { item in
                defer { bytes += item.cost }
                return bytes == 0 || bytes + item.cost <= rules.conflictBytes
            }
            return .conflicts(Array(fitting))
        }
        guard batch.blobs.allSatisfy({ blobs[$0]?.standing == .complete }) else { throw StoreRules.missingBlob }
        let growth = batch.writes.reduce(0) { growth, write in
            let old = zone?.items[write.id]?.cost ?? 0
            return growth + write.cost - old
        }
        try rules.checkWrite(
            used: usage.itemBytes + usage.blobBytes + leaving, leaving: leaving, growth: growth,
            removes: batch.removes, own: usage.ownQuota)
        if zone == nil { try rules.checkZones(zones.count) }
        return .written(apply(batch, name, zone ?? MemoryZone(epoch: rules.random(StoreRules.epochLength)), rules))
    }

    private mutating func apply(
        _ batch: WriteBatch, _ name: BatchName, _ zone: MemoryZone, _ rules: StoreRules
    ) -> [UInt64] {
        var zone = zone
        let now = rules.clock.milliseconds
        zone.begin(rules)
        let versions = batch.writes.map { write in
            for blob in write.content?.blobs ?? [] { blobs[blob]?.uses += 1 }
            if let old = zone.items[write.id] { letGo(of: old, now) }
            usage.items += 1
            usage.itemBytes += write.cost
            return zone.put(write, at: now)
        }
        zones[name.zone] = zone
        usage.zones = zones.count
        answers[name] = Answer(digest: batch.digest, versions: versions, written: now)
        return versions
    }

    private mutating func letGo(of item: StoredItem, _ now: UInt64) {
        usage.items -= 1
        usage.itemBytes -= item.cost
        for blob in item.content?.blobs ?? [] {
            blobs[blob]?.uses -= 1
            blobs[blob]?.touched = now
        }
    }

    /// - Returns: false when there is no such zone.
    mutating func removeZone(_ id: ZoneID, _ now: UInt64) -> Bool {
        guard let zone = zones.removeValue(forKey: id) else { return false }
        for item in zone.items.values {
            letGo(of: item, now)
            removed += item.cost
        }
        usage.zones = zones.count
        return true
    }

    mutating func sweep(_ rules: StoreRules) {
        removed = 0
        let now = rules.clock.milliseconds
        for id in zones.keys {
            for item in zones[id]?.forget(before: rules.cutoff(rules.retention)) ?? [] { letGo(of: item, now) }
        }
        let cutoff = rules.cutoff(rules.repetition)
        answers = answers.filter { $0.value.written >= cutoff }
    }

    // MARK: Blobs

    mutating func beginBlob(_ hash: BlobHash, size: UInt64, _ rules: StoreRules) throws(BatonError) -> BlobStanding {
        let known = blobs[hash]
        try StoreRules.checkSize(size, of: known?.record)
        switch known?.standing {
        case .removing: throw StoreRules.blobBeingCollected
        case .complete, .uploading: break
        case nil:
            let growth = Int(clamping: size)
            try rules.checkQuota(
                used: usage.itemBytes + usage.blobBytes + leaving, growth: growth, own: usage.ownQuota)
            usage.blobBytes += growth
            usage.blobs += 1
            blobs[hash] = Blob(size: size, standing: .uploading, touched: 0)
        }
        blobs[hash]?.touched = rules.clock.milliseconds
        return known?.standing ?? .uploading
    }

    mutating func finishBlob(_ hash: BlobHash, size: UInt64, _ rules: StoreRules) throws(BatonError) {
        guard let blob = blobs[hash], blob.standing != .removing else { throw StoreRules.blobBeingCollected }
        try StoreRules.checkSize(size, of: blob.record)
        blobs[hash]?.standing = .complete
        blobs[hash]?.touched = rules.clock.milliseconds
    }

    mutating func cancelBlob(_ hash: BlobHash, size: UInt64) -> Bool {
        guard let blob = blobs[hash], blob.standing == .uploading, blob.size == size, blob.uses == 0 else {
            return false
        }
        blobs[hash] = nil
        usage.blobs -= 1
        usage.blobBytes -= Int(clamping: size)
        return true
    }

    mutating func giveUpBlobs(_ rules: StoreRules) {
        let cutoff = rules.cutoff(rules.grace)
        for (hash, blob) in blobs where blob.standing != .removing && blob.uses == 0 && blob.touched < cutoff {
            blobs[hash]?.standing = .removing
        }
    }

    mutating func releaseBlobs(_ hashes: [BlobHash]) -> UInt64 {
        var bytes: UInt64 = 0
        for hash in Set(hashes) {
            guard let blob = blobs[hash], blob.standing != .removing, blob.uses == 0 else { continue }
            blobs[hash]?.standing = .removing
            bytes += blob.size
        }
        return bytes
    }

    mutating func forgetBlob(_ hash: BlobHash) {
        guard let blob = blobs[hash], blob.standing == .removing else { return }
        blobs[hash] = nil
        usage.blobs -= 1
        usage.blobBytes -= Int(clamping: blob.size)
    }
}
