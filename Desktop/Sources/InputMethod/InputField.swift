/// The field that the person is in, as an input method knows it: a pure decision of what is asked, shown and inserted.
///
/// It knows at most 100 characters before the cursor, and only while the field has the focus.
package struct InputField: Sendable {
    package enum Key: Sendable, Equatable {
        case character(Character)
        case backspace
        case tab
        /// Ctrl+Space: the person asks.
        case request
        /// Shift, Control and their like alone.
        case modifier
        case other
    }

    package enum Effect: Sendable, Equatable {
        /// The daemon is asked; the answer comes with this number.
        case ask(UInt64)
        case show(FieldOffer)
        case hide
        case insert(String)
    }

    /// Characters before the cursor that are looked at.
    package static let length = 100

    /// As the program said it, with the keys that went through since then.
    private var text = ""
    /// Characters at its end that the program may not have said yet: what it says comes later than the keys.
    private var ahead = 0
    /// A program on a busy machine is that many keys behind a person who types fast. With more, keys write nothing there.
    private static let maximumAhead = 30
    /// Whether the program says what is before the cursor.
    private var isTold = false
    /// Whether a key wrote something here. Text that a page has put into its field is no reason to offer a place.
    private var isTyped = false
    private var offer: FieldOffer?
    /// The latest question; answers to others come too late.
    private var question: UInt64 = 0
    private var isAsking = false

    package init() {}

    /// Another field, or none: nothing of the last one is kept.
    package mutating func left() -> [Effect] {
        (text, ahead, isTold, isTyped) = ("", 0, false, false)
        return withdraw()
    }

    /// The program has moved the cursor by itself.
    package mutating func reset() -> [Effect] {
        // It says where, if it says anything.
        if isTold { return [] }
        (text, ahead) = ("", 0)
        return withdraw()
    }

    /// The text that the program reports before the cursor.
    package mutating func told(_ before: some StringProtocol) -> [Effect] {
        isTold = true
        let before = String(before.suffix(Self.length))
        if isBehind(before) { return [] }
        ahead = 0
        guard before != text else { return [] }
        text = before
        return withdraw() + (isTyped ? askAtPhrase() : [])
    }

    /// - Returns: whether the key ends here, and does not reach the field.
    package mutating func pressed(_ key: Key) -> (isTaken: Bool, effects: [Effect]) {
        switch key {
        case .modifier: return (false, [])
        case .tab:
            guard let offer else { return (false, withdraw()) }
            let needsSpace = text.last.map { ":,;.".contains($0) } ?? false
            let inserted = (needsSpace ? " " : "") + offer.text
            text = String((text + inserted).suffix(Self.length))
            ahead = inserted.count
            return (true, withdraw() + [.insert(inserted)])
        case .request: return (true, withdraw() + ask())
        case .character(let character):
            let effects = withdraw()
            isTyped = true
            text = String((text + String(character)).suffix(Self.length))
            ahead = min(ahead + 1, max(ahead, Self.maximumAhead))
            return (false, effects + askAtPhrase())
        case .backspace:
            let effects = withdraw()
            text = String(text.dropLast())
            ahead = max(ahead - 1, 0)
            return (false, effects)
        case .other:
            // It may move the cursor, or leave the line.
            if !isTold { text = "" }
            return (false, withdraw())
        }
    }

    package mutating func answered(_ number: UInt64, _ offer: FieldOffer?) -> [Effect] {
        guard isAsking, number == question else { return [] }
        isAsking = false
        self.offer = offer
        return offer.map { [.show($0)] } ?? []
    }

    /// Whether this was before the latest keys.
    private func isBehind(_ before: String) -> Bool {
        (0..<ahead).contains { String((before + text.suffix($0 + 1)).suffix(Self.length)) == text }
    }

    private mutating func askAtPhrase() -> [Effect] { PlacePhrases.end(text) ? ask() : [] }

    private mutating func ask() -> [Effect] {
        question += 1
        isAsking = true
        return [.ask(question)]
    }

    /// Withdraws the shown offer, and the question.
    private mutating func withdraw() -> [Effect] {
        isAsking = false
        guard offer != nil else { return [] }
        offer = nil
        return [.hide]
    }
}
