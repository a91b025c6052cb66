/// Whether a document differs from what was saved: a position among the changes, and where it was saved.
///
/// A change after an undo makes what was undone unreachable: if that was saved, the document stays edited until it is
/// saved again.
struct ChangeCounter: Sendable, Equatable {
    enum Change: Sendable, CaseIterable {
        case done
        case undone
        case redone
    }

    /// A position, for the end of a save.
    struct Token: Sendable, Hashable {
        fileprivate let number: UInt64
    }

    private var position = 0
    /// Nil when no undo or redo leads back there.
    private var saved: Int? = 0
    /// The newest tokens, of which 16 are kept.
    private var tokens: [(number: UInt64, position: Int)] = []
    private var lastToken: UInt64 = 0

    var isEdited: Bool { saved != position }

    mutating func count(_ change: Change) {
        switch change {
        case .done:
            if let saved, saved > position { self.saved = nil }
            tokens.removeAll { $0.position > position }
            position &+= 1
        case .undone: position &-= 1
        case .redone: position &+= 1
        }
    }

    /// As it is now, the document is as saved.
    mutating func clear() { saved = position }

    /// It is not as saved, whatever is undone.
    mutating func taint() { saved = nil }

    mutating func token() -> Token {
        lastToken += 1
        tokens.append((lastToken, position))
        if tokens.count > 16 { tokens.removeFirst() }
        return Token(number: lastToken)
    }

    /// The written content is the document at the token. A token that nothing leads back to leaves the document edited.
    mutating func clear(with token: Token) {
        saved = tokens.first { $0.number == token.number }?.position
        tokens.removeAll { $0.number <= token.number }
    }

    static func == (left: ChangeCounter, right: ChangeCounter) -> Bool {
        left.position == right.position && left.saved == right.saved
    }
}
