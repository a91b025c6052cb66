import Foundation

/// Makes texts of pages fit to be shown: what a page can do to a line of text is taken out of it.
package enum PlaceText {
    /// Printable characters, on one line, of as many bytes; nil where nothing is left.
    package static func clean(_ text: String?, limit: Int = 256) -> String? {
        guard let text else { return nil }
        // Text far beyond the limit need not be looked at.
        let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit * 4)))
        // Many pages write references of HTML where none are read, as in the texts of JSON; what they stand for is no better.
        let scalars = HTMLText.decoded(beginning).unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.isUnprintable ? " " : scalar
        }
        var line = ""
        line.unicodeScalars.append(contentsOf: scalars)
        return HTMLText.collapsed(withoutTags(line))?.shortenedPlainly(toBytes: limit)
    }

    /// A telephone number as it was written, without the scheme of its address; it is only called when a person wants that.
    package static func telephone(_ text: String?) -> String? {
        guard var text else { return nil }
        if text.lowercased().hasPrefix("tel:") {
            text = String(text.dropFirst(4))
            text = text.removingPercentEncoding ?? text
        }
        guard let clean = clean(text, limit: 64), clean.contains(where: \.isNumber) else { return nil }
        return clean
    }

    /// A number of degrees as pages write it: with a point, and nothing else.
    package static func degrees(_ text: String?) -> Double? {
        guard let text = text.map(HTMLText.trimmed), text.utf8.count <= 40,
            text.utf8.allSatisfy({ byte in
                byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "+-.eE".utf8.contains(byte)
            })
        else { return nil }
        return Double(text)
    }

    /// Markup in a value: everything between `<` and `>`.
    private static func withoutTags(_ text: String) -> String {
        guard text.contains("<") else { return text }
        var result = ""
        var isInside = false
        for character in text {
            if character == "<" { isInside = true }
            if !isInside { result.append(character) }
            if character == ">", isInside {
                isInside = false
                result.append(" ")
            }
        }
        return result
    }
}

extension String {
    /// The text cut to this many bytes of UTF-8, between characters.
    func shortenedPlainly(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = startIndex
        var bytes = 0
        while end < endIndex {
            bytes += self[end].utf8.count
            guard bytes <= limit else { break }
            formIndex(after: &end)
        }
        return String(self[..<end])
    }
}
