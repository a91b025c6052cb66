/// Bounds how much one app adds to what is learned: an app reports when it is in front, and what it plays, and may do so
/// a thousand times.
struct PredictionRate: Sendable {
    /// Events of one app in a minute. Policy: more are left out.
    static let perMinute = 30
    /// Policy: beyond it all begin anew.
    private static let maximumApps = 500

    private var minute: UInt64 = 0
    private var counts: [String: Int] = [:]

    /// - Parameter now: milliseconds.
    mutating func allows(_ app: String, now: UInt64) -> Bool {
        if now / 60_000 != minute || counts.count > Self.maximumApps {
            minute = now / 60_000
            counts = [:]
        }
        let count = (counts[app] ?? 0) + 1
        counts[app] = count
        return count <= Self.perMinute
    }
}
