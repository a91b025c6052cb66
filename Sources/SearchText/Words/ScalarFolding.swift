import Foundation

/// How search sees one character: letters and digits without case and marks; everything else is between words.
enum ScalarFolding {
    enum Kind: UInt8, Sendable {
        /// Ends a word.
        case separator
        case lowercase
        case uppercase
        /// A digit, or a letter without case.
        case other
        /// A character of Chinese, Japanese or Korean, which write no spaces.
        case ideograph
        /// A mark on the letter before it, which search does not see.
        case mark
        case apostrophe
    }

    struct Folded: Sendable {
        var kind: Kind
        var bytes: [UInt8]
    }

    static func fold(_ scalar: Unicode.Scalar) -> Folded {
        if isIgnoredMark(scalar) { return Folded(kind: .mark, bytes: []) }
        switch scalar {
        case "'", "\u{2019}", "\u{02BC}": return Folded(kind: .apostrophe, bytes: [])
        // A soft hyphen and joiners are within words.
        case "\u{00AD}", "\u{200C}", "\u{200D}", "\u{2060}": return Folded(kind: .mark, bytes: [])
        default: break
        }
        let kind = kind(of: scalar)
        guard kind != .separator else { return Folded(kind: .separator, bytes: []) }
        let text = plain(scalar)
        return text.isEmpty ? Folded(kind: .mark, bytes: []) : Folded(kind: kind, bytes: Array(text.utf8))
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        if isIdeograph(scalar.value) { return .ideograph }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .titlecaseLetter: return .uppercase
        case .lowercaseLetter: return .lowercase
        case .otherLetter, .modifierLetter, .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark,
            .spacingMark:
            return .other
        default: return .separator
        }
    }

    /// Letters that no decomposition makes plain.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d",
        "ł": "l", "Ł": "l", "ı": "i", "þ": "th", "Þ": "th", "ð": "d", "Ð": "d", "ħ": "h", "Ħ": "h", "ς": "σ",
    ]

    private static func plain(_ scalar: Unicode.Scalar) -> String {
        if let letters = letters[scalar] { return letters }
        var result = String.UnicodeScalarView()
        // Hangul stays in syllables.
        let isSyllable = (0xAC00...0xD7A3).contains(scalar.value)
        let decomposed = isSyllable ? String(scalar) : String(scalar).decomposedStringWithCompatibilityMapping
        for part in decomposed.unicodeScalars where !isIgnoredMark(part) {
            for lower in part.properties.lowercaseMapping.unicodeScalars where !isIgnoredMark(lower) {
                // A sign such as the slash of a fraction would split the word in the index.
                guard kind(of: lower) != .separator else { continue }
                if let letters = letters[lower] {
                    result.append(contentsOf: letters.unicodeScalars)
                } else {
                    result.append(lower)
                }
            }
        }
        return String(result)
    }

    /// Accents, points of Hebrew and Arabic; not the signs of Indian scripts, which are letters.
    private static func isIgnoredMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x0483...0x0487, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7,
            0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF,
            0xFE00...0xFE0F, 0xFE20...0xFE2F:
            true
        // The marks of voiced kana, which a decomposition makes letters of their own.
        case 0x3099, 0x309A: true
        default: false
        }
    }

    private static func isIdeograph(_ value: UInt32) -> Bool {
        switch value {
        // Signs of repetition, kana, bopomofo, hangul, ideographs.
        case 0x3005...0x3007, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x3105...0x312F,
            0x3131...0x318E, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFF66...0xFF9D, 0x1100...0x11FF, 0x20000...0x323AF:
            true
        default: false
        }
    }
}
