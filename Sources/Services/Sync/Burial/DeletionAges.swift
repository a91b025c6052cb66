/// How long each deleted thing has been so, by the account's time, until it may be buried.
///
/// The count begins when this device first sees the deletion while it knows the account's time, so a device's own clock, which may be
/// months off, decides nothing. The account's time may be off for a moment too: where it goes back, or leaps, all is counted anew.
/// Bound: what is deleted in the zone.
package struct DeletionAges<Identifier: Hashable & Sendable>: Sendable {
    /// In milliseconds: for so long a deletion can be undone.
    package static var retention: UInt64 { 30 * 24 * 60 * 60 * 1000 }

    /// A time that is so much later than that of the last look is not believed. In milliseconds.
    package static var maximumStep: UInt64 { 7 * 24 * 60 * 60 * 1000 }

    package struct Age: Hashable, Sendable {
        package var since: UInt64
        /// Changes when the thing changes: then the count begins anew.
        package var stamp: UInt64

        package init(since: UInt64, stamp: UInt64) {
            self.since = since
            self.stamp = stamp
        }
    }

    package private(set) var ages: [Identifier: Age]

    /// By the account's time.
    package private(set) var lastLook: UInt64?

    package init(_ ages: [Identifier: Age] = [:], lastLook: UInt64? = nil) {
        self.ages = ages
        self.lastLook = lastLook
    }

    /// Whether the last look found that its time is over, and it has not changed since.
    package func isDue(_ id: Identifier, stamp: UInt64, time: UInt64) -> Bool {
        guard let age = ages[id], age.stamp == stamp, isSteady(time) else { return false }
        return time >= age.since && time - age.since >= Self.retention
    }

    private func isSteady(_ time: UInt64) -> Bool {
        guard let lastLook else { return false }
        return time >= lastLook && time - lastLook <= Self.maximumStep
    }

    /// - Parameters:
    ///   - deleted: all that may be buried but for its age, with what changes when it does.
    ///   - time: the account's, in milliseconds since 1970.
    /// - Returns: those whose time is over, the oldest first.
    package mutating func look(at deleted: [Identifier: UInt64], time: UInt64) -> [Identifier] {
        let isSteady = isSteady(time)
        lastLook = time
        var next: [Identifier: Age] = [:]
        for (id, stamp) in deleted {
            var age = Age(since: time, stamp: stamp)
            if isSteady, let known = ages[id], known.stamp == stamp { age.since = min(known.since, time) }
            next[id] = age
        }
        ages = next
        return next.filter { time - $0.value.since >= Self.retention }.sorted { $0.value.since < $1.value.since }
            .map(\.key)
    }
}
