import BatonCore
import Foundation
import NIOCore
import Synchronization

/// Numbers of the server, for Prometheus. Nothing in them is of a person.
package final class CloudMetrics: Sendable {
    private struct Call: Hashable {
        var method: String
        var code: String
    }

    private struct Durations {
        var counts = [Int](repeating: 0, count: CloudMetrics.bounds.count)
        var count = 0
        var sum = 0.0
    }

    /// Outcomes of batches.
    private struct Writes {
        var written = 0
        var conflicts = 0
        var items = 0
        var bytes = 0
    }

    /// A failure of one of several databases.
    private struct DatabaseError: Hashable {
        var database: Int
        var reason: String
    }

    private struct State {
        var calls: [Call: Int] = [:]
        var durations: [String: Durations] = [:]
        var bytesIn = 0
        var bytesOut = 0
        var writes = Writes()
        var events = 0
        var storageErrors: [String: Int] = [:]
        var databaseErrors: [DatabaseError: Int] = [:]
        var gauges: [(name: String, help: String, value: @Sendable () -> Int)] = []
    }

    /// Histogram bounds for durations, in seconds.
    private static let bounds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]
    private let state = Mutex(State())

    private let troubles: StorageHealth?
    private let shortage: SpaceShortage?

    /// - Parameters:
    ///   - troubles: receives what fails.
    ///   - shortage: receives it, too.
    init(troubles: StorageHealth? = nil, shortage: SpaceShortage? = nil) {
        self.troubles = troubles
        self.shortage = shortage
    }

    /// - Parameter value: asked for each page; it must not block.
    package func gauge(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Int) {
        state.withLock { $0.gauges.append((name, help, value)) }
    }

    package func count(bytesIn: Int = 0, bytesOut: Int = 0) {
        state.withLock { state in
            state.bytesIn += bytesIn
            state.bytesOut += bytesOut
        }
    }

    /// - Parameter writes: of a batch that was written; nil for one that met a conflict.
    package func count(_ writes: [ItemWrite]?) {
        state.withLock { state in
            guard let writes else {
                state.writes.conflicts += 1
                return
            }
            state.writes.written += 1
            state.writes.items += writes.count
            state.writes.bytes += writes.reduce(0) { $0 + ($1.content?.byteCount ?? 0) }
        }
    }

    /// An event went to a subscriber.
    package func countEvent() { state.withLock { $0.events += 1 } }

    /// Counts and records what it was, if it was the storage that failed.
    package func hear(_ error: any Error) {
        guard let error = error as? BatonError, StorageHealth.reasons.contains(error.reason) else { return }
        let database = StorageHealth.database(of: error)
        state.withLock { state in
            state.storageErrors[error.reason, default: 0] += 1
            guard let database else { return }
            state.databaseErrors[DatabaseError(database: database, reason: error.reason), default: 0] += 1
        }
        shortage?.hear(error)
        troubles?.hear(error)
    }

    /// Counts a call, how it ended, and how long it took.
    package func measure<Value>(_ method: String, _ body: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        do {
            let value = try await body()
            record(method, "ok", start.duration(to: .now))
            return value
        } catch {
            // A caller that went away ends what it had begun.
            let isGone = error is CancellationError || error is ChannelError || error is IOError
            let code = (error as? BatonError)?.code ?? (isGone ? .canceled : .internal)
            record(method, code.rawValue, start.duration(to: .now))
            hear(error)
            throw error
        }
    }

    private func record(_ method: String, _ code: String, _ duration: Duration) {
        let seconds = duration / .seconds(1)
        state.withLock { state in
            state.calls[Call(method: method, code: code), default: 0] += 1
            var durations = state.durations[method] ?? Durations()
            durations.count += 1
            durations.sum += seconds
            for (index, bound) in Self.bounds.enumerated() where seconds <= bound { durations.counts[index] += 1 }
            state.durations[method] = durations
        }
    }

    /// The page, in Prometheus's text format.
    package var page: String {
        let state = state.withLock { $0 }
        var lines: [String] = []
        func header(_ name: String, _ type: String, _ help: String) {
            lines += ["# HELP baton_cloud_\(name) \(help)", "# TYPE baton_cloud_\(name) \(type)"]
        }
        header("calls_total", "counter", "Calls by method and by how they ended.")
        for (call, count) in state.calls.sorted(by: { ($0.key.method, $0.key.code) < ($1.key.method, $1.key.code) }) {
            lines.append(#"baton_cloud_calls_total{method="\#(call.method)",code="\#(call.code)"} \#(count)"#)
        }
        header("call_seconds", "histogram", "Duration of calls.")
        for (method, durations) in state.durations.sorted(by: { $0.key < $1.key }) {
            for (bound, count) in zip(Self.bounds, durations.counts) {
                lines.append(#"baton_cloud_call_seconds_bucket{method="\#(method)",le="\#(bound)"} \#(count)"#)
            }
            lines.append(#"baton_cloud_call_seconds_bucket{method="\#(method)",le="+Inf"} \#(durations.count)"#)
            lines.append(#"baton_cloud_call_seconds_sum{method="\#(method)"} \#(durations.sum)"#)
            lines.append(#"baton_cloud_call_seconds_count{method="\#(method)"} \#(durations.count)"#)
        }
        header("writes_total", "counter", "Batches of items by what became of them.")
        lines.append(#"baton_cloud_writes_total{outcome="written"} \#(state.writes.written)"#)
        lines.append(#"baton_cloud_writes_total{outcome="conflict"} \#(state.writes.conflicts)"#)
        header("written_items_total", "counter", "Items that were written or deleted.")
        lines.append("baton_cloud_written_items_total \(state.writes.items)")
        header("written_bytes_total", "counter", "Sealed bytes of items that were written.")
        lines.append("baton_cloud_written_bytes_total \(state.writes.bytes)")
        header("events_total", "counter", "Events that went to subscribers.")
        lines.append("baton_cloud_events_total \(state.events)")
        header("storage_errors_total", "counter", "Failures of databases and blob stores, by their reason.")
        for reason in StorageHealth.reasons.sorted() {
            let count = state.storageErrors[reason, default: 0]
            lines.append(#"baton_cloud_storage_errors_total{reason="\#(reason)"} \#(count)"#)
        }
        header("database_errors_total", "counter", "Failures of each of several databases, by its place in the list.")
        let failures = state.databaseErrors.sorted {
            ($0.key.database, $0.key.reason) < ($1.key.database, $1.key.reason)
        }
        for (error, count) in failures {
            let labels = #"database="\#(error.database)",reason="\#(error.reason)""#
            lines.append("baton_cloud_database_errors_total{\(labels)} \(count)")
        }
        header("blob_bytes_total", "counter", "Bytes of blobs that came and went.")
        lines.append(#"baton_cloud_blob_bytes_total{direction="in"} \#(state.bytesIn)"#)
        lines.append(#"baton_cloud_blob_bytes_total{direction="out"} \#(state.bytesOut)"#)
        for gauge in state.gauges {
            header(gauge.name, "gauge", gauge.help)
            lines.append("baton_cloud_\(gauge.name) \(gauge.value())")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
