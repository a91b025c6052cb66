import BatonCore

/// The instance names of this device, which mean nothing, and when the next one is due.
struct InstanceNames: Sendable {
    private(set) var current: String
    /// The next change; at a random time, so that a change cannot be told by the clock.
    private(set) var nextChange: Duration
    private let period: Duration
    private var lastChange: Duration

    init(period: Duration, now: Duration, using random: inout some RandomNumberGenerator) {
        self.period = period
        current = Self.draw(using: &random)
        lastChange = now
        nextChange = now + Self.around(period, using: &random)
    }

    mutating func change(now: Duration, using random: inout some RandomNumberGenerator) {
        current = Self.draw(using: &random)
        lastChange = now
        nextChange = now + Self.around(period, using: &random)
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
