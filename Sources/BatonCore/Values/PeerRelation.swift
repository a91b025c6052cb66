/// This device's relation to another one, as a person reads it.
///
/// Its verified relation comes first, and its own name stands in quotation marks, short and without any of its own: no name
/// can pass for a sentence of Baton's, or for another relation.
package enum PeerRelation: Hashable, Sendable {
    case ownDevice
    case contact
    /// Anybody nearby, who may call itself what it likes.
    case stranger

    /// Characters of a name that are shown.
    package static let shownName = 40
    /// Scalars of one character, as in the longest emoji that are in use.
    private static let maximumScalars = 12

    package init(ownDevice: Bool, contact: Bool) { self = ownDevice ? .ownDevice : contact ? .contact : .stranger }

    /// Within a sentence: “your own device “Laptop””.
    package func naming(_ name: String) -> String {
        let quoted = Self.quoted(name)
        return switch self {
        case .ownDevice: "your own device \(quoted)"
        case .contact: "your contact \(quoted)"
        case .stranger: "a stranger who calls itself \(quoted)"
        }
    }

    /// At the beginning of a sentence: “A stranger who calls itself “Phone””.
    package func beginning(_ name: String) -> String {
        let text = naming(name)
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// In one or two words, beside a name in a list.
    package var label: String {
        switch self {
        case .ownDevice: "own device"
        case .contact: "contact"
        case .stranger: "stranger"
        }
    }

    package static func quoted(_ name: String) -> String {
        var shown = ""
        var count = 0
        var isSpaced = false
        for character in String(name.unicodeScalars.prefix(shownName * maximumScalars)) {
            if character.isWhitespace || character.isNewline {
                isSpaced = count > 0
                continue
            }
            let scalars = character.unicodeScalars.filter(isShown).prefix(maximumScalars)
            if scalars.isEmpty { continue }
            guard count + (isSpaced ? 2 : 1) <= shownName else { return "“\(shown)…”" }
            if isSpaced { shown += " " }
            count += isSpaced ? 2 : 1
            isSpaced = false
            for scalar in scalars { shown.unicodeScalars.append(isQuotation(scalar) ? "'" : scalar) }
        }
        return "“\(shown)”"
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        // Scripts and emoji need these two; the others hide text or turn it round.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }

    private static func isQuotation(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar.properties.isQuotationMark
    }
}
