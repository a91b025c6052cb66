package import BatonCore

/// Orders what was written to one register. The greater one wins.
package struct Stamp: Hashable, Comparable, Sendable {
    package var time: HybridTimestamp
    package var actor: ActorID
    /// How often the rules of the tree have replaced what the actor wrote. All devices count alike.
    package var settlements: UInt16

    package init(time: HybridTimestamp, actor: ActorID, settlements: UInt16 = 0) {
        self.time = time
        self.actor = actor
        self.settlements = settlements
    }

    package static let zero = Stamp(time: .zero, actor: .settlement)

    /// Just above this one, and below each other one that is above it.
    var settled: Stamp {
        Stamp(time: time, actor: actor, settlements: settlements == .max ? .max : settlements + 1)
    }

    package static func < (left: Self, right: Self) -> Bool {
        if left.time != right.time { return left.time < right.time }
        return left.actor == right.actor ? left.settlements < right.settlements : left.actor < right.actor
    }
}

/// A value of which the last write counts.
package struct Register<Value: Hashable & Comparable & Sendable>: Hashable, Sendable {
    package var stamp: Stamp
    package var value: Value

    package init(stamp: Stamp, value: Value) {
        self.stamp = stamp
        self.value = value
    }

    package func joined(_ other: Self) -> Self {
        if stamp == other.stamp { return value >= other.value ? self : other }
        return stamp > other.stamp ? self : other
    }
}

/// Where an entry was put.
package struct Place: Hashable, Comparable, Sendable {
    package var stamp: Stamp
    package var parent: EntryID

    package init(stamp: Stamp, parent: EntryID) {
        self.stamp = stamp
        self.parent = parent
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.stamp == right.stamp ? left.parent < right.parent : left.stamp < right.stamp
    }
}
