import BatonConcurrency
import BatonCore
import Synchronization

/// Where the device is, for apps.
extension ContextService {
    /// GeoClue is asked while the person's own setting allows it, or while an app that may know follows. Bound: streams of
    /// apps.
    struct Positioning {
        var isSettingOn = false
        var followers = 0
        /// The newest since GeoClue is asked, and for ``memory`` after that: who asks again at once gets it, since GeoClue may
        /// have nothing new to say.
        var last: (position: DevicePosition, time: UInt64)?
        /// When GeoClue was asked no more.
        var stopped: UInt64?

        /// Milliseconds. A minute.
        private static let memory: UInt64 = 60_000

        mutating func update(now: UInt64) {
            if let time = stopped, now > time &+ Self.memory { last = nil }
            stopped = isAsked ? nil : stopped ?? now
        }

        var isAsked: Bool { isSettingOn || followers > 0 }
    }

    /// Calls the body with positions, newest first known, for as long as it runs.
    package func followPositions(
        _ body: (_ last: (position: DevicePosition, time: UInt64)?, AsyncStream<DevicePosition>) async throws -> Void
    ) async rethrows {
        let positions = newPositions.subscribe()
        let now = clock.milliseconds
        let last = change { positioning in
            positioning.update(now: now)
            positioning.followers += 1
            return positioning.last
        }
        defer { change { $0.followers -= 1 } }
        try await body(last, positions)
    }

    /// The value of the person's setting.
    func setLocating(_ isOn: Bool) { change { $0.isSettingOn = isOn } }

    private func change<Value>(_ body: (inout Positioning) -> Value) -> Value {
        let now = clock.milliseconds
        // Within the lock, so that the bus hears of changes in their order.
        return positioning.withLock { positioning in
            let value = body(&positioning)
            positioning.update(now: now)
            bus.allowLocation(positioning.isAsked)
            return value
        }
    }

    /// - Returns: whether places may be learned of it.
    func located(_ position: DevicePosition, at time: UInt64) -> Bool {
        let isSettingOn = positioning.withLock { positioning in
            if positioning.isAsked { positioning.last = (position, time) }
            return positioning.isSettingOn
        }
        newPositions.send(position)
        return isSettingOn
    }
}
