import CoreMetrics
import Testing

@testable import BatonCloud

@Suite("Prometheus's text form")
struct PrometheusExporterTests {
    @Test("Counters, meters and timers are on the page in the order of their families, then of their labels")
    func page() {
        let exporter = PrometheusExporter()
        for _ in 0..<2 {
            Counter(label: "calls", dimensions: [("method", "b"), ("code", "ok")], factory: exporter).increment(by: 3)
        }
        Counter(label: "calls", dimensions: [("method", "a\"\\\n")], factory: exporter).increment()
        Meter(label: "open", factory: exporter).set(7)
        CoreMetrics.Timer(label: "seconds", dimensions: [("method", "b")], factory: exporter)
            .recordNanoseconds(20_000_000)
        Counter(label: "unlisted", factory: exporter).increment()
        let page = exporter.page([
            .init(name: "open", kind: .gauge, help: "Open."), .init(name: "calls", kind: .counter, help: "Calls."),
            .init(name: "seconds", kind: .histogram, help: "Durations."),
            .init(name: "none", kind: .counter, help: "Nothing."),
        ])
        #expect(
            page.split(separator: "\n") == [
                "# HELP open Open.", "# TYPE open gauge", "open 7", "# HELP calls Calls.", "# TYPE calls counter",
                #"calls{method="a\"\\\n"} 1"#, #"calls{method="b",code="ok"} 6"#, "# HELP seconds Durations.",
                "# TYPE seconds histogram", #"seconds_bucket{method="b",le="0.001"} 0"#,
                #"seconds_bucket{method="b",le="0.003"} 0"#, #"seconds_bucket{method="b",le="0.01"} 0"#,
                #"seconds_bucket{method="b",le="0.03"} 1"#, #"seconds_bucket{method="b",le="0.1"} 1"#,
                #"seconds_bucket{method="b",le="0.3"} 1"#, #"seconds_bucket{method="b",le="1.0"} 1"#,
                #"seconds_bucket{method="b",le="3.0"} 1"#, #"seconds_bucket{method="b",le="10.0"} 1"#,
                #"seconds_bucket{method="b",le="+Inf"} 1"#, #"seconds_sum{method="b"} 0.02"#,
                #"seconds_count{method="b"} 1"#, "# HELP none Nothing.", "# TYPE none counter",
            ])
        #expect(page.hasSuffix("\n"))
    }
}
