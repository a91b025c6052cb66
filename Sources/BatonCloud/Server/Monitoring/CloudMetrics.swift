import BatonCore
import CoreMetrics
import Foundation
import NIOCore
import Synchronization

/// Numbers of the server, for Prometheus. Nothing in them is of a person.
package final class CloudMetrics: Sendable {
    private typealias Family = PrometheusExporter.Family

    private static let prefix = "baton_cloud_"
    /// In the order of the page; gauges come after them.
    private static let families = [
        Family(name: "calls_total", kind: .counter, help: "Calls by method and by how they ended."),
        Family(name: "call_seconds", kind: .histogram, help: "Duration of calls."),
        Family(name: "writes_total", kind: .counter, help: "Batches of items by what became of them."),
        Family(name: "written_items_total", kind: .counter, help: "Items that were written or deleted."),
        Family(name: "written_bytes_total", kind: .counter, help: "Sealed bytes of items that were written."),
        Family(name: "events_total", kind: .counter, help: "Events that went to subscribers."),
        Family(
            name: "storage_errors_total", kind: .counter,
            help: "Failures of databases and blob stores, by their reason."),
        Family(
            name: "database_errors_total", kind: .counter,
            help: "Failures of each of several databases, by its place in the list."),
        Family(name: "blob_bytes_total", kind: .counter, help: "Bytes of blobs that came and went."),
    ]

    private struct AskedGauge {
        var family: Family
        var value: @Sendable () -> Int
    }

    private let exporter = PrometheusExporter()
    private let gauges = Mutex<[AskedGauge]>([])

    private let troubles: StorageHealth?
    private let shortage: SpaceShortage?

    /// - Parameters:
    ///   - troubles: receives what fails.
    ///   - shortage: receives it, too.
    init(troubles: StorageHealth? = nil, shortage: SpaceShortage? = nil) {
        self.troubles = troubles
        self.shortage = shortage
        // Those that are on the page before they count anything.
        for outcome in ["written", "conflict"] { count("writes_total", [("outcome", outcome)], by: 0) }
        for reason in StorageHealth.reasons { count("storage_errors_total", [("reason", reason)], by: 0) }
        for name in ["written_items_total", "written_bytes_total", "events_total"] { count(name, by: 0) }
        count(bytesIn: 0, bytesOut: 0)
    }

    private func count(_ name: String, _ labels: [(String, String)] = [], by number: Int = 1) {
        Counter(label: Self.prefix + name, dimensions: labels, factory: exporter).increment(by: number)
    }

    /// - Parameter value: asked for each page; it must not block.
    package func gauge(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Int) {
        let family = Family(name: Self.prefix + name, kind: .gauge, help: help)
        gauges.withLock { $0.append(AskedGauge(family: family, value: value)) }
    }

    package func count(bytesIn: Int = 0, bytesOut: Int = 0) {
        count("blob_bytes_total", [("direction", "in")], by: bytesIn)
        count("blob_bytes_total", [("direction", "out")], by: bytesOut)
    }

    /// - Parameter writes: of a batch that was written; nil for one that met a conflict.
    package func count(_ writes: [ItemWrite]?) {
        guard let writes else { return count("writes_total", [("outcome", "conflict")]) }
        count("writes_total", [("outcome", "written")])
        count("written_items_total", by: writes.count)
        count("written_bytes_total", by: writes.reduce(0) { $0 + ($1.content?.byteCount ?? 0) })
    }

    /// Counts what went to a subscriber. Keep-alives are no events: they come all the time, and would hide those.
    package func count(_ event: Subscription.Event) {
        if event != .keepAlive { count("events_total") }
    }

    /// Counts and records what it was, if it was the storage that failed.
    package func hear(_ error: any Error) {
        guard let error = error as? BatonError, StorageHealth.reasons.contains(error.reason) else { return }
        count("storage_errors_total", [("reason", error.reason)])
        if let database = StorageHealth.database(of: error) {
            count("database_errors_total", [("database", "\(database)"), ("reason", error.reason)])
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
        count("calls_total", [("method", method), ("code", code)])
        CoreMetrics.Timer(label: "\(Self.prefix)call_seconds", dimensions: [("method", method)], factory: exporter)
            .recordNanoseconds(Int64(duration / .nanoseconds(1)))
    }

    /// The page, in Prometheus's text format.
    package var page: String {
        let gauges = gauges.withLock { $0 }
        // Asked outside of the lock: each looks at something else.
        for gauge in gauges { Meter(label: gauge.family.name, factory: exporter).set(gauge.value()) }
        let families = Self.families.map { family in
            Family(name: Self.prefix + family.name, kind: family.kind, help: family.help)
        }
        return exporter.page(families + gauges.map(\.family))
    }
}
