import Foundation

/// How well documents answer a query: BM25F over their fields, and what query words stand near each other.
package struct Ranking: Sendable {
    package let parameters: RankingParameters
    package let statistics: CollectionStatistics
    private let terms: [QueryTerm]
    private let weights: [Double]
    /// The order of the given terms in the query, as places in ``terms``; a repeated word is there again.
    private let sequence: [Int]
    private let sequencePairs: Set<Pair>

    private struct Pair: Hashable {
        var left: Int
        var right: Int
    }

    package init(
        _ terms: [QueryTerm], sequence: [Int], parameters: RankingParameters, statistics: CollectionStatistics
    ) {
        self.terms = terms
        self.sequence = sequence.filter(terms.indices.contains)
        self.parameters = parameters
        self.statistics = statistics
        weights = terms.map { $0.weight * Self.rarity($0.documents, of: statistics.documents) }
        sequencePairs = Set(zip(sequence, sequence.dropFirst()).map { Pair(left: $0, right: $1) })
    }

    /// How much it says that a document has a word.
    package static func rarity(_ documents: Int, of all: Int) -> Double {
        let (n, total) = (Double(max(documents, 0)), Double(max(all, documents, 1)))
        return log(1 + (total - n + 0.5) / (n + 0.5))
    }

    /// The parts of each document's score, in the order of the documents.
    package func scores(_ documents: [RankedDocument]) -> [Score] {
        var scores: [Score] = []
        scores.reserveCapacity(documents.count)
        var near: [[Pair: Double]] = []
        var adjacent: [[Pair: Double]] = []
        let countsPairs = !sequencePairs.isEmpty && (parameters.adjacency > 0 || parameters.nearness > 0)
        for document in documents {
            scores.append(Score(words: wordScore(document), adjacency: 0, nearness: 0))
            guard countsPairs else { continue }
            let pairs = pairs(document)
            adjacent.append(pairs.adjacent)
            near.append(pairs.near)
        }
        guard countsPairs else { return scores }
        let adjacentCounts = documentCounts(adjacent)
        let nearCounts = documentCounts(near)
        for index in scores.indices {
            scores[index].adjacency = parameters.adjacency * pairScore(adjacent[index], adjacentCounts)
            scores[index].nearness = parameters.nearness * pairScore(near[index], nearCounts)
        }
        return scores
    }

    package struct Score: Hashable, Sendable {
        package var words: Double
        package var adjacency: Double
        package var nearness: Double
        package var total: Double { words + adjacency + nearness }
    }

    private func saturated(_ frequency: Double) -> Double {
        frequency * (parameters.saturation + 1) / (parameters.saturation + frequency)
    }

    /// The weight of one occurrence in a field.
    private func occurrence(_ field: Int, _ document: RankedDocument) -> Double {
        guard parameters.fieldWeights.indices.contains(field), document.lengths.indices.contains(field),
            statistics.averageLengths.indices.contains(field)
        else { return 0 }
        let average = max(statistics.averageLengths[field], 1)
        let share = 1 - parameters.lengthWeight + parameters.lengthWeight * Double(document.lengths[field]) / average
        return parameters.fieldWeights[field] / max(share, 0.01)
    }

    private func wordScore(_ document: RankedDocument) -> Double {
        var frequencies = [Double](repeating: 0, count: terms.count)
        let occurrences = parameters.fieldWeights.indices.map { occurrence($0, document) }
        for hit in document.hits where frequencies.indices.contains(hit.term) && occurrences.indices.contains(hit.field)
        {
            frequencies[hit.term] += occurrences[hit.field]
        }
        var score = 0.0
        for index in frequencies.indices where frequencies[index] > 0 {
            score += weights[index] * saturated(frequencies[index])
        }
        return score
    }

    // MARK: Words near each other

    private func pairs(_ document: RankedDocument) -> (adjacent: [Pair: Double], near: [Pair: Double]) {
        var (adjacent, near): ([Pair: Double], [Pair: Double]) = ([:], [:])
        let occurrences = parameters.fieldWeights.indices.map { occurrence($0, document) }
        let hits = document.hits
        for first in hits.indices {
            var second = first + 1
            while second < hits.count, hits[second].field == hits[first].field,
                hits[second].position - hits[first].position < parameters.window
            {
                defer { second += 1 }
                let (left, right) = (hits[first], hits[second])
                guard left.term != right.term, occurrences.indices.contains(left.field) else { continue }
                let pair = Pair(left: left.term, right: right.term)
                let reversed = Pair(left: right.term, right: left.term)
                if sequencePairs.contains(pair) {
                    if right.position - left.position == 1 { adjacent[pair, default: 0] += occurrences[left.field] }
                    near[pair, default: 0] += occurrences[left.field]
                } else if sequencePairs.contains(reversed) {
                    near[reversed, default: 0] += occurrences[left.field]
                }
            }
        }
        return (adjacent, near)
    }

    private func documentCounts(_ documents: [[Pair: Double]]) -> [Pair: Int] {
        var counts: [Pair: Int] = [:]
        for document in documents {
            for pair in document.keys { counts[pair, default: 0] += 1 }
        }
        return counts
    }

    private func pairScore(_ frequencies: [Pair: Double], _ counts: [Pair: Int]) -> Double {
        var score = 0.0
        for (pair, frequency) in frequencies {
            score += Self.rarity(counts[pair] ?? 1, of: statistics.documents) * saturated(frequency)
        }
        return score
    }
}
