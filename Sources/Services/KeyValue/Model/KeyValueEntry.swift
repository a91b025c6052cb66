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

/// What a key holds since its newest change.
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
    /// The cloud's version of the item.
    package var version: UInt64
    /// Nil: the cloud forgot the removal of the key.
    package var entry: KeyValueEntry?

    package init(key: String, version: UInt64, entry: KeyValueEntry?) {
        self.key = key
        self.version = version
        self.entry = entry
    }
}
