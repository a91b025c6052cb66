/// A page's description of itself for programs.
package struct PageMarkup: Sendable {
    package var title: String?
    package var summary: String?
    /// The address that the page prefers.
    package var canonical: String?
    /// Everything found, of all syntaxes, as nodes of expanded JSON-LD.
    package var expanded: [JSONValue] = []
    package var entities = EntityGraph()
    package var places: [Place] = []
    /// Whether the page has more than was read.
    package var isTruncated = false
    /// The parts that could not be read, and why, for people.
    package var problems: [String] = []
}
