/// The notice over a page whose content is on its way from another device: how opaque it is at a time.
struct Overlay: Sendable, Equatable {
    static let message = "Continuing Activity..."
    static let fullAlpha = 0.5
    static let duration = Duration.seconds(1)

    private var from = 0.0
    private var to = 0.0
    private var start: ContinuousClock.Instant?

    /// Fades in from what it is now.
    mutating func show(at now: ContinuousClock.Instant) { fade(to: Self.fullAlpha, at: now) }
    /// Fades out from what it is now.
    mutating func hide(at now: ContinuousClock.Instant) { fade(to: 0, at: now) }

    func alpha(at now: ContinuousClock.Instant) -> Double {
        guard let start else { return to }
        let progress = min(1, max(0, (now - start) / Self.duration))
        return from + (to - from) * progress
    }

    func isFading(at now: ContinuousClock.Instant) -> Bool {
        start.map { now - $0 < Self.duration } ?? false
    }

    /// The activity indicator beside the message: a frame for each tenth of a second while it is shown.
    func indicator(at now: ContinuousClock.Instant) -> Character {
        let frames: [Character] = ["◐", "◓", "◑", "◒"]
        guard let start, isShown else { return " " }
        return frames[Int(max(0, (now - start) / .milliseconds(100))) % frames.count]
    }

    var isShown: Bool { to > 0 }

    private mutating func fade(to alpha: Double, at now: ContinuousClock.Instant) {
        from = self.alpha(at: now)
        to = alpha
        start = now
    }
}
