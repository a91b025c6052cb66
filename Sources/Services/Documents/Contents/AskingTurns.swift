/// The order in which another device is asked to keep contents. It refuses those for which it has no room, and what others would fit
/// waited behind them for ever.
struct AskingTurns<Key: Hashable & Sendable>: Sendable {
    /// Asked for and refused in this turn.
    private var refused: Set<Key> = []

    /// - Returns: those of all that wait that were not refused in this turn. Once some were, the smallest come first. Where all were
    ///   refused the next turn begins.
    mutating func open(_ waiting: some Collection<Key>, size: (Key) -> UInt64) -> [Key] {
        guard !refused.isEmpty else { return Array(waiting) }
        var open = waiting.filter { !refused.contains($0) }
        if open.isEmpty { (open, refused) = (Array(waiting), []) }
        return open.map { (key: $0, size: size($0)) }.sorted { $0.size < $1.size }.map(\.key)
    }

    /// - Returns: whether others are still to be asked for in this turn.
    mutating func refuse(_ keys: some Sequence<Key>, of waiting: some Collection<Key>) -> Bool {
        refused.formUnion(keys)
        return waiting.contains { !refused.contains($0) }
    }
}
