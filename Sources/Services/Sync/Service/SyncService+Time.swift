import BatonCore
import Synchronization

/// The time by which an account counts what is to last for weeks.
extension SyncService {
    /// The cloud's time, as it was at the connection.
    struct CloudTime: Sendable {
        var told: UInt64
        /// By ``AccountClock``; nil where that could not be written down.
        var believed: UInt64?
        /// This device's monotonic time at that moment: a clock that is set meanwhile changes nothing.
        var at: UInt64
    }

    /// The cloud's, while this device is connected to it. An account that has no cloud goes by the least of the clocks of this device and
    /// of those that are near, while one is: so a clock that is ahead hurries nothing.
    package var accountTime: UInt64? {
        time { $0.told }
    }

    /// As ``accountTime``, but a cloud's goes on no faster than this device's clock (``AccountClock``).
    package var countedTime: UInt64? {
        time { $0.believed }
    }

    private func time(_ ofCloud: (CloudTime) -> UInt64?) -> UInt64? {
        let (own, passed) = (clock.milliseconds, now)
        let hasCloud = access.address() != nil
        return state.withLock { state in
            if hasCloud {
                guard state.connectedSince != nil, let known = state.cloudTime, let time = ofCloud(known) else {
                    return nil
                }
                return UInt64(clamping: Int64(clamping: time)) &+ (passed - min(known.at, passed))
            }
            guard let least = state.nearbyLeads.values.min() else { return nil }
            let lead = min(0, least)
            return UInt64(clamping: Int64(clamping: own).addingReportingOverflow(lead).partialValue)
        }
    }

    /// - Parameter time: its clock's; 0 for one that does not say.
    func heard(_ time: UInt64, of device: DeviceID) {
        guard time > 0 else { return }
        let lead = Int64(clamping: time) - Int64(clamping: clock.milliseconds)
        state.withLock { $0.nearbyLeads[device] = lead }
    }

    func forgetClock(of device: DeviceID) { state.withLock { $0.nearbyLeads[device] = nil } }
}
