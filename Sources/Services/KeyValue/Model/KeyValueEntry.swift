package import BatonCore

/// When a key was set, and by which device. The greatest wins on every device (K-18).
package struct KeyValueStamp: Hashable, Comparable, Sendable {
    package var time: HybridTimestamp
    /// Decides between two devices that set a key at one moment.
    package var device: DeviceID

    package init(time: HybridTimestamp, device: DeviceID) {
        self.time = time
        self.device = device
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.time, left.device) < (right.time, right.device)
    }
}

/// The value of a key since its newest change, or its removal.
package struct KeyValueEntry: Hashable, Sendable {
    /// Nil: the key was removed. The removal stays for a while, so that it wins over older values elsewhere.
    package var value: PropertyValue?
    package var stamp: KeyValueStamp

    package init(value: PropertyValue?, stamp: KeyValueStamp) {
        self.value = value
        self.stamp = stamp
    }
}

/// A key as the cloud has it.
package struct KeyValueItem: Hashable, Sendable {
    package var key: String
    /// The cloud's version of the item. 0: it is not there, and its deletion is forgotten.
    package var version: UInt64
    /// For a deleted item, the removal from its tombstone. Nil if no device vouches for the deletion, or the item
    /// cannot be read.
    package var entry: KeyValueEntry?
    package var isDeleted: Bool
    /// False: a newer version of Baton wrote it, or a broken one.
    package var isReadable: Bool

    package init(
        key: String, version: UInt64, entry: KeyValueEntry?, isDeleted: Bool = false, isReadable: Bool = true
    ) {
        self.key = key
        self.version = version
        self.entry = entry
        self.isDeleted = isDeleted
        self.isReadable = isReadable
    }
}

/// A change to write to the cloud.
package struct KeyValueChange: Hashable, Sendable {
    package var key: String
    package var entry: KeyValueEntry
    /// The item is to be deleted, since the removal that its entry is has been known for long enough. The entry has the values of
    /// its tombstone.
    package var isDeletion: Bool
    /// The version that is replaced.
    package var replaces: UInt64

    package init(key: String, entry: KeyValueEntry, isDeletion: Bool = false, replaces: UInt64) {
        self.key = key
        self.entry = entry
        self.isDeletion = isDeletion
        self.replaces = replaces
    }
}

/// A write of an app to a key.
package struct KeyValueWrite: Hashable, Sendable {
    package var key: String
    /// Nil removes the key.
    package var value: PropertyValue?
    /// When the app wrote, in milliseconds since 1970.
    package var time: UInt64
    /// Whether the app had the present entry in view. If not, the later one of both wins.
    package var isInformed: Bool

    package init(key: String, value: PropertyValue?, time: UInt64, isInformed: Bool) {
        self.key = key
        self.value = value
        self.time = time
        self.isInformed = isInformed
    }
}

/// The outcome of a write.
package enum KeyValueOutcome: Hashable, Sendable {
    case taken
    /// Something later was there.
    case superseded
    /// There is no room: the previous value stays (K-5, K-17).
    case refused
}
