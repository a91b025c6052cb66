package import Foundation

/// The content of an item.
package struct ItemContent: Hashable, Sendable {
    package var sealed: Data
    /// Blobs that the content needs.
    package var blobs: [BlobHash]

    package init(sealed: Data, blobs: [BlobHash] = []) {
        self.sealed = sealed
        self.blobs = blobs
    }

    /// Size as counted towards size limits.
    package var byteCount: Int { sealed.count + 32 * blobs.count }
}

/// An item as it is: its newest change.
package struct StoredItem: Hashable, Sendable {
    package var id: ItemID
    /// Its place in the zone's order; 0 for one that is not there.
    package var version: UInt64
    /// Nil: deleted, or not there.
    package var content: ItemContent?
    /// The tombstone of a deleted item: sealed details for the other devices. Nil when there are none.
    package var tombstone: Data?
    /// Milliseconds since 1970.
    package var written: UInt64

    package init(id: ItemID, version: UInt64, content: ItemContent?, tombstone: Data? = nil, written: UInt64) {
        self.id = id
        self.version = version
        self.content = content
        self.tombstone = tombstone
        self.written = written
    }

    /// For a name that says nothing.
    package static func absent(_ id: ItemID) -> StoredItem {
        StoredItem(id: id, version: 0, content: nil, written: 0)
    }

    /// Overhead counted for each item besides its content, deleted ones included, so that no item is free.
    package static let overhead = 128

    /// Bytes that the item counts towards the account's quota.
    package var cost: Int { Self.overhead + byteCount }

    /// Size as counted towards size limits.
    package var byteCount: Int { content?.byteCount ?? tombstone?.count ?? 0 }

    /// The bytes that drivers store in one column: the content, or the tombstone of a deleted item.
    var sealed: Data? { content?.sealed ?? tombstone }
}

/// A change that a device asks for.
package struct ItemWrite: Hashable, Sendable {
    package var id: ItemID
    /// The version that the writer knows; 0: the item never was.
    package var replaces: UInt64
    /// Nil: to be deleted.
    package var content: ItemContent?
    /// The tombstone of a deletion, kept as long as the deletion is remembered. Sealed like contents; nil for none.
    package var tombstone: Data?

    package init(_ id: ItemID, replaces: UInt64, content: ItemContent?, tombstone: Data? = nil) {
        self.id = id
        self.replaces = replaces
        self.content = content
        self.tombstone = tombstone
    }

    /// Bytes that the item will count towards the account's quota.
    package var cost: Int { StoredItem.overhead + (content?.byteCount ?? tombstone?.count ?? 0) }

    /// As ``StoredItem/sealed``.
    var sealed: Data? { content?.sealed ?? tombstone }
}
