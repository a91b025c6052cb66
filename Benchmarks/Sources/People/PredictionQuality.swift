import Foundation
import Prediction

/// Which app comes next in a log, for its last fifth after all before: how often the first guess is right, and the mean reciprocal
/// rank, beside simpler ways to guess.
enum PredictionQuality {
    /// Guesses items, the likeliest first. The one in front is none.
    private protocol Guesser {
        mutating func learn(_ item: UInt32, minute: Int)
        mutating func guesses(minute: Int) -> [UInt32]
    }

    private struct Learned: Guesser {
        var learner = PredictionLearner()
        mutating func learn(_ item: UInt32, minute: Int) { learner.learn(item, minute: minute) }
        mutating func guesses(minute: Int) -> [UInt32] { learner.predict(minute: minute).map(\.item) }
    }

    /// Scores of items, of which the greatest comes first.
    private struct Counted: Guesser {
        enum Kind { case frequent, latest, frecency, markov }

        let kind: Kind
        private var front: UInt32?
        private var scores: [UInt32: Double] = [:]
        private var after: [UInt32: [UInt32: Double]] = [:]
        private var time = 0.0

        init(_ kind: Kind) { self.kind = kind }

        mutating func learn(_ item: UInt32, minute: Int) {
            time += 1
            switch kind {
            case .frequent, .markov: scores[item, default: 0] += 1
            case .latest: scores[item] = time
            case .frecency:
                for key in scores.keys { scores[key]? *= 0.97 }
                scores[item, default: 0] += 1
            }
            if let front, front != item { after[front, default: [:]][item, default: 0] += 1 }
            front = item
        }

        mutating func guesses(minute: Int) -> [UInt32] {
            let following = kind == .markov ? front.flatMap { after[$0] } ?? [:] : [:]
            return scores.keys.filter { $0 != front }.sorted { left, right in
                let (first, second) = (following[left] ?? 0, following[right] ?? 0)
                if first != second { return first > second }
                let (one, other) = (scores[left] ?? 0, scores[right] ?? 0)
                return one != other ? one > other : left < right
            }
        }
    }

    static func run(log: String) throws {
        let rows = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").dropFirst()
            .compactMap { line -> (seconds: Int, item: String)? in
                let fields = line.split(separator: ",")
                guard fields.count == 2, let seconds = Int(fields[0]) else { return nil }
                return (seconds, String(fields[1]))
            }
        var numbers: [String: UInt32] = [:]
        let events = rows.map { row in
            let number = numbers[row.item] ?? UInt32(numbers.count)
            numbers[row.item] = number
            return (item: number, minute: row.seconds % 86_400 / 60)
        }
        measure("Baton", Learned(), events)
        measure("first-order Markov", Counted(.markov), events)
        measure("frecency", Counted(.frecency), events)
        measure("last", Counted(.latest), events)
        measure("most frequent", Counted(.frequent), events)
        cost(items: 100, events: 20_000)
    }

    private static func measure(_ name: String, _ guesser: some Guesser, _ events: [(item: UInt32, minute: Int)]) {
        var guesser = guesser
        var front: UInt32?
        var (hits, total, reciprocal) = (0, 0, 0.0)
        for (place, event) in events.enumerated() {
            if place >= events.count * 4 / 5, event.item != front {
                total += 1
                if let rank = guesser.guesses(minute: event.minute).firstIndex(of: event.item) {
                    hits += rank == 0 ? 1 : 0
                    reciprocal += 1 / Double(rank + 1)
                }
            }
            guesser.learn(event.item, minute: event.minute)
            front = event.item
        }
        let count = Double(max(total, 1))
        Lines.print(["event": "guesses", "name": name, "hit_at_1": Double(hits) / count, "mrr": reciprocal / count])
    }

    private static func cost(items: Int, events: Int) {
        var (random, learner) = (SeededGenerator(seed: 3), PredictionLearner())
        for item in 0..<items { learner.learn(UInt32(item), minute: item) }
        var guesses = 0
        let begin = monotonicNanoseconds()
        for number in 0..<events {
            let minute = number * 7 % 1440
            guesses += learner.predict(minute: minute).count
            learner.learn(UInt32.random(in: 0..<UInt32(items), using: &random), minute: minute)
        }
        let time = Double(monotonicNanoseconds() - begin) / 1e3 / Double(events)
        precondition(guesses > 0)
        Lines.print(["event": "cost", "items": items, "us_per_event": time])
    }
}
