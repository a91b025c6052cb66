import BatonCore
import BatonTransport
import HTTPTypes

/// What tools ask a server: `/health` (it runs), `/ready` (it can answer), `/metrics` (Prometheus, for those who may).
struct HealthPages: Sendable {
    let store: any ItemStore
    let metrics: CloudMetrics
    /// Of `/metrics`.
    let audience: MetricsAudience

    func register(on router: inout ConnectRouter) {
        router.resource("/health") { try await $0.respond(.ok, contentType: "text/plain", "ok\n") }
        router.resource("/ready") { call in
            // Writes nothing the second time, but waits for its turn among the writers.
            _ = try await store.secret()
            try await call.respond(.ok, contentType: "text/plain", "ready\n")
        }
        router.resource("/metrics") { call in
            guard audience.includes(call.context.remoteAddress?.host) else { throw Self.metricsRefused }
            try await call.respond(.ok, contentType: "text/plain; version=0.0.4", metrics.page)
        }
    }

    private static let metricsRefused = BatonError(
        .permissionDenied, reason: "metrics_local",
        "Only callers from the server's own machine may read its metrics. The setting “metrics” says so.")
}
