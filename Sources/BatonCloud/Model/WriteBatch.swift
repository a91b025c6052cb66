import Crypto
package import Foundation

/// Changes of one zone that are made together or not at all, once.
package struct WriteBatch: Sendable {
    /// 16 random bytes, the same when the batch is sent again.
    package let key: Data
    package let writes: [ItemWrite]
    /// The digest that a repetition shares with the first attempt.
    package let digest: Data
    /// By which statements of the account the caller was let in (``AccountRecord/revision``): a driver with several nodes refuses
    /// the batch when there are more by now. Nil: whatever there are.
    package var membership: UInt64?

    /// - Parameter writes: at least one, each of another item.
    package init(key: Data, writes: [ItemWrite]) {
        self.key = key
        self.writes = writes
        digest = Self.digest(writes)
    }

    /// Blobs that the batch's contents name, each once.
    package var blobs: Set<BlobHash> { Set(writes.lazy.compactMap(\.content).flatMap(\.blobs)) }

    /// Whether something is deleted in it that was there.
    var removes: Bool { writes.contains { $0.content == nil && $0.replaces > 0 } }

    private static func digest(_ writes: [ItemWrite]) -> Data {
        var hash = SHA256()
        func add(_ number: UInt64) { withUnsafeBytes(of: number.bigEndian) { hash.update(bufferPointer: $0) } }
        for write in writes {
            hash.update(data: write.id.bytes)
            add(write.replaces)
            guard let content = write.content else {
                add(.max)
                if let tombstone = write.tombstone {
                    add(UInt64(tombstone.count))
                    hash.update(data: tombstone)
                }
                continue
            }
            add(UInt64(content.sealed.count))
            hash.update(data: content.sealed)
            add(UInt64(content.blobs.count))
            for blob in content.blobs { hash.update(data: blob.bytes) }
        }
        return Data(hash.finalize())
    }
}

/// The outcome of a batch.
package enum WriteOutcome: Hashable, Sendable {
    /// The versions of the writes, in their order.
    case written([UInt64])
    /// The items that have another version than was said, as they are. Nothing was written.
    case conflicts([StoredItem])
}
