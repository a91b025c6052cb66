package import BatonCore
package import FileSync

/// Up to when the changes of each author are known: enough to judge, in another replica of the zone, what a table had shown.
///
/// Changes of one author come in their order, so a change from before that time was there. A sum whose time is not known, or that
/// was folded, is taken for unknown, so that no deletion covers it.
package struct RecordAuthors: Hashable, Sendable {
    package private(set) var times: [ActorID: HybridTimestamp]

    package init(_ times: [ActorID: HybridTimestamp] = [:]) { self.times = times }

    /// - Returns: the authors about which more is known now.
    package mutating func note(_ record: Record) -> Set<ActorID> {
        var news: Set<ActorID> = []
        func note(_ actor: ActorID, _ time: HybridTimestamp) {
            if let known = times[actor], known >= time { return }
            times[actor] = time
            news.insert(actor)
        }
        for dot in record.presence { note(dot.actor, .zero) }
        for register in record.fields.values { note(register.stamp.actor, register.stamp.time) }
        for counter in record.counters.values { for (actor, sum) in counter.sums { note(actor, sum.time) } }
        return news
    }

    /// Whether a change was there, by which a record is alive.
    package func haveTold(_ dot: Dot, of record: Record) -> Bool {
        guard let time = times[dot.actor], !record.folded.contains(dot.actor) else { return false }
        for counter in record.counters.values {
            if let sum = counter.sums[dot.actor], sum.time == .zero || sum.time > time { return false }
        }
        return record.fields.values.allSatisfy { $0.stamp.actor != dot.actor || $0.stamp.time <= time }
    }
}
