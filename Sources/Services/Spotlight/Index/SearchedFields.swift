import BatonCore
import DocumentFormats
import Foundation
import SearchText

/// The searched parts of an item: the names, whose beginnings are found as one types, and the rest.
struct SearchedFields: Hashable, Sendable {
    /// Bytes of searched text of one item; what follows is not found.
    static let maximumText = 64 << 10

    /// Title, display name, alternate names, keywords, named location.
    var names: String
    var content: String

    /// Attributes whose texts are searched, besides those of names.
    static let contentAttributes = [
        "contentDescription", "textContent", "subject", "comment", "headline", "information", "fullyFormattedAddress",
        "thoroughfare", "city", "stateOrProvince", "country", "postalCode", "authorNames", "recipientNames", "authors",
        "primaryRecipients", "additionalRecipients", "emailAddresses", "phoneNumbers", "album", "artist", "composer",
        "genre", "performers", "projects", "participants", "contactKeywords", "organizations", "kind", "identifier",
        "containerTitle", "containerDisplayName", "creator", "theme", "publishers", "director", "producer",
    ]
    static let nameAttributes = ["title", "displayName", "alternateNames", "keywords", "namedLocation"]

    /// All attributes in which words of a query are found.
    static let searchedAttributes = Set(contentAttributes + nameAttributes)

    init(_ item: IndexedItem) {
        names = Self.names(item.attributes)
        var content = Self.joined(Self.contentAttributes + item.searchedCustom, item.attributes)
        if let data = item.attributes["htmlContentData"], case .data(let html) = data {
            content += "\n" + HTMLText.plain(String(decoding: html.prefix(Self.maximumText), as: UTF8.self))
        }
        self.content = Self.bounded(content)
    }

    static func names(_ attributes: [String: PropertyValue]) -> String { bounded(joined(nameAttributes, attributes)) }

    private static func joined(_ names: [String], _ attributes: [String: PropertyValue]) -> String {
        var texts: [String] = []
        // Many keywords may be most of an item.
        var known: Set<String> = []
        for name in names {
            guard let value = attributes[name] else { continue }
            for text in Self.texts(value) where known.insert(text).inserted { texts.append(text) }
        }
        return texts.joined(separator: "\n")
    }

    private static func texts(_ value: PropertyValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .url(let url): [url.absoluteString]
        case .integer(let number): ["\(number)"]
        case .array(let values): values.flatMap(texts)
        case .dictionary(let entries):
            ["displayName", "handles"].compactMap { entries[.string($0)] }.flatMap(texts)
        default: []
        }
    }

    static func bounded(_ text: String) -> String {
        guard text.utf8.count > maximumText else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: maximumText)
        return String(text.unicodeScalars[..<text.unicodeScalars.index(before: text.unicodeScalars.index(after: end))])
    }
}

/// The words of an item's fields, as the index has them: joined by spaces.
struct IndexedWords {
    var names: String
    var nameStems: String
    var contentStems: String
    /// Each word of both, as written, once.
    var written: [String]
    var nameCount: Int
    var contentCount: Int

    init(_ fields: SearchedFields, _ tokenizer: inout WordTokenizer, _ stemmer: WordStemmer) {
        func joined(_ words: [[UInt8]]) -> String {
            String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
        }
        let names = tokenizer.words(of: fields.names).map(\.bytes)
        self.names = joined(names)
        nameStems = joined(names.map(stemmer.stem))
        let content = tokenizer.words(of: fields.content).map(\.bytes)
        contentStems = joined(content.map(stemmer.stem))
        (nameCount, contentCount) = (names.count, content.count)
        // In the order of the table.
        written = Set(names + content).sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
