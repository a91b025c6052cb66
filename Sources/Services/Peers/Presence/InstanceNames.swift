import BatonCore
import BatonTrust

/// The instance names of this device, which mean nothing, and when the next one is due.
struct InstanceNames: Sendable {
    private(set) var current: String
    /// The next change; at a random time, so that the clock does not reveal a change.
    private(set) var nextChange: Duration
    private let period: Duration
    private var lastChange: Duration
    /// The present name was claimed by another; the next one is due at ``nextChange``.
    private var isTaken = false
    /// Names that were taken, one soon after the other, and when the last of them was given up.
    private var conflicts = 0
    private var lastConflict = Duration.zero

    /// Between a name that was taken and the next one that is, doubled each time.
    static let conflictPause = Duration.seconds(30)
    static let longestConflictPause = Duration.seconds(15 * 60)

    init(period: Duration, now: Duration, using random: inout some RandomNumberGenerator) {
        self.period = period
        current = Self.draw(using: &random)
        lastChange = now
        nextChange = now + Self.around(period, using: &random)
    }

    /// Gives the present name its mark.
    mutating func mark(_ mark: (String) -> String) { current = mark(String(current.prefix(LinkTokens.nonceLength))) }

    mutating func change(now: Duration, using random: inout some RandomNumberGenerator) {
        if isTaken {
            conflicts += 1
            lastConflict = now
            isTaken = false
        }
        current = Self.draw(using: &random)
        lastChange = now
        nextChange = now + Self.around(period, using: &random)
    }

    /// Another responder claims the name: at once the first time, later and later when it goes on.
    /// - Returns: false when that is known already.
    mutating func taken(now: Duration) -> Bool {
        guard !isTaken else { return false }
        isTaken = true
        if now - lastConflict > Self.longestConflictPause * 2 { conflicts = 0 }
        let doublings = min(conflicts, 10)
        let pause = doublings == 0 ? .zero : Self.conflictPause * (1 << (doublings - 1))
        nextChange = min(nextChange, max(now, lastConflict + min(pause, Self.longestConflictPause)))
        return true
    }

    /// On another network there is to be another name; but not a new one for each of many changes in a row.
    mutating func networkChanged(now: Duration, using random: inout some RandomNumberGenerator) {
        let earliest = max(now, lastChange + .seconds(60))
        nextChange = min(nextChange, earliest + .seconds(Double.random(in: 0...2, using: &random)))
    }

    /// 80 random bits: 16 characters.
    private static func draw(using random: inout some RandomNumberGenerator) -> String {
        Base32.encode((0..<10).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    private static func around(_ period: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        period * Double.random(in: 0.8...1.2, using: &random)
    }
}
