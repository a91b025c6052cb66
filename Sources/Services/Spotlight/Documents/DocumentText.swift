import BatonCore
import DocumentFormats

/// The text of a document, for search: a pure function. Linear in the document's length, whatever is in it.
package enum DocumentText {
    /// Bytes of a document that is read; a larger one is found by its name.
    package static let maximumBytes = 1 << 20

    /// Texts, tables, settings, and the sources of programs.
    private static let plain = words(
        """
        txt text md markdown mdown mkd rst org adoc tex bib csv tsv log srt vtt ics \
        json yaml yml toml ini cfg conf sql diff patch \
        c h cc cpp cxx hh hpp m mm cs java kt scala swift go rs zig py rb pl pm php lua r jl hs ml ex erl clj el lisp \
        js mjs ts jsx tsx vue css scss sh bash zsh fish ps1 bat cmake gradle proto dart
        """)
    private static let markup = words("html htm xhtml xml")
    /// Texts by custom, without an ending.
    private static let named = words(
        "readme license licence copying authors contributors news todo notes changes changelog install makefile dockerfile"
    )

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    /// Whether a document with this name has a text that is searched.
    package static func isRead(_ name: String) -> Bool {
        let ending = ending(of: name)
        return plain.contains(ending) || markup.contains(ending) || named.contains(name.lowercased())
    }

    /// - Parameter language: the person's, for a text that does not say how it is written.
    /// - Returns: empty for a document that is no text, whatever its name says.
    package static func text(of bytes: [UInt8], name: String, language: String? = nil) -> String {
        let isMarkup = markup.contains(ending(of: name))
        guard isRead(name), bytes.count <= maximumBytes, let text = decoded(bytes, isMarkup, language) else {
            return ""
        }
        return SearchedFields.bounded(isMarkup ? HTMLText.plain(text) : text)
    }

    private static func ending(of name: String) -> String {
        name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() } ?? ""
    }

    private static func decoded(_ bytes: [UInt8], _ isMarkup: Bool, _ language: String?) -> String? {
        if let mark = TextEncoding.mark(of: bytes) {
            let text = mark.encoding.text(of: bytes.dropFirst(mark.length))
            return text.utf8.contains(0) ? nil : text
        }
        // A text has none; a picture with the name of a text has.
        guard !bytes.contains(0) else { return nil }
        let declared = isMarkup ? TextEncoding.declared(inMarkup: bytes) : TextEncoding.declared(inText: bytes)
        // Valid UTF-8 is that, whatever it says of itself; of ISO-2022-JP all is ASCII.
        if bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) { return text }
        let encoding =
            declared.flatMap { $0 == .utf8 ? nil : $0 } ?? TextEncoding.guessed(for: bytes, language: language)
        return encoding.text(of: bytes[...])
    }
}
