import CoreMetrics
import Synchronization

/// The values of one name and its labels.
protocol PrometheusSeries: AnyObject, Sendable {
    /// - Parameter labels: as in `method="GetBlob",code="ok"`; empty for none.
    func lines(_ name: String, _ labels: String) -> [String]
}

extension PrometheusSeries {
    fileprivate func line(_ name: String, _ labels: String, _ value: some CustomStringConvertible) -> String {
        labels.isEmpty ? "\(name) \(value)" : "\(name){\(labels)} \(value)"
    }
}

/// A number that grows.
final class CountedSeries: PrometheusSeries, CounterHandler {
    private let count = Mutex<Int64>(0)

    func increment(by amount: Int64) { count.withLock { $0 = $0.addingReportingOverflow(amount).partialValue } }
    func reset() { count.withLock { $0 = 0 } }

    func lines(_ name: String, _ labels: String) -> [String] { [line(name, labels, count.withLock { $0 })] }
}

/// A number that grows and falls.
final class MeasuredSeries: PrometheusSeries, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ new: Int64) { set(Double(new)) }
    func set(_ new: Double) { value.withLock { $0 = new } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ new: Int64) { set(new) }
    func record(_ new: Double) { set(new) }

    func lines(_ name: String, _ labels: String) -> [String] {
        let value = value.withLock { $0 }
        guard let whole = Int64(exactly: value) else { return [line(name, labels, value)] }
        return [line(name, labels, whole)]
    }
}

/// How many values were at most so large, for each bound; of timers in seconds.
final class HistogramSeries: PrometheusSeries, TimerHandler, RecorderHandler {
    private static let bounds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

    private struct State {
        var counts = [Int](repeating: 0, count: HistogramSeries.bounds.count)
        var count = 0
        var sum = 0.0
    }

    private let state = Mutex(State())

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        state.withLock { state in
            state.count += 1
            state.sum += value
            for (index, bound) in Self.bounds.enumerated() where value <= bound { state.counts[index] += 1 }
        }
    }

    func lines(_ name: String, _ labels: String) -> [String] {
        let state = state.withLock { $0 }
        let before = labels.isEmpty ? "" : "\(labels),"
        let buckets = zip(Self.bounds, state.counts).map { bound, count in
            line("\(name)_bucket", "\(before)le=\"\(bound)\"", count)
        }
        return buckets + [
            line("\(name)_bucket", "\(before)le=\"+Inf\"", state.count), line("\(name)_sum", labels, state.sum),
            line("\(name)_count", labels, state.count),
        ]
    }
}
