package import BatonCore

/// That an app may have continuation streams: a continuation has brought an activity from one app to another.
package struct StreamGrant: Hashable, Sendable {
    /// Which end of the continuation this device is.
    package enum Role: Hashable, Sendable {
        /// The app was given the activity, and asks for streams.
        case receiver
        /// The app gave the activity, and is asked.
        case origin
    }

    package var acceptance: AcceptanceID
    package var role: Role
    package var session: SessionID
    package var activity: ActivityID
    /// The device at the other end.
    package var device: DeviceID
    /// As the origin's app said with the payload (H-34, H-77).
    package var supportsStreams: Bool

    package init(
        acceptance: AcceptanceID, role: Role, session: SessionID, activity: ActivityID, device: DeviceID,
        supportsStreams: Bool
    ) {
        self.acceptance = acceptance
        self.role = role
        self.session = session
        self.activity = activity
        self.device = device
        self.supportsStreams = supportsStreams
    }
}
