package import Foundation

/// The head of a zone.
package struct ZoneHead: Hashable, Sendable {
    package var zone: ZoneID
    /// 16 bytes: another one after the zone was deleted and made again.
    package var epoch: Data
    /// The version of the newest change.
    package var head: UInt64

    package init(zone: ZoneID, epoch: Data, head: UInt64) {
        self.zone = zone
        self.epoch = epoch
        self.head = head
    }
}

/// A change of a zone.
package enum ZoneChange: Hashable, Sendable {
    case moved(ZoneHead)
    case gone(ZoneID)

    package var zone: ZoneID {
        switch self {
        case .moved(let head): head.zone
        case .gone(let zone): zone
        }
    }
}

/// Some of what changed since a cursor.
package struct ChangePage: Hashable, Sendable {
    /// Each once, as it is now, in the order of its newest change.
    package var items: [StoredItem]
    package var cursor: ZoneCursor
    /// There is more now.
    package var hasMore: Bool
}

/// Bounds of one page: it ends before the item that would exceed one of them, but has one item at least.
package struct PageLimit: Sendable {
    package var items: Int
    package var bytes: Int

    package init(items: Int, bytes: Int) {
        self.items = items
        self.bytes = bytes
    }
}
