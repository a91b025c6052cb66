import Foundation

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

    /// - Returns: empty for a document that is no text, whatever its name says.
    package static func text(of bytes: [UInt8], name: String) -> String {
        guard isRead(name), bytes.count <= maximumBytes, let text = decoded(bytes) else { return "" }
        return SearchedFields.bounded(markup.contains(ending(of: name)) ? HTMLText.plain(text) : text)
    }

    private static func ending(of name: String) -> String {
        name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() } ?? ""
    }

    private static func decoded(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return String(data: Data(bytes), encoding: .utf16)
        }
        // A text has none; a picture with the name of a text has.
        guard !bytes.contains(0) else { return nil }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return String(validating: body, as: UTF8.self) ?? String(data: Data(body), encoding: .isoLatin1)
    }
}
