/// The meaning of a document's terms at one place in it.
struct ActiveContext: Sendable {
    var base: String?
    var vocabulary: String?
    var language: String?
    var terms: [String: TermDefinition] = [:]
    /// Whether a term ever had a context of its own: most documents have none, and nothing is looked up for it.
    var hasScopedContexts = false
    /// The context to go back to in objects within, where this one holds for one object alone.
    var previous: Previous?

    final class Previous: Sendable {
        let context: ActiveContext
        init(_ context: ActiveContext) { self.context = context }
    }
}

struct TermDefinition: Sendable {
    /// Nil where the document says that the term has no meaning.
    var iri: String?
    var isPrefix = false
    var isReverse = false
    var type: String?
    var language = Language.inherited
    var containers: Set<String> = []
    var context: JSONValue?
    var index: String?

    enum Language: Equatable {
        case inherited
        case none
        case tag(String)
    }
}

enum Keyword {
    static let all: Set<String> = [
        "@base", "@container", "@context", "@default", "@direction", "@explicit", "@graph", "@id", "@import",
        "@included", "@index", "@json", "@language", "@list", "@nest", "@none", "@omitDefault", "@prefix",
        "@preserve", "@propagate", "@protected", "@requireAll", "@reverse", "@set", "@type", "@value", "@version",
        "@vocab",
    ]

    static func isOne(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "@") && all.contains(text) }

    /// `@` and letters: kept for keywords to come.
    static func looksLikeOne(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "@"), text.utf8.count > 1 else { return false }
        return text.utf8.dropFirst().allSatisfy { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
    }
}
