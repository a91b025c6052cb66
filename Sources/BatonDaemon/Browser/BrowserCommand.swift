package import BatonCore

/// The setting `browser`: a command line in which `%u` stands for the page's URL, or `none`.
///
/// The words are separated and quoted as in a shell, but nothing else of a shell is there: no variable, no expansion, no
/// second command. A URL stays in the word in which its `%u` is, whatever it holds.
package struct BrowserCommand: Sendable, Hashable {
    /// Empty for “none”.
    private let words: [String]

    /// In bytes.
    private static let maximumLength = 4096

    /// - Throws: `invalid_argument` with reason `invalid_setting`.
    package init(_ text: String) throws(BatonError) {
        guard text.utf8.count <= Self.maximumLength,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\u{7F}" })
        else { throw Self.refused("It has more than \(Self.maximumLength) bytes, or a control character.") }
        let words = try Self.split(text)
        if words == ["none"] {
            self.words = []
            return
        }
        guard let program = words.first, !program.isEmpty else { throw Self.refused("It names no program.") }
        guard !program.contains("%u") else { throw Self.refused("The program itself cannot be the URL.") }
        guard words.contains(where: { $0.contains("%u") }) else {
            throw Self.refused("It does not say where the URL goes: write %u there, as in “xdg-open %u”.")
        }
        self.words = words
    }

    package var isNone: Bool { words.isEmpty }
    /// A path, or a name to be looked up in PATH.
    package var program: String { words.first ?? "" }

    package func arguments(opening page: String) -> [String] {
        words.dropFirst().map { $0.replacing("%u", with: page) }
    }

    private static func split(_ text: String) throws(BatonError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\" where quote != "'":
                guard let next = rest.popFirst() else { throw refused("It ends with a backslash.") }
                word = (word ?? "") + String(next)
            case quote: quote = nil
            case "'" where quote == nil, "\"" where quote == nil:
                quote = character
                word = word ?? ""
            case " " where quote == nil:
                if let complete = word { words.append(complete) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { throw refused("A quotation mark is not closed.") }
        if let complete = word { words.append(complete) }
        return words
    }

    private static func refused(_ why: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "invalid_setting",
            "The setting “browser” is a command line with %u for the URL, or “none”. \(why)")
    }
}
