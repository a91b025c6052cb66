import Crypto
import Foundation

/// The checksum in an item's row, which finds contents that were changed while SQLite considers the file intact: the
/// first eight bytes of the SHA-256 of the row's values.
///
/// Contents are hashed when a batch arrives, before it waits for the writer; the values known only in the transaction
/// are short.
struct ItemChecksum: Sendable {
    private var hash = SHA256()

    init(_ write: ItemWrite) {
        let blobs = write.content?.blobs ?? []
        let deleted: Int64 = write.content == nil ? 1 : 0
        begin(write.id.bytes, deleted: deleted, write.sealed ?? Data(), bytesOfBlobs: 32 * blobs.count)
        for blob in blobs { hash.update(data: blob.bytes) }
    }

    /// The checksum of a row. SQLite does not distinguish empty bytes from no value in every place, so they count as
    /// the same.
    init(name: Data, deleted: Int64, sealed: Data?, blobs: Data?) {
        begin(name, deleted: deleted, sealed ?? Data(), bytesOfBlobs: blobs?.count ?? 0)
        if let blobs { hash.update(data: blobs) }
    }

    private mutating func begin(_ name: Data, deleted: Int64, _ sealed: Data, bytesOfBlobs: Int) {
        hash.update(data: name)
        // Lengths, so that nothing can move from one to the other.
        add([deleted, Int64(sealed.count), Int64(bytesOfBlobs)])
        hash.update(data: sealed)
    }

    private mutating func add(_ numbers: [Int64]) {
        for number in numbers { withUnsafeBytes(of: number.bigEndian) { hash.update(bufferPointer: $0) } }
    }

    /// - Parameter zone: the zone's row.
    func value(zone: Int64, version: Int64, written: Int64) -> Int64 {
        var whole = self
        whole.add([zone, version, written])
        let first: UInt64 = whole.hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return Int64(bitPattern: first)
    }
}
