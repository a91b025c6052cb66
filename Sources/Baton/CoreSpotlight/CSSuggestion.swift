import BatonCore
import BatonWire
public import Foundation

/// A suggestion for a search. CoreSpotlight's: only a query makes one.
public final class CSSuggestion: NSObject, NSCopying, Sendable {
    /// The kind of suggestion.
    public enum Kind: Int, Sendable {
        /// Not to be shown.
        case none = 0
        /// The text that the person typed.
        case custom = 1
        /// The text that the index suggests.
        case `default` = 2
    }

    /// The text that takes the place of what was typed. The attribute `suggestionHighlight` lies over what the person typed.
    public let localizedAttributedSuggestion: AttributedString
    /// The kind of suggestion.
    public let suggestionKind: Kind
    /// Its place among the suggestions of its query.
    let rank: Int

    /// The text alone.
    var text: String { String(localizedAttributedSuggestion.characters) }

    init(_ message: Baton_App_V1_QuerySuggestion, rank: Int) {
        var text = AttributedString(message.text)
        let bytes = Array(message.text.utf8)
        for range in message.typed {
            let (start, end) = (Int(range.start), Int(range.start) + Int(range.length))
            guard start < end, end <= bytes.count, let before = String(validating: bytes[..<start], as: UTF8.self),
                let typed = String(validating: bytes[start..<end], as: UTF8.self)
            else { continue }
            let characters = text.characters
            guard
                let low = characters.index(
                    characters.startIndex, offsetBy: before.count, limitedBy: characters.endIndex),
                let high = characters.index(low, offsetBy: typed.count, limitedBy: characters.endIndex)
            else { continue }
            text[low..<high][CSSuggestionHighlightAttribute.self] = true
        }
        localizedAttributedSuggestion = text
        suggestionKind = message.kind == "custom" ? .custom : .default
        self.rank = rank
        super.init()
    }

    /// Compares two suggestions of one query: the better one is smaller.
    public func compare(byRank other: CSSuggestion) -> ComparisonResult {
        rank == other.rank ? .orderedSame : rank < other.rank ? .orderedAscending : .orderedDescending
    }

    /// As ``compare(byRank:)``.
    public func compare(_ other: CSSuggestion) -> ComparisonResult { compare(byRank: other) }

    /// A suggestion does not change, so this is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The attribute over what the person typed in ``CSSuggestion/localizedAttributedSuggestion``. CoreSpotlight's.
public enum CSSuggestionHighlightAttribute: AttributedStringKey {
    /// True where it is.
    public typealias Value = Bool
    /// Baton's: Apple's is not published.
    public static let name = "CSSuggestionHighlight"
}

extension AttributeScopes {
    /// The attributes of CoreSpotlight.
    public struct CoreSpotlightAttributes: AttributeScope {
        /// Over what the person typed.
        public let suggestionHighlight: CSSuggestionHighlightAttribute
    }

    /// The attributes of CoreSpotlight.
    public var coreSpotlight: CoreSpotlightAttributes.Type { CoreSpotlightAttributes.self }
}

extension AttributeDynamicLookup {
    /// The attributes of CoreSpotlight.
    public subscript<Key: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.CoreSpotlightAttributes, Key>
    ) -> Key { self[Key.self] }
}
