/// A word of a query, as it is ranked.
package struct QueryTerm: Hashable, Sendable {
    /// How often it is in the query, or its part of the feedback.
    package var weight: Double
    /// How many documents have it.
    package var documents: Int
    /// Whether it is of the query itself. Adjacency counts for these only, in their order.
    package var isGiven: Bool

    package init(weight: Double = 1, documents: Int, isGiven: Bool = true) {
        self.weight = weight
        self.documents = documents
        self.isGiven = isGiven
    }
}

/// Where a document has a word of the query.
package struct TermHit: Hashable, Sendable {
    /// Its place in the query's terms.
    package var term: Int
    package var field: Int
    /// In words from the field's beginning.
    package var position: Int

    package init(term: Int, field: Int, position: Int) {
        self.term = term
        self.field = field
        self.position = position
    }
}

/// A document that has at least one of a query's words.
package struct RankedDocument: Hashable, Sendable {
    package var id: Int64
    /// In words.
    package var lengths: ArraySlice<Int>
    /// Ordered by field and position.
    package var hits: ArraySlice<TermHit>

    package init(id: Int64, lengths: [Int], hits: [TermHit]) {
        self.init(id: id, lengths: lengths[...], hits: hits[...])
    }

    /// Parts of what thousands of documents have together, so that each needs no memory of its own.
    package init(id: Int64, lengths: ArraySlice<Int>, hits: ArraySlice<TermHit>) {
        self.id = id
        self.lengths = lengths
        self.hits = hits
    }
}

/// All documents of the index, as far as a ranking needs them.
package struct CollectionStatistics: Hashable, Sendable {
    package var documents: Int
    /// The average length of each field, in words.
    package var averageLengths: [Double]

    package init(documents: Int, averageLengths: [Double]) {
        self.documents = documents
        self.averageLengths = averageLengths
    }
}
