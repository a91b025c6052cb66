import BatonCore
import Synchronization

/// Exchanges of many items with devices that are near, for as long as more of them is likely to come.
///
/// A device that is given much does not ask the giver for the same meanwhile. And what is near comes first: the cloud gets it after
/// that. Bound: zones times devices.
final class LargeExchanges: Sendable {
    enum Side: Hashable, Sendable {
        /// This device has begun it.
        case own
        case other
    }

    private struct Key: Hashable {
        var zone: ZoneName
        var device: DeviceID
        var side: Side
    }

    private struct Exchange {
        var begin: Duration
        var last: Duration
        /// In all messages so far.
        var items = 0

        var isLarge: Bool { items >= LargeExchanges.items }
    }

    /// Fewer items in messages that follow each other are no large exchange.
    static let items = 200
    /// Messages with fewer count for none: a person does something now and then.
    static let least = 20
    /// After a message so long the next one is likely.
    static let rest = Duration.milliseconds(500)
    /// Nothing waits longer for a large exchange, however long that takes.
    static let longest = Duration.seconds(30)

    private let exchanges = Mutex<[Key: Exchange]>([:])
    private let start = ContinuousClock.now

    private var now: Duration { start.duration(to: .now) }

    /// The items of a message that was noted are taken in, or have gone, which may have taken long.
    func goOn(_ items: Int, of zone: ZoneName, with device: DeviceID, _ side: Side) {
        goOn(items, of: zone, with: device, side, at: now)
    }

    func goOn(_ items: Int, of zone: ZoneName, with device: DeviceID, _ side: Side, at now: Duration) {
        guard items >= Self.least else { return }
        let key = Key(zone: zone, device: device, side: side)
        exchanges.withLock { $0[key, default: Exchange(begin: now, last: now, items: items)].last = now }
    }

    /// A message came or goes.
    func note(_ items: Int, of zone: ZoneName, with device: DeviceID, _ side: Side) {
        note(items, of: zone, with: device, side, at: now)
    }

    func note(_ items: Int, of zone: ZoneName, with device: DeviceID, _ side: Side, at now: Duration) {
        guard items >= Self.least else { return }
        let key = Key(zone: zone, device: device, side: side)
        exchanges.withLock { exchanges in
            exchanges = exchanges.filter { now < $0.value.last + Self.rest }
            var exchange = exchanges[key] ?? Exchange(begin: now, last: now)
            (exchange.last, exchange.items) = (now, exchange.items + items)
            exchanges[key] = exchange
        }
    }

    /// How long an exchange that this device wants is to wait for the one that the other device has begun; nil: not at all.
    func wait(for zone: ZoneName, with device: DeviceID) -> Duration? { wait(for: zone, with: device, at: now) }

    func wait(for zone: ZoneName, with device: DeviceID, at now: Duration) -> Duration? {
        wait(at: now) { $0 == Key(zone: zone, device: device, side: .other) }
    }

    /// How long writing to the cloud is to wait.
    func wait(for zone: ZoneName) -> Duration? { wait(for: zone, at: now) }

    func wait(for zone: ZoneName, at now: Duration) -> Duration? { wait(at: now) { $0.zone == zone } }

    private func wait(at now: Duration, _ isMeant: (Key) -> Bool) -> Duration? {
        let end = exchanges.withLock { exchanges in
            exchanges.filter { isMeant($0.key) && $0.value.isLarge }.values
                .map { min($0.last + Self.rest, $0.begin + Self.longest) }.max()
        }
        return end.flatMap { $0 > now ? $0 - now : nil }
    }
}
