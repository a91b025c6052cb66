package import CloudClient
import Foundation

/// How synchronisation stands, for a person who asks why something is not there. Times are milliseconds since 1970.
package struct SyncReport: Sendable {
    package enum CloudState: Hashable, Sendable {
        case off, connecting, connected
        case waiting(until: UInt64)
    }

    package enum ZoneState: Hashable, Sendable { case current, reading, sending, waiting }

    package struct Zone: Sendable {
        package var name: ZoneName
        package var state: ZoneState
        package var parked: Int
        /// Nil: not since the daemon started.
        package var succeeded: UInt64?
        package var retryAt: UInt64?
        /// Since when something waits that was not sent.
        package var waitingSince: UInt64?
        package var failure: SyncFailure?
    }

    package var cloud: CloudState
    package var failure: SyncFailure?
    package var connectedSince: UInt64?
    package var lastConnected: UInt64?
    package var welcome: CloudSession.Welcome?
    /// By how many milliseconds this device's clock was ahead of the cloud's when it connected last; 0 when it never was.
    package var clockLead: Int64
    /// That was just now.
    package var isClockMeasured = false
    package var zones: [Zone]

    init(
        machine: SyncStateMachine, now: UInt64, wall: UInt64, connectedSince: UInt64?, lastConnected: UInt64?,
        welcome: CloudSession.Welcome?, clockLead: Int64 = 0, parked: [String: Int]
    ) {
        /// From the engine's clock to the wall's.
        func time(_ moment: UInt64) -> UInt64 { moment >= now ? wall + (moment - now) : wall - min(wall, now - moment) }
        cloud =
            switch machine.cloud {
            case .off: .off
            case .waiting(let until): .waiting(until: time(until))
            case .connecting, .closing: .connecting
            case .up: .connected
            }
        failure = machine.failure
        self.connectedSince = connectedSince
        self.lastConnected = lastConnected
        self.welcome = welcome
        self.clockLead = clockLead
        zones = machine.zones.sorted { $0.key < $1.key }.map { name, zone in
            let state: ZoneState =
                switch zone.operation {
                case .pull: .reading
                case .push: .sending
                case nil: zone.isWaiting ? .waiting : .current
                }
            return Zone(
                name: name, state: state, parked: parked[name.description] ?? 0, succeeded: zone.succeeded.map(time),
                retryAt: zone.failing.retryAt > now ? time(zone.failing.retryAt) : nil,
                waitingSince: zone.waitingSince.map(time),
                failure: zone.failure)
        }
    }
}
