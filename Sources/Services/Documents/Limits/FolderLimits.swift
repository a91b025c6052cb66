package import BatonCore
import Synchronization

/// How much the person's folders may use of the network and the disk. Transfers between nearby devices are not limited.
package struct FolderLimits: Hashable, Sendable {
    /// Bytes a second from the cloud and to it; nil for as fast as it goes.
    package var down: Int?
    package var up: Int?
    /// Whether contents wait while the network is metered, or the device on battery.
    package var waitsOnMetered = true
    package var waitsOnBattery = false
    /// Bytes that are to stay free on a folder's disk. Below that contents leave directories that are on demand.
    package var room: UInt64 = 1 << 30
    /// Whether what is on demand under `Documents` comes ahead.
    package var prefetches = false

    package init() {}

    /// - Parameters: nil where it is not known, which counts as no.
    /// - Returns: why contents wait; nil where they do not.
    package func refusal(isMetered: Bool?, isOnBattery: Bool?) -> BatonError? {
        if waitsOnMetered, isMetered == true {
            return BatonError(
                .unavailable, reason: "metered_network",
                "The network is metered, so contents that only the cloud has wait for another network. “baton settings "
                    + "set folders.metered sync” brings them now.")
        }
        if waitsOnBattery, isOnBattery == true {
            return BatonError(
                .unavailable, reason: "on_battery",
                "The device runs on its battery, so contents that only the cloud has wait for mains power. “baton settings set "
                    + "folders.battery sync” brings them now.")
        }
        return nil
    }
}

/// Lets contents of folders go to the cloud and from it. Safe to use from any task.
package final class FolderPacer: Sendable {
    package enum Direction: Sendable { case down, up }

    private struct State {
        var limits = FolderLimits()
        var refusal: BatonError?
        var down = SendingPace()
        var up = SendingPace()
        /// Changes with the limits: waiting transfers ask again.
        var generation = 0
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now
    private let changed: @Sendable () -> Void

    /// - Parameter changed: is called after each change of the limits, and of whether contents wait.
    package init(changed: @escaping @Sendable () -> Void = {}) { self.changed = changed }

    package var limits: FolderLimits { state.withLock { $0.limits } }

    /// Whether contents may come now that were not asked for.
    var mayPrefetch: Bool { state.withLock { $0.limits.prefetches && $0.refusal == nil } }

    package func set(_ limits: FolderLimits, isMetered: Bool?, isOnBattery: Bool?) {
        let isChange = state.withLock { state in
            let refusal = limits.refusal(isMetered: isMetered, isOnBattery: isOnBattery)
            guard limits != state.limits || refusal?.reason != state.refusal?.reason else { return false }
            (state.limits, state.refusal) = (limits, refusal)
            state.down.set(rate: limits.down.map(Double.init))
            state.up.set(rate: limits.up.map(Double.init))
            state.generation += 1
            return true
        }
        if isChange { changed() }
    }

    /// - Throws: `unavailable` (`metered_network`, `on_battery`) while nothing is to go.
    package func wait(for bytes: Int, _ direction: Direction) async throws {
        let now = start.duration(to: .now)
        let (refusal, wait, generation) = state.withLock { state in
            if let refusal = state.refusal { return (refusal as BatonError?, Duration.zero, 0) }
            let wait =
                switch direction {
                case .down: state.down.take(bytes, now: now)
                case .up: state.up.take(bytes, now: now)
                }
            return (nil, wait, state.generation)
        }
        if let refusal { throw refusal }
        let end = now + wait
        // In short pieces, since the limits may change meanwhile.
        while true {
            let left = end - start.duration(to: .now)
            guard left > .zero, state.withLock({ $0.generation }) == generation else { return }
            try await Task.sleep(for: min(left, .seconds(1)))
        }
    }
}

/// How fast a container's contents come and go. Safe to use from any task.
final class TransferMeters: Sendable {
    private let meters = Mutex((down: RateMeter(), up: RateMeter()))
    private let start = ContinuousClock.now

    func add(_ bytes: Int, _ direction: FolderPacer.Direction) {
        let now = start.duration(to: .now)
        meters.withLock { meters in
            switch direction {
            case .down: meters.down.add(bytes, now: now)
            case .up: meters.up.add(bytes, now: now)
            }
        }
    }

    /// Bytes a second.
    var rates: (down: UInt64, up: UInt64) {
        let now = start.duration(to: .now)
        return meters.withLock { ($0.down.rate(now: now), $0.up.rate(now: now)) }
    }
}

/// The bytes left to receive and to send, and how long they take. A value.
struct TransferEstimate: Hashable, Sendable {
    var down: UInt64 = 0
    var up: UInt64 = 0
    var downLeft: UInt64 = 0
    var upLeft: UInt64 = 0

    /// Nil where nothing is left, or nothing goes on.
    var seconds: UInt64? {
        var longest: UInt64?
        for (left, rate) in [(downLeft, down), (upLeft, up)] where left > 0 {
            guard rate > 0 else { return nil }
            longest = max(longest ?? 0, (left - 1) / rate + 1)
        }
        return longest
    }
}
