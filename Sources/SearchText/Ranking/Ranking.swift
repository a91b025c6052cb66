import Foundation

/// How well documents answer a query: BM25F over their fields, and what query words stand near each other.
package struct Ranking: Sendable {
    package let parameters: RankingParameters
    package let statistics: CollectionStatistics
    private let terms: [QueryTerm]
    private let weights: [Double]
    /// The order of the given terms in the query, as places in ``terms``; a repeated word is there again.
    private let sequence: [Int]
    /// The place of each two neighbours in the query among all such pairs, by the first term and the second; -1 for others.
    private let pairPlaces: [Int]
    private let pairCount: Int

    package init(
        _ terms: [QueryTerm], sequence: [Int], parameters: RankingParameters, statistics: CollectionStatistics
    ) {
        self.terms = terms
        self.sequence = sequence.filter(terms.indices.contains)
        self.parameters = parameters
        self.statistics = statistics
        weights = terms.map { $0.weight * Self.rarity($0.documents, of: statistics.documents) }
        var (places, count) = ([Int](repeating: -1, count: terms.count * terms.count), 0)
        for (left, right) in zip(sequence, sequence.dropFirst())
        where terms.indices.contains(left) && terms.indices.contains(right) && places[left * terms.count + right] < 0 {
            places[left * terms.count + right] = count
            count += 1
        }
        (pairPlaces, pairCount) = (places, count)
    }

    /// How much it says that a document has a word.
    package static func rarity(_ documents: Int, of all: Int) -> Double {
        let (n, total) = (Double(max(documents, 0)), Double(max(all, documents, 1)))
        return log(1 + (total - n + 0.5) / (n + 0.5))
    }

    /// The parts of each document's score, in the order of the documents.
    /// - Parameter document: the one at a place. It is asked for each once, in this order.
    package func scores(_ count: Int, _ document: (Int) -> RankedDocument) -> [Score] {
        let countsPairs = pairCount > 0 && (parameters.adjacency > 0 || parameters.nearness > 0)
        var (adjacent, near) = (PairFrequencies(pairCount), PairFrequencies(pairCount))
        var scores: [Score] = []
        scores.reserveCapacity(count)
        var occurrences = parameters.fieldWeights
        var frequencies = [Double](repeating: 0, count: terms.count)
        for index in 0..<max(count, 0) {
            let document = document(index)
            for field in occurrences.indices { occurrences[field] = occurrence(field, document) }
            let words = wordScore(document, occurrences, &frequencies)
            scores.append(Score(words: words, adjacency: 0, nearness: 0))
            if countsPairs { addPairs(of: document, occurrences, &adjacent, &near) }
        }
        guard countsPairs else { return scores }
        for index in scores.indices {
            scores[index].adjacency = parameters.adjacency * pairScore(adjacent, index)
            scores[index].nearness = parameters.nearness * pairScore(near, index)
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
        guard parameters.fieldWeights.indices.contains(field), document.lengths.count > field,
            statistics.averageLengths.indices.contains(field)
        else { return 0 }
        let average = max(statistics.averageLengths[field], 1)
        let length = Double(document.lengths[document.lengths.startIndex + field])
        let share = 1 - parameters.lengthWeight + parameters.lengthWeight * length / average
        return parameters.fieldWeights[field] / max(share, 0.01)
    }

    /// - Parameters:
    ///   - occurrences: the weight of one occurrence in each field.
    ///   - frequencies: one for each term, whatever is in it.
    private func wordScore(
        _ document: RankedDocument, _ occurrences: [Double], _ frequencies: inout [Double]
    ) -> Double {
        for index in frequencies.indices { frequencies[index] = 0 }
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

    /// How often each document has each pair, weighted; without a dictionary for each of thousands of documents.
    private struct PairFrequencies {
        let pairs: Int
        /// Those of one document after those of the other.
        private(set) var values: [Double] = []
        /// How many documents have each.
        private(set) var documents: [Int]

        init(_ pairs: Int) {
            self.pairs = pairs
            documents = [Int](repeating: 0, count: pairs)
        }

        mutating func beginDocument() { values.append(contentsOf: repeatElement(0, count: pairs)) }

        /// To the last document.
        mutating func add(_ frequency: Double, of pair: Int) {
            let place = values.count - pairs + pair
            if values[place] == 0, frequency > 0 { documents[pair] += 1 }
            values[place] += frequency
        }
    }

    private func addPairs(
        of document: RankedDocument, _ occurrences: [Double], _ adjacent: inout PairFrequencies,
        _ near: inout PairFrequencies
    ) {
        adjacent.beginDocument()
        near.beginDocument()
        let hits = document.hits
        for first in hits.indices {
            var second = first + 1
            while second < hits.endIndex, hits[second].field == hits[first].field,
                hits[second].position - hits[first].position < parameters.window
            {
                defer { second += 1 }
                let (left, right) = (hits[first], hits[second])
                guard left.term != right.term, occurrences.indices.contains(left.field),
                    terms.indices.contains(left.term), terms.indices.contains(right.term)
                else { continue }
                let pair = pairPlaces[left.term * terms.count + right.term]
                let reversed = pairPlaces[right.term * terms.count + left.term]
                if pair >= 0 {
                    if right.position - left.position == 1 { adjacent.add(occurrences[left.field], of: pair) }
                    near.add(occurrences[left.field], of: pair)
                } else if reversed >= 0 {
                    near.add(occurrences[left.field], of: reversed)
                }
            }
        }
    }

    private func pairScore(_ frequencies: PairFrequencies, _ document: Int) -> Double {
        var score = 0.0
        for pair in 0..<pairCount {
            let frequency = frequencies.values[document * pairCount + pair]
            guard frequency > 0 else { continue }
            score += Self.rarity(frequencies.documents[pair], of: statistics.documents) * saturated(frequency)
        }
        return score
    }
}
