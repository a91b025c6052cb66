import CoreMetrics
import Foundation
import Synchronization

/// The page that Prometheus reads, of what the server's code measures through swift-metrics: counters, meters, and timers as
/// histograms.
///
/// It is given to each measure, and is not the process's own, so libraries measure nothing into it. Bound: the names and labels that
/// the server's code has. Safe to use from any thread.
final class PrometheusExporter: MetricsFactory {
    /// The measures of one name.
    struct Family: Sendable {
        enum Kind: String, Sendable {
            case counter, gauge, histogram
        }

        var name: String
        var kind: Kind
        var help: String
    }

    /// By name, then by labels as the page has them.
    private let series = Mutex<[String: [String: any PrometheusSeries]]>([:])

    /// - Parameter families: in the order of the page. Others are not on it.
    func page(_ families: [Family]) -> String {
        let series = series.withLock { $0 }
        var lines: [String] = []
        for family in families {
            lines += ["# HELP \(family.name) \(family.help)", "# TYPE \(family.name) \(family.kind.rawValue)"]
            for (labels, one) in (series[family.name] ?? [:]).sorted(by: { $0.key < $1.key }) {
                lines += one.lines(family.name, labels)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func find<Series: PrometheusSeries>(
        _ name: String, _ labels: [(String, String)], or make: () -> Series
    ) -> Series {
        let labels = labels.map { #"\#($0.0)="\#(Self.escaped($0.1))""# }.joined(separator: ",")
        return series.withLock { series in
            if let known = series[name]?[labels] as? Series { return known }
            let new = make()
            series[name, default: [:]][labels] = new
            return new
        }
    }

    private static func escaped(_ label: String) -> String {
        label.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            .replacingOccurrences(of: "\n", with: "\\n")
    }

    // MARK: MetricsFactory

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions) { CountedSeries() }
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions) { MeasuredSeries() }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return find(label, dimensions) { MeasuredSeries() } }
        return find(label, dimensions) { HistogramSeries() }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions) { HistogramSeries() }
    }

    // Measures stay on the page.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
