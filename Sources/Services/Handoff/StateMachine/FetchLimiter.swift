import BatonCore

/// How often a device may ask for payloads: each makes an app save. A person accepts one now and then, and a continuation
/// that comes to its end does not count.
struct FetchLimiter: Sendable {
    static let burst = 32.0
    static let perSecond = 4.0

    /// The allowance that a device has used and not regained. Bound: devices that asked within the last seconds.
    private var used: [DeviceID: (amount: Double, at: Duration)] = [:]

    /// - Returns: false for a device that has asked too often.
    mutating func take(_ device: DeviceID, now: Duration) -> Bool {
        used = used.filter { Self.left($0.value, now) > 0 }
        let amount = used[device].map { Self.left($0, now) } ?? 0
        guard amount + 1 <= Self.burst else { return false }
        used[device] = (amount + 1, now)
        return true
    }

    /// The device has continued what it asked for.
    mutating func giveBack(_ device: DeviceID) {
        if let known = used[device] { used[device] = (max(0, known.amount - 1), known.at) }
    }

    private static func left(_ used: (amount: Double, at: Duration), _ now: Duration) -> Double {
        max(0, used.amount - (now - used.at) / .seconds(1) * perSecond)
    }
}
