import Foundation

/// Learns which item comes next, from what came before it, the hour of the day, and what happened just now (P-59, P-61).
///
/// A value without I/O and clock. Items are numbers, given in the order in which they are seen first.
package struct PredictionLearner: Sendable {
    /// A kind of evidence for an item. Each has a table of counts and a weight.
    package enum Evidence: Hashable, Sendable {
        /// How often it came at all.
        case all
        /// How often of late.
        case recent
        /// After the item in front.
        case afterFront
        /// The same, of late.
        case afterFrontRecent
        /// After the last two.
        case afterTwo
        /// After the one before last.
        case afterEarlier
        /// By the hour of the day.
        case hour
        /// After an event such as headphones that were connected.
        case context(PredictionContext)
    }

    /// An item with its probability among all candidates.
    package struct Candidate: Sendable, Equatable {
        package let item: UInt32
        package let probability: Double
    }

    /// How much one piece of evidence speaks for an item.
    package struct Share: Sendable, Equatable {
        package let evidence: Evidence
        /// Weight × (log p of the item − the mean of the candidates). Above 0 it speaks for the item.
        package let amount: Double
        /// How often the item came under this condition.
        package let count: Double
        /// How often anything came under it.
        package let total: Double
    }

    static let smoothing = 2.0
    static let firstWeight = 0.5
    /// Something that just happened breaks the sequence: what it led to before says more than what usually follows. There are
    /// too few such events for the weights to learn it.
    static let firstContextWeight = 2.0
    static let damping = 0.25
    static let rate = 0.01
    static let recentDecay = 0.97
    static let afterFrontDecay: Float = 0.9
    /// Policy: further items are not learned.
    static let maximumItems = Int(UInt16.max)
    /// Quarters of an hour, so that a reading is one row.
    static let slots = 96

    /// Whether the item in front may come again: songs do, and apps that are in front already do not.
    private let repeats: Bool
    private(set) var items = 0
    private(set) var front: UInt32?
    private(set) var earlier: UInt32?

    private var all = PredictionRow()
    private var recent: [Double] = []
    /// By the item that was in front.
    private var afterFront: [PredictionFollowers] = []
    /// An item that came after two came after the last of them too, so that the rows of `afterFront` say which there are.
    private var afterTwo = PredictionTriples()
    /// By the item that was before the one in front.
    private var afterEarlier: [PredictionRow] = []
    /// By quarters of an hour. They are spread when they are read.
    private var hours: [PredictionRow]
    private var contexts: [PredictionContext: PredictionRow] = [:]
    private var weights: [Double]
    private var contextWeights: [PredictionContext: Double] = [:]

    package init(repeats: Bool = false) {
        self.repeats = repeats
        hours = Array(repeating: PredictionRow(), count: Self.slots)
        weights = Array(repeating: Self.firstWeight, count: Self.kinds.count)
    }

    private static let kinds: [Evidence] = [
        .all, .recent, .afterFront, .afterFrontRecent, .afterTwo, .afterEarlier, .hour,
    ]

    // MARK: Predicting

    /// The candidates, the likeliest first.
    /// - Parameters:
    ///   - minute: of the local day.
    ///   - contexts: what happened just now.
    package func predict(minute: Int, contexts: [PredictionContext] = []) -> [Candidate] {
        let view = self.view(minute: minute, contexts: contexts)
        return zip(view.candidates, view.probabilities)
            .map { Candidate(item: $0, probability: $1) }
            .sorted { $0.probability != $1.probability ? $0.probability > $1.probability : $0.item < $1.item }
    }

    /// The evidence for an item, the most first; empty where it is no candidate.
    package func shares(of item: UInt32, minute: Int, contexts: [PredictionContext] = []) -> [Share] {
        let view = self.view(minute: minute, contexts: contexts)
        guard let index = view.candidates.firstIndex(of: item) else { return [] }
        return view.evidence.indices.map { table in
            let logs = view.logs[table]
            let mean = logs.reduce(0, +) / Double(logs.count)
            let counts = counts(view.evidence[table], minute)
            return Share(
                evidence: view.evidence[table], amount: view.weights[table] * (logs[index] - mean),
                count: counts.count(of: item), total: counts.sum)
        }.sorted { $0.amount > $1.amount }
    }

    /// Everything that a prediction is made of.
    private struct View {
        var candidates: [UInt32]
        var evidence: [Evidence]
        var weights: [Double]
        /// For each kind of evidence, log p of each candidate.
        var logs: [[Double]]
        var probabilities: [Double]
    }

    private func view(minute: Int, contexts active: [PredictionContext]) -> View {
        let excluded = repeats ? nil : front
        let candidates = (0..<UInt32(items)).filter { $0 != excluded }
        // An event that never happened before is no evidence.
        let known = active.filter { contexts[$0] != nil }
        let evidence = Self.kinds + known.map { .context($0) }
        let weights =
            (known.isEmpty ? self.weights : self.weights.map { $0 * Self.damping })
            + known.map { contextWeights[$0] ?? Self.firstContextWeight }
        var logs: [[Double]] = []
        logs.reserveCapacity(evidence.count)
        var scores = Array(repeating: 0.0, count: candidates.count)
        for (kind, weight) in zip(evidence, weights) {
            let values = Self.logs(counts(kind, minute), candidates, excluded)
            for index in scores.indices { scores[index] += weight * values[index] }
            logs.append(values)
        }
        return View(
            candidates: candidates, evidence: evidence, weights: weights, logs: logs,
            probabilities: Self.normalized(scores))
    }

    private func counts(_ kind: Evidence, _ minute: Int) -> PredictionCounts {
        switch kind {
        case .all: return Self.counts(all)
        case .recent:
            return PredictionCounts(cells: recent.enumerated().map { (item: UInt32($0), count: $1) })
        case .afterFront, .afterFrontRecent, .afterTwo:
            guard let front else { return PredictionCounts() }
            return PredictionCounts(
                cells: afterFront[Int(front)].cells.map { cell in
                    let count: Double =
                        switch kind {
                        case .afterFront: Double(cell.count)
                        case .afterFrontRecent: Double(cell.recent)
                        default: earlier.map { times(cell.item, after: front, $0) } ?? 0
                        }
                    return (item: UInt32(cell.item), count: count)
                })
        case .afterEarlier: return earlier.map { Self.counts(afterEarlier[Int($0)]) } ?? PredictionCounts()
        case .hour: return hour(Self.slot(minute))
        case .context(let context): return contexts[context].map(Self.counts) ?? PredictionCounts()
        }
    }

    private static func counts(_ row: PredictionRow) -> PredictionCounts {
        PredictionCounts(cells: row.cells.map { (item: UInt32($0.item), count: Double($0.count)) })
    }

    private func times(_ item: UInt16, after last: UInt32, _ before: UInt32) -> Double {
        Double(afterTwo.count(last: last, before: before, next: item))
    }

    /// Neighbouring quarters count too, the less the further they are away.
    private func hour(_ slot: Int) -> PredictionCounts {
        var counts = Array(repeating: 0.0, count: items)
        for (offset, amount) in Self.gaussian {
            for cell in hours[(slot + offset + Self.slots) % Self.slots].cells {
                counts[Int(cell.item)] += amount * Double(cell.count)
            }
        }
        return PredictionCounts(cells: counts.enumerated().map { (item: UInt32($0), count: $1) })
    }

    /// log((count + 2/N) / (sum + 2)) of each candidate. Few items have a count, so that few logarithms are taken.
    private static func logs(_ counts: PredictionCounts, _ candidates: [UInt32], _ excluded: UInt32?) -> [Double] {
        let prior = smoothing / Double(max(1, candidates.count))
        var sum = 0.0
        for cell in counts.cells where cell.item != excluded { sum += cell.count }
        let denominator = log(sum + smoothing)
        var values = Array(repeating: log(prior) - denominator, count: candidates.count)
        for cell in counts.cells where cell.item != excluded && cell.count > 0 {
            // Candidates are all numbers in order, but for the one that is left out.
            let index = Int(cell.item) - (excluded.map { cell.item > $0 ? 1 : 0 } ?? 0)
            if values.indices.contains(index) { values[index] = log(cell.count + prior) - denominator }
        }
        return values
    }

    private static func normalized(_ scores: [Double]) -> [Double] {
        guard let highest = scores.max() else { return [] }
        let values = scores.map { exp($0 - highest) }
        let sum = values.reduce(0, +)
        return values.map { $0 / sum }
    }

    /// How often an item was the first to come after something happened.
    package func times(_ item: UInt32, after context: PredictionContext) -> Int {
        contexts[context]?.count(of: item) ?? 0
    }

    // MARK: Learning

    /// - Parameter item: one that was seen, or the next new number. Another is left out.
    package mutating func learn(_ item: UInt32, minute: Int, contexts active: [PredictionContext] = []) {
        guard Int(item) <= items, Int(item) < Self.maximumItems else { return }
        if !repeats, item == front { return }
        if Int(item) == items {
            items += 1
            recent.append(0)
            afterFront.append(PredictionFollowers())
            afterEarlier.append(PredictionRow())
        } else {
            adjust(for: item, minute: minute, contexts: active)
        }
        count(item, minute, active)
        earlier = front
        front = item
    }

    /// Moves the weights to the evidence that knew better.
    private mutating func adjust(for item: UInt32, minute: Int, contexts active: [PredictionContext]) {
        let view = self.view(minute: minute, contexts: active)
        guard let index = view.candidates.firstIndex(of: item) else { return }
        for table in view.evidence.indices {
            let logs = view.logs[table]
            var mean = 0.0
            for place in logs.indices { mean += logs[place] * view.probabilities[place] }
            let change = Self.rate * (logs[index] - mean)
            if case .context(let context) = view.evidence[table] {
                contextWeights[context] = max(0, view.weights[table] + change)
            } else {
                weights[table] = max(0, weights[table] + change)
            }
        }
    }

    private mutating func count(_ item: UInt32, _ minute: Int, _ active: [PredictionContext]) {
        let short = UInt16(item)
        all.add(short)
        for index in recent.indices { recent[index] *= Self.recentDecay }
        recent[Int(item)] += 1
        if let front {
            afterFront[Int(front)].add(short, decay: Self.afterFrontDecay)
            if let earlier { afterTwo.add(last: front, before: earlier, next: short) }
        }
        if let earlier { afterEarlier[Int(earlier)].add(short) }
        hours[Self.slot(minute)].add(short)
        for context in active { contexts[context, default: PredictionRow()].add(short) }
    }

    private static func slot(_ minute: Int) -> Int { ((minute % 1440) + 1440) % 1440 * slots / 1440 }

    /// By quarters of an hour: of one hour, cut after three.
    private static let gaussian: [(offset: Int, amount: Double)] = (-12...12).map { offset in
        let hours = Double(offset) / 4
        return (offset, exp(-hours * hours / 2))
    }
}
