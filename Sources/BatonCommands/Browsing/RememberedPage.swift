/// A page that the person visited, with what it says for programs; the person wants its places remembered.
package struct RememberedPage: Sendable, Equatable {
    package var url: String
    package var title: String
    package var description: String
    package var canonical: String
    /// The texts of JSON-LD.
    package var scripts: [String]
    /// Empty where the document has no markup.
    package var document: String
    package var browser: String
}
