/// The permitted cost of a page. The values are those of the bounds that `docs/suggestions.md` promises.
package struct ExtractionLimits: Sendable {
    /// A larger page is refused.
    package var bytes = 20 << 20
    /// A page with more elements open at once is refused.
    package var openElements = 512
    /// A page with more attributes in one tag is refused.
    package var attributes = 256
    /// The rest after as many elements, and as many values of JSON, is left out.
    package var nodes = 100_000
    /// The rest after as many bytes of elements and their text is left out of the tree.
    package var markupBytes = 4 << 20
    /// The memory of the tree of a page's elements.
    package var treeBytes = 64 << 20
    /// Steps of work on contexts, vocabularies and references.
    package var steps = 2_000_000

    package init() {}
}
