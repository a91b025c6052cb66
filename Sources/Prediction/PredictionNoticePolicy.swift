/// Whether a prediction is worth a notice after something happened: a pure decision, kept across restarts (P-61).
package struct PredictionNoticePolicy: Sendable, Equatable, Codable {
    /// Below it nothing is said.
    package static let threshold = 0.3
    /// Milliseconds between two notices, whatever they are about.
    package static let pause: UInt64 = 30 * 60_000
    /// Refusals in one context until it is silent.
    package static let refusals = 3
    /// Milliseconds for which it is silent then.
    package static let silence: UInt64 = 30 * 86_400_000

    private var lastShown: UInt64?
    private var refused: [PredictionContext: Int] = [:]
    private var silentUntil: [PredictionContext: UInt64] = [:]

    package init() {}

    /// - Returns: whether the notice is to be shown; it counts as shown then.
    package mutating func shows(_ context: PredictionContext, probability: Double, now: UInt64) -> Bool {
        guard probability > Self.threshold, probability <= 1 else { return false }
        if let lastShown {
            // A clock that was set back must not silence for longer than the pause.
            if lastShown > now { self.lastShown = now }
            if now - min(now, lastShown) < Self.pause { return false }
        }
        if let until = silentUntil[context] {
            if now < until, until - now <= Self.silence { return false }
            silentUntil[context] = nil
            refused[context] = nil
        }
        lastShown = now
        return true
    }

    /// Not now.
    package mutating func declined(_ context: PredictionContext, now: UInt64) {
        let count = (refused[context] ?? 0) + 1
        refused[context] = count
        if count >= Self.refusals { silentUntil[context] = now + Self.silence }
    }

    /// It was welcome.
    package mutating func accepted(_ context: PredictionContext) {
        refused[context] = nil
        silentUntil[context] = nil
    }
}
