import BatonCore

/// Beyond these a call is refused whole. `GetServer` names them.
package struct CloudLimits: Sendable {
    package var itemBytes = 2 << 20
    package var itemsPerBatch = 500
    package var batchBytes = 4 << 20
    package var itemsPerPage = 500
    package var pageBytes = 4 << 20
    package var blobsPerItem = 10_000
    package var blobBytes: UInt64 = 16 << 20
    package var zonesPerAccount = 10_000
    package var subscriptionsPerDevice = 8

    package init() {}

    /// The largest message: a batch with its framing. Each blob name has two bytes around its 32.
    var messageBytes: Int { batchBytes + batchBytes / 8 + 512 * itemsPerBatch }

    /// Limit of a tombstone: it names an item, and hardly more.
    static let tombstoneBytes = 4096

    /// - Throws: `invalid_argument` or `resource_exhausted`.
    func check(_ batch: [ItemWrite], key: Int) throws(BatonError) {
        guard key == 16 else {
            throw BatonError(
                .invalidArgument, reason: "malformed_key", "An idempotency key has 16 random bytes, not \(key).")
        }
        guard !batch.isEmpty else {
            throw BatonError(.invalidArgument, reason: "empty_batch", "A batch has one write at least.")
        }
        try check(batch.count, itemsPerBatch, "too_many_items", "A batch", "items")
        guard Set(batch.map(\.id)).count == batch.count else {
            throw BatonError(
                .invalidArgument, reason: "item_twice", "An item is written twice in one batch. Write it once.")
        }
        var bytes = 0
        for content in batch.lazy.compactMap(\.content) {
            try check(content.sealed.count, itemBytes, "item_too_large", "An item", "bytes", "Put them into a blob.")
            try check(content.blobs.count, blobsPerItem, "too_many_blobs", "An item", "blobs")
            bytes += content.byteCount
        }
        for tombstone in batch.lazy.compactMap(\.tombstone) {
            try check(
                tombstone.count, Self.tombstoneBytes, "tombstone_too_large", "A tombstone", "bytes",
                "Say less.")
            bytes += tombstone.count
        }
        try check(bytes, batchBytes, "batch_too_large", "A batch", "bytes")
    }

    func check(
        _ count: Int, _ limit: Int, _ reason: String, _ what: String, _ parts: String,
        _ advice: String = "Make several of it."
    ) throws(BatonError) {
        guard count <= limit else {
            throw BatonError(
                .resourceExhausted, reason: reason, "\(what) may have \(limit) \(parts), not \(count). \(advice)")
        }
    }
}
