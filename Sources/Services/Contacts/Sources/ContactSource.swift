package import VCard

/// A change of a source's cards.
package enum SourceChange: Sendable {
    case add(ContactCard)
    /// The changed properties go into the card as the source has it by then. The picture counts only if it is set: in memory
    /// cards have none.
    case replace(key: String, old: ContactCard, new: ContactCard, Set<CardKey>)
    case delete(key: String, old: ContactCard)
}

/// Where cards come from.
package protocol ContactSource: Sendable {
    /// For people.
    var name: String { get }
    /// Why there are none; nil where there may be.
    var problem: String? { get }
    /// Whether cards can be added.
    var isWritable: Bool { get }
    /// Until it is cancelled. Gives all cards whenever some have changed.
    func run(_ deliver: @escaping @Sendable ([SourceCard]) -> Void) async
    /// A key alone names no card: another one may have it by now. Written cards are delivered before this returns.
    /// - Throws: `not_found` for a card that is gone, and what storage throws.
    func write(_ changes: [SourceChange]) async throws
    /// A card with its picture; nil for one that is gone.
    func card(key: String) async -> ContactCard?
}
