import Foundation

/// Learns which item comes next, from what came before it, the hour of the day, and what happened just now (P-59, P-61).
///
/// A value without I/O and clock. Items are numbers, given in the order in which they are seen first.
package struct PredictionLearner: Sendable {
    /// What speaks for an item. Each has a table of counts and a weight.
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
    static let afterFrontDecay = 0.9
    /// Quarters of an hour, so that a reading is one row.
    static let slots = 96

    /// Whether the item in front may come again: songs do, and apps that are in front already do not.
    private let repeats: Bool
    private(set) var items = 0
    private(set) var front: UInt32?
    private(set) var earlier: UInt32?

    private var all = PredictionRow()
    private var recent: [Double] = []
    private var afterFront: [UInt32: PredictionRow] = [:]
    private var afterFrontRecent: [UInt32: PredictionRow] = [:]
    private var afterTwo: [PredictionPair: PredictionRow] = [:]
    private var afterEarlier: [UInt32: PredictionRow] = [:]
    private var hours: [[Double]]
    private var contexts: [PredictionContext: PredictionRow] = [:]
    private var weights: [Double]
    private var contextWeights: [PredictionContext: Double] = [:]

    package init(repeats: Bool = false) {
        self.repeats = repeats
        hours = Array(repeating: [], count: Self.slots)
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

    /// What speaks for an item, the most first; empty where it is no candidate.
    package func shares(of item: UInt32, minute: Int, contexts: [PredictionContext] = []) -> [Share] {
        let view = self.view(minute: minute, contexts: contexts)
        guard let index = view.candidates.firstIndex(of: item) else { return [] }
        return view.evidence.indices.map { table in
            let logs = view.logs[table]
            let mean = logs.reduce(0, +) / Double(logs.count)
            let (count, total) = counts(view.evidence[table], item, minute)
            return Share(
                evidence: view.evidence[table], amount: view.weights[table] * (logs[index] - mean), count: count,
                total: total)
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
        // What never happened before says nothing.
        let known = active.filter { contexts[$0] != nil }
        let evidence = Self.kinds + known.map { .context($0) }
        let weights =
            (known.isEmpty ? self.weights : self.weights.map { $0 * Self.damping })
            + known.map { contextWeights[$0] ?? Self.firstContextWeight }
        let slot = Self.slot(minute)
        var logs: [[Double]] = []
        logs.reserveCapacity(evidence.count)
        var scores = Array(repeating: 0.0, count: candidates.count)
        for (kind, weight) in zip(evidence, weights) {
            let values =
                switch kind {
                case .recent: Self.logs(recent, candidates, excluded)
                case .hour: Self.logs(hours[slot], candidates, excluded)
                default: Self.logs(row(kind), candidates, excluded)
                }
            for index in scores.indices { scores[index] += weight * values[index] }
            logs.append(values)
        }
        return View(
            candidates: candidates, evidence: evidence, weights: weights, logs: logs,
            probabilities: Self.normalized(scores))
    }

    private func row(_ kind: Evidence) -> PredictionRow? {
        switch kind {
        case .all: all
        case .afterFront: front.flatMap { afterFront[$0] }
        case .afterFrontRecent: front.flatMap { afterFrontRecent[$0] }
        case .afterTwo: pair.flatMap { afterTwo[$0] }
        case .afterEarlier: earlier.flatMap { afterEarlier[$0] }
        case .context(let context): contexts[context]
        case .recent, .hour: nil
        }
    }

    private var pair: PredictionPair? {
        guard let front, let earlier else { return nil }
        return PredictionPair(last: front, before: earlier)
    }

    private func counts(_ kind: Evidence, _ item: UInt32, _ minute: Int) -> (count: Double, total: Double) {
        switch kind {
        case .recent: (recent[Int(item)], recent.reduce(0, +))
        case .hour:
            (Self.value(hours[Self.slot(minute)], item), hours[Self.slot(minute)].reduce(0, +))
        default: (row(kind)?.count(of: item) ?? 0, row(kind)?.sum ?? 0)
        }
    }

    /// log((count + 2/N) / (sum + 2)) of each candidate. Few items have a count, so that few logarithms are taken.
    private static func logs(_ row: PredictionRow?, _ candidates: [UInt32], _ excluded: UInt32?) -> [Double] {
        let prior = smoothing / Double(max(1, candidates.count))
        let sum = (row?.sum ?? 0) - (excluded.flatMap { row?.count(of: $0) } ?? 0)
        let denominator = log(max(0, sum) + smoothing)
        var values = Array(repeating: log(prior) - denominator, count: candidates.count)
        guard let row else { return values }
        for cell in row.cells where cell.item != excluded {
            // Candidates are all numbers in order, but for the one that is left out.
            let index = Int(cell.item) - (excluded.map { cell.item > $0 ? 1 : 0 } ?? 0)
            if values.indices.contains(index) { values[index] = log(Double(cell.count) + prior) - denominator }
        }
        return values
    }

    private static func logs(_ counts: [Double], _ candidates: [UInt32], _ excluded: UInt32?) -> [Double] {
        let prior = smoothing / Double(max(1, candidates.count))
        let sum = counts.reduce(0, +) - (excluded.map { value(counts, $0) } ?? 0)
        let denominator = log(max(0, sum) + smoothing)
        return candidates.map { log(value(counts, $0) + prior) - denominator }
    }

    private static func value(_ counts: [Double], _ item: UInt32) -> Double {
        Int(item) < counts.count ? counts[Int(item)] : 0
    }

    private static func normalized(_ scores: [Double]) -> [Double] {
        guard let highest = scores.max() else { return [] }
        let values = scores.map { exp($0 - highest) }
        let sum = values.reduce(0, +)
        return values.map { $0 / sum }
    }

    /// How often an item was the first to come after something happened.
    package func times(_ item: UInt32, after context: PredictionContext) -> Int {
        Int(contexts[context]?.count(of: item) ?? 0)
    }

    // MARK: Learning

    /// - Parameter item: one that was seen, or the next new number. Another is left out.
    package mutating func learn(_ item: UInt32, minute: Int, contexts active: [PredictionContext] = []) {
        guard Int(item) <= items else { return }
        if !repeats, item == front { return }
        if Int(item) == items {
            items += 1
            recent.append(0)
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
        all.add(item)
        for index in recent.indices { recent[index] *= Self.recentDecay }
        recent[Int(item)] += 1
        if let front {
            afterFront[front, default: PredictionRow()].add(item)
            afterFrontRecent[front, default: PredictionRow()].add(item, decay: Self.afterFrontDecay)
        }
        if let pair { afterTwo[pair, default: PredictionRow()].add(item) }
        if let earlier { afterEarlier[earlier, default: PredictionRow()].add(item) }
        let slot = Self.slot(minute)
        for (offset, amount) in Self.gaussian {
            let near = (slot + offset + Self.slots) % Self.slots
            while hours[near].count <= Int(item) { hours[near].append(0) }
            hours[near][Int(item)] += amount
        }
        for context in active { contexts[context, default: PredictionRow()].add(item) }
    }

    private static func slot(_ minute: Int) -> Int { ((minute % 1440) + 1440) % 1440 * slots / 1440 }

    /// By quarters of an hour: of one hour, cut after three.
    private static let gaussian: [(offset: Int, amount: Double)] = (-12...12).map { offset in
        let hours = Double(offset) / 4
        return (offset, exp(-hours * hours / 2))
    }
}
