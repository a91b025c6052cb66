/// The author of changes to entries: eight random bytes, drawn with a device's database and not with the device.
///
/// A database that was restored from a backup must not give one dot twice, so it gets another actor.
package struct ActorID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The actor of changes that all devices derive in the same way. No device is this actor.
    package static let settlement = ActorID(rawValue: 0)

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One change of one entry.
package struct Dot: Hashable, Comparable, Sendable {
    package let actor: ActorID
    /// From 1, for each entry and actor.
    package let counter: UInt64

    package init(actor: ActorID, counter: UInt64) {
        self.actor = actor
        self.counter = counter
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.actor == right.actor ? left.counter < right.counter : left.actor < right.actor
    }
}

/// Which changes of an entry are known: a version vector.
package struct DotContext: Hashable, Sendable {
    package private(set) var counters: [ActorID: UInt64]

    package init(_ counters: [ActorID: UInt64] = [:]) { self.counters = counters }

    package func covers(_ dot: Dot) -> Bool { (counters[dot.actor] ?? 0) >= dot.counter }

    package subscript(actor: ActorID) -> UInt64 { counters[actor] ?? 0 }

    /// - Parameter least: the counter is greater than this one too.
    package mutating func next(for actor: ActorID, after least: UInt64 = 0) -> Dot {
        // EntryLimits keeps counters far below the end.
        let dot = Dot(actor: actor, counter: max(self[actor], least) &+ 1)
        counters[actor] = dot.counter
        return dot
    }

    mutating func forget(from dot: Dot) {
        guard self[dot.actor] >= dot.counter, dot.counter > 0 else { return }
        counters[dot.actor] = dot.counter == 1 ? nil : dot.counter - 1
    }

    package func joined(_ other: DotContext) -> DotContext {
        counters == other.counters ? self : DotContext(counters.merging(other.counters, uniquingKeysWith: max))
    }

    /// A dot stays that both have, or that one has and the other has not heard of.
    package func join(_ own: Set<Dot>, _ theirs: Set<Dot>, knownThere: DotContext) -> Set<Dot> {
        if own == theirs { return own }
        var result = own.filter { theirs.contains($0) || !knownThere.covers($0) }
        for dot in theirs where !own.contains(dot) && !covers(dot) { result.insert(dot) }
        return result
    }
}
