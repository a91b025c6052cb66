/// New identifiers: random, from a seed that the service draws anew each time it starts.
package struct IdentifierSource: Sendable {
    private let seed: (UInt64, UInt64)
    private var count: UInt64 = 0

    package init(seed: (UInt64, UInt64)) { self.seed = seed }

    mutating func entry() -> EntryID {
        count &+= 1
        return EntryID.derived("baton-entry-v1", seed.0, seed.1, count)
    }

    mutating func actor() -> ActorID {
        count &+= 1
        let number = EntryID.derived("baton-actor-v1", seed.0, seed.1, count).high
        return ActorID(rawValue: max(number, 1))
    }
}
