package import BatonCore

/// The searched parts of a document, within bounds.
package struct DocumentContents: Hashable, Sendable {
    /// Bytes of a title, a name or another value of the document's properties, and how many of a kind count.
    private static let maximumValue = 1000
    private static let maximumValues = 100

    package var title = ""
    package var subject = ""
    package var authors: [String] = []
    package var recipients: [String] = []
    package var keywords: [String] = []
    package var text = BoundedText()

    package init() {}

    /// Once each.
    mutating func addAuthor(_ name: String?) { Self.add(name, to: &authors) }

    mutating func addRecipient(_ name: String?) { Self.add(name, to: &recipients) }

    private static func add(_ name: String?, to names: inout [String]) {
        if let name, names.count < maximumValues, !names.contains(name) { names.append(name) }
    }

    /// By Apple's names.
    package var attributes: [String: PropertyValue] {
        var attributes: [String: PropertyValue] = [:]
        for (name, value) in [("title", title), ("subject", subject)] {
            let shown = Self.shown(value)
            if !shown.isEmpty { attributes[name] = .string(shown) }
        }
        for (name, values) in [("authorNames", authors), ("recipientNames", recipients), ("keywords", keywords)] {
            let shown = values.prefix(Self.maximumValues).map(Self.shown).filter { !$0.isEmpty }
            if !shown.isEmpty { attributes[name] = .array(shown.map(PropertyValue.string)) }
        }
        let text = text.string
        if !text.isEmpty { attributes["textContent"] = .string(text) }
        return attributes
    }

    private static func shown(_ value: String) -> String {
        value.shortened(toBytes: maximumValue).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// A text that grows to as much as is searched of a document, and takes no more.
package struct BoundedText: Hashable, Sendable {
    package static let maximumBytes = 64 << 10

    private var bytes: [UInt8] = []

    package init() {}

    package var isFull: Bool { bytes.count >= Self.maximumBytes }
    package var isEmpty: Bool { bytes.isEmpty }
    var count: Int { bytes.count }

    /// A character that the bound cuts is left out.
    package var string: String {
        var whole = bytes.prefix(Self.maximumBytes)
        while whole.count < bytes.count, !whole.isEmpty, bytes[whole.endIndex] & 0xC0 == 0x80 { whole.removeLast() }
        return String(decoding: whole, as: UTF8.self).trimmed
    }

    mutating func append(_ more: some Collection<UInt8>) {
        // A little more, to know whether the bound cuts a character.
        if !isFull { bytes += more.prefix(Self.maximumBytes + 4 - bytes.count) }
    }

    /// The next bytes begin another word.
    mutating func endWord() {
        if let last = bytes.last, last != 0x20, !isFull { bytes.append(0x20) }
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? start
        return String(self[start..<end])
    }
}
