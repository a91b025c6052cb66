import BatonCore

/// The text of a document, for search: a pure function. Linear in the document's length, whatever is in it.
package enum DocumentText {
    /// Bytes of a document that is read; a larger one is found by its name.
    package static let maximumBytes = 1 << 20

    private static let plain: Set<String> = [
        "txt", "text", "md", "markdown", "mdown", "mkd", "rst", "org", "csv", "log",
    ]
    private static let markup: Set<String> = ["html", "htm", "xhtml"]

    /// Whether a document with this name has a text that is searched.
    package static func isRead(_ name: String) -> Bool {
        let ending = ending(of: name)
        return plain.contains(ending) || markup.contains(ending)
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
