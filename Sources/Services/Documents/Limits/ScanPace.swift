/// Holds a look at the whole disk that was not requested to half a processor: after each piece of work it rests as long, unless a caller
/// waits for the look to end.
struct ScanPace {
    /// A look that takes no longer is not held back: some ten thousand files.
    static let free = Duration.milliseconds(500)
    private static let piece = Duration.milliseconds(50)

    /// Until when there was nothing to rest for, since the look began.
    private var settled = Self.free

    /// - Parameters:
    ///   - now: since the look began.
    ///   - isWaitedFor: a caller waits now.
    /// - Returns: how long to rest; nil: not now.
    mutating func rest(at now: Duration, isWaitedFor: Bool = false) -> Duration? {
        guard !isWaitedFor else {
            settled = max(settled, now)
            return nil
        }
        let work = now - settled
        guard work >= Self.piece else { return nil }
        settled = now + work
        return work
    }
}
