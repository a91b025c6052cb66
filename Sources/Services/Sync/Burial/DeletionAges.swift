/// How long each deleted thing has been so, by the account's time, until it may be buried.
///
/// The count begins when this device first sees the deletion while it knows the account's time, so a device's own clock, which may be
/// months off, decides nothing. Bound: what is deleted in the zone.
package struct DeletionAges<Identifier: Hashable & Sendable>: Sendable {
    /// In milliseconds: for so long a deletion can be undone.
    package static var retention: UInt64 { 30 * 24 * 60 * 60 * 1000 }

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

    package init(_ ages: [Identifier: Age] = [:]) { self.ages = ages }

    /// - Parameters:
    ///   - deleted: all that may be buried but for its age, with what tells a change of it.
    ///   - time: the account's, in milliseconds since 1970.
    /// - Returns: those whose time is over, the oldest first.
    package mutating func look(at deleted: [Identifier: UInt64], time: UInt64) -> [Identifier] {
        var next: [Identifier: Age] = [:]
        for (id, stamp) in deleted {
            var age = Age(since: time, stamp: stamp)
            // A time that goes back makes nothing older.
            if let known = ages[id], known.stamp == stamp { age.since = min(known.since, time) }
            next[id] = age
        }
        ages = next
        return next.filter { time - $0.value.since >= Self.retention }.sorted { $0.value.since < $1.value.since }
            .map(\.key)
    }
}
