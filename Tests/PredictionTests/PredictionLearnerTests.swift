import Foundation
import Prediction
import Testing

/// Which app comes next (P-59).
@Suite struct PredictionLearnerTests {
    private static var log: URL? {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = repository.deletingLastPathComponent().appendingPathComponent("shared/data/apps/desktop.csv")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    @Test(
        "on the log of a laptop the first guess is right at least 49 times in 100, and MRR is .65 (P-59)",
        .enabled(if: log != nil))
    func desktop() throws {
        let text = try String(contentsOf: try #require(Self.log), encoding: .utf8)
        let rows = text.split(separator: "\n").dropFirst().compactMap { line -> (seconds: Int, app: String)? in
            let fields = line.split(separator: ",")
            guard fields.count == 2, let seconds = Int(fields[0]) else { return nil }
            return (seconds, String(fields[1]))
        }
        #expect(rows.count == 2876)
        var numbers: [String: UInt32] = [:]
        var learner = PredictionLearner()
        var front: UInt32?
        var (hits, total, reciprocal) = (0, 0, 0.0)
        for (place, row) in rows.enumerated() {
            let number = numbers[row.app] ?? UInt32(numbers.count)
            numbers[row.app] = number
            let minute = row.seconds % 86_400 / 60
            if place >= rows.count * 4 / 5, number != front {
                let guesses = learner.predict(minute: minute)
                total += 1
                if let rank = guesses.firstIndex(where: { $0.item == number }) {
                    hits += rank == 0 ? 1 : 0
                    reciprocal += 1 / Double(rank + 1)
                }
            }
            learner.learn(number, minute: minute)
            front = number
        }
        #expect(Double(hits) / Double(total) >= 0.49)
        #expect(reciprocal / Double(total) >= 0.65)
    }

    @Test("nothing is predicted of nothing, and of one app that is in front (P-59)")
    func empty() {
        var learner = PredictionLearner()
        #expect(learner.predict(minute: 0).isEmpty)
        learner.learn(0, minute: 0)
        #expect(learner.predict(minute: 0).isEmpty)
        // A number that was never given, and a time that is none.
        learner.learn(7, minute: 0)
        learner.learn(1, minute: -5000)
        #expect(learner.predict(minute: .max / 2).map(\.item) == [0])
    }

    @Test("probabilities are one together, and none is without a chance (P-59)")
    func probabilities() {
        var learner = PredictionLearner()
        var seed: UInt64 = 1
        for _ in 0..<2000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = UInt32((seed >> 33) % 20)
            learner.learn(min(number, UInt32(learner.predict(minute: 0).count)), minute: Int(seed >> 50) % 1440)
            let candidates = learner.predict(minute: 600, contexts: [.car])
            guard !candidates.isEmpty else { continue }
            #expect(abs(candidates.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
            #expect(candidates.allSatisfy { $0.probability > 0 })
        }
    }

    @Test("what comes at an hour is likely at that hour (P-59)")
    func hours() {
        var learner = PredictionLearner()
        learner.learn(0, minute: 0)
        learner.learn(1, minute: 0)
        for _ in 0..<40 {
            // The same two before both.
            for (hour, item) in [(8, UInt32(2)), (20, 3)] {
                learner.learn(0, minute: hour * 60)
                learner.learn(1, minute: hour * 60)
                learner.learn(item, minute: hour * 60 + 5)
            }
        }
        learner.learn(0, minute: 8 * 60)
        learner.learn(1, minute: 8 * 60)
        #expect(learner.predict(minute: 8 * 60 + 5).first?.item == 2)
        #expect(learner.predict(minute: 20 * 60 + 5).first?.item == 3)
    }
}
