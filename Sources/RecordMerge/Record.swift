package import FileSync

/// One item of a zone of records, as all devices know it.
///
/// Its state has a join that is commutative, associative and idempotent, so devices that have heard of the same changes
/// have the same record, whatever order the changes came in.
///
/// Rule 1: a save stamps the fields that it changed, and adds a dot. A deletion removes the dots that its author's copy had.
/// So an edit that the deleting device had not seen keeps the record, whatever arrives first.
package struct Record: Hashable, Sendable, Identifiable {
    package let name: RecordName
    /// It never changes. Where two records of one name have two types, the one of the lesser type stands.
    package let type: String
    /// The greater (stamp, value) wins. A field that was never written is not there; one that was removed is
    /// ``RecordValue/nothing``.
    package internal(set) var fields: [RecordField: Register<RecordValue>]
    /// Columns that add up differences; see ``RecordCounter``.
    package internal(set) var counters: [String: RecordCounter]
    /// Authors whose sums are part of the sums of ``FileSync/ActorID/settlement``; see ``folding(_:)``.
    package internal(set) var folded: Set<ActorID>
    package internal(set) var context: DotContext
    /// The changes that keep the record alive. Empty: it is deleted, or was never saved.
    package internal(set) var presence: Set<Dot>
    /// The record of a lesser name that it has become one with. For good.
    package internal(set) var mergedInto: RecordName?
    /// The last deletion, for retention. A record that outlived its grave has a later one; see ``outliving(_:by:)``.
    package internal(set) var deletion: Stamp?

    package var id: RecordName { name }
    package var isPresent: Bool { !presence.isEmpty }

    /// A record that was never written.
    package init(name: RecordName, type: String) {
        self.name = name
        self.type = type
        fields = [:]
        counters = [:]
        folded = []
        context = DotContext()
        presence = []
    }

    package subscript(field: RecordField) -> RecordValue { fields[field]?.value ?? .nothing }

    /// The newest stamp of what is in it: the clock must have moved past it.
    package var newestStamp: Stamp {
        fields.values.reduce(deletion ?? .zero) { max($0, $1.stamp) }
    }

    // MARK: The join

    /// The combined knowledge of both.
    package func joined(_ other: Record) -> Record {
        if type != other.type { return type.utf8.lexicographicallyPrecedes(other.type.utf8) ? self : other }
        if self == other { return self }
        var result = self
        result.fields.merge(other.fields) { $0.joined($1) }
        result.counters.merge(other.counters) { $0.joined($1) }
        result.folded = folded.union(other.folded)
        if !result.folded.isEmpty {
            result.counters = result.counters.mapValues { $0.without(result.folded) }
        }
        result.presence = context.join(
            presence(beside: other), other.presence(beside: self), knownThere: other.context)
        result.context = context.joined(other.context).withoutNeedlessAdoption
        result.mergedInto = [mergedInto, other.mergedInto].compactMap(\.self).min()
        result.deletion = [deletion, other.deletion].compactMap(\.self).max()
        return result
    }
}
