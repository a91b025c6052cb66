/// Places on the network whose strangers are not heard for a while, since their last questions came to nothing.
struct StrangerPauses: Sendable {
    private struct Pause: Sendable {
        var length: Duration
        var end: Duration
        /// It counts as the one before until then.
        var isRememberedUntil: Duration { end + length }
    }

    /// Policy: of more, the one that ends first is forgotten.
    private static let maximum = 256

    private var pauses: [String: Pause] = [:]

    func isPaused(_ place: String, _ now: Duration) -> Bool { pauses[place].map { now < $0.end } ?? false }

    /// Twice as long as the last one, while that is remembered.
    mutating func add(_ place: String, _ shortest: Duration, longest: Duration, _ now: Duration) {
        pauses = pauses.filter { now < $0.value.isRememberedUntil }
        let length = min(pauses[place].map { $0.length * 2 } ?? shortest, longest)
        pauses[place] = Pause(length: length, end: now + length)
        guard pauses.count > Self.maximum else { return }
        let first = pauses.min { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
        if let first { pauses[first.key] = nil }
    }

    mutating func remove(_ place: String) { pauses[place] = nil }
}
