/// The weights of a ranking. The values were measured on judged collections: see docs/search.md.
package struct RankingParameters: Hashable, Sendable {
    /// How soon more of the same word counts no more.
    package var saturation = 1.6
    /// How much the length of a field counts.
    package var lengthWeight = 0.5
    /// One for each field.
    package var fieldWeights: [Double]
    /// Query words that stand side by side, in their order.
    package var adjacency = 0.2
    /// Query words within ``window`` words.
    package var nearness = 0.1
    package var window = 8
    /// How many of the best documents give words of their own.
    package var feedbackDocuments = 10
    package var feedbackTerms = 10
    /// Their part of the second ranking; 0 for none.
    package var feedback = 0.3
    /// No word of feedback is in a larger part of the documents.
    package var maximumFeedbackFrequency = 0.1

    package init(fieldWeights: [Double]) { self.fieldWeights = fieldWeights }
}
