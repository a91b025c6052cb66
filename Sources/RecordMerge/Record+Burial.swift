package import BatonCore
package import FileSync

/// Deletions for good: a record of which nothing but its deletion is left leaves once that is old enough, and only its name, as a
/// digest, and the time of its newest change are remembered.
extension Record {
    /// Whether it is no more than an old copy of one that was buried. Changes of counters and of key columns alone have no stamp:
    /// a device that makes one unknown to others calls ``outliving(_:by:)`` before it is announced.
    package func isOld(buriedAt grave: HybridTimestamp) -> Bool { newestStamp.time <= grave }

    /// Whether it goes on to live although a device has buried it.
    ///
    /// - Parameter isUnsent: whether there is a change of it that no other device has heard of.
    package func lives(after grave: HybridTimestamp, isUnsent: Bool) -> Bool {
        guard isPresent, !isAdopted else { return newestStamp.time > grave }
        // With all that the one who buried it knew, and alive.
        let isKnown = deletion != nil && newestStamp.time >= grave
        return isUnsent || newestStamp.time > grave || isKnown
    }

    /// It stays: with a stamp after the grave, by which all distinguish it from an old copy.
    package func outliving(_ grave: HybridTimestamp, by actor: ActorID) -> Record {
        guard isOld(buriedAt: grave), grave.rawValue < .max else { return self }
        var record = self
        record.deletion = Stamp(time: HybridTimestamp(rawValue: grave.rawValue + 1), actor: actor)
        return record
    }

    /// Deleted, since another device has buried it. It is announced to no device.
    package func withdrawn(_ grave: HybridTimestamp, by actor: ActorID) -> Record {
        var record = self
        record.presence = []
        record.deletion = max(deletion ?? .zero, Stamp(time: grave, actor: actor))
        return record
    }
}
