package import FileSync

/// Sums of authors that write no more are one sum, so that a counter does not grow with each device that ever counted.
///
/// Two devices that fold different states of an author would not come to one number. So a fold replaces a certain version of the record
/// in the cloud or does not happen: of a record there is one fold after the other, and each has all that was folded before.
extension Record {
    /// With the sums of these authors in those of ``FileSync/ActorID/settlement``. Their names stay, so that an earlier copy adds
    /// nothing.
    ///
    /// - Parameter actors: all that they counted is in the record, or is given up.
    package func folding(_ actors: Set<ActorID>) -> Record {
        let counting = Set(counters.values.flatMap(\.sums.keys)).intersection(actors).subtracting([.settlement])
        guard !counting.isEmpty, folded.count + counting.count <= RecordLimits.folded else { return self }
        var record = self
        record.folded.formUnion(counting)
        record.counters = counters.mapValues { $0.folding(counting) }
        return record
    }
}

extension RecordCounter {
    /// The sum that stands for several has one change more for each of them: so that of the last fold is the newest.
    func folding(_ actors: Set<ActorID>) -> RecordCounter {
        let gone = sums.filter { actors.contains($0.key) }
        guard !gone.isEmpty else { return self }
        var result = without(actors)
        let old = sums[.settlement] ?? Sum(changes: 0, value: 0)
        result.sums[.settlement] = Sum(
            changes: old.changes &+ UInt64(gone.count), value: gone.values.reduce(old.value) { $0 &+ $1.value })
        return result
    }
}
