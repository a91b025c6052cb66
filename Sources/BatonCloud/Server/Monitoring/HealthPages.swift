import BatonCore
import BatonTransport
import HTTPTypes

/// Pages for monitoring tools: `/health` (it runs), `/ready` (it can answer), `/metrics` (Prometheus, with restricted
/// access).
struct HealthPages: Sendable {
    let readiness: ReadinessCheck
    let metrics: CloudMetrics
    /// The callers that may read `/metrics`.
    let audience: MetricsAudience

    func register(on router: inout ConnectRouter) {
        page("/health", on: &router) { try await $0.respond(.ok, contentType: "text/plain", "ok\n") }
        page("/ready", on: &router) { call in
            do {
                // One of several that is away is no reason to send the accounts of the others elsewhere, too.
                let partly = try await readiness.result()
                if let partly { metrics.hear(partly) }
                try await call.respond(
                    .ok, contentType: "text/plain", "ready\n" + (partly.map { $0.message + "\n" } ?? ""))
            } catch {
                metrics.hear(error)
                guard let error = error as? BatonError else { throw error }
                throw call.refusal(.serviceUnavailable, [:], error)
            }
        }
        page("/metrics", on: &router) { call in
            guard audience.includes(call.context.remoteAddress?.host, call.headers) else { throw Self.metricsRefused }
            try await call.respond(.ok, contentType: "text/plain; version=0.0.4", metrics.page)
        }
    }

    /// Something that is read, and by nothing else than reading.
    private func page(
        _ path: String, on router: inout ConnectRouter, _ answer: @escaping ConnectRouter.ResourceHandler
    ) {
        router.resource(path) { call in
            guard call.method == .get || call.method == .head else {
                throw call.refusal(
                    .methodNotAllowed, [.allow: "GET, HEAD"],
                    BatonError(.unimplemented, reason: "method_not_allowed", "This page is read with GET."))
            }
            try await answer(call)
        }
    }

    private static let metricsRefused = BatonError(
        .permissionDenied, reason: "metrics_local",
        "Only callers from the server's own machine may read its metrics. The setting “metrics” says so.")
}
