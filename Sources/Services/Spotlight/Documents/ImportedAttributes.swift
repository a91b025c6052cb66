package import BatonCore

/// The part of an import extension's answer that is kept. A claim of the app: it is found by, and decides nothing.
package enum ImportedAttributes {
    /// Bytes of an answer. Policy: a longer one is refused, and the document found by its name.
    package static let maximumBytes = 256 << 10

    /// Names and texts that are searched, and the language of them. Attributes that open, order or own an item are left out.
    private static let names = SearchedFields.searchedAttributes.union(["languages", "contentType"]).subtracting([
        "title", "identifier",
    ])

    /// - Parameter attributes: by Apple's names. Its title is another name of the document, which keeps its own.
    package static func kept(_ attributes: [String: PropertyValue]) -> [String: PropertyValue] {
        var kept = attributes.filter { names.contains($0.key) }
        if kept["displayName"] == nil, let title = attributes["title"] { kept["displayName"] = title }
        return kept
    }
}
