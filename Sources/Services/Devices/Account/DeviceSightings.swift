package import BatonCore
package import BatonStore
import BatonTrust
import Foundation
import GRDB
package import Peers
import ServiceLifecycle
import Synchronization

/// Remembers when each other device of the account was last connected, also after a restart of this device's daemon.
///
/// One row per device in the daemon's database, written when a device connects and when it is gone; so after a crash of
/// the daemon the beginning of the last connection is known at least. Rows of devices that are not, or no longer, of the
/// account are removed.
package final class DeviceSightings: Service {
    private let database: DaemonDatabase
    private let account: AccountService
    private let presence: any PresenceSource
    private let clock: WallClock
    private let recorder: any EventRecorder
    /// Milliseconds since 1970. Bound: the devices of the account.
    private let times: Mutex<[DeviceID: UInt64]>

    package static let migrations = [
        DaemonDatabase.Migration("devices-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE device_sighting (
                        device_id TEXT NOT NULL PRIMARY KEY,
                        -- Milliseconds since 1970.
                        time INTEGER NOT NULL
                    ) STRICT;
                    """)
        }
    ]

    /// Reads what is stored.
    /// - Parameter database: opened with ``migrations``.
    package init(
        database: DaemonDatabase, account: AccountService, presence: any PresenceSource, clock: WallClock = .system,
        recorder: any EventRecorder = NullEventRecorder()
    ) async throws {
        self.database = database
        self.account = account
        self.presence = presence
        self.clock = clock
        self.recorder = recorder
        let rows = try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT device_id, time FROM device_sighting").map { row in
                (row["device_id"] as String, row["time"] as Int64)
            }
        }
        times = Mutex(
            rows.reduce(into: [:]) { times, row in
                if let device = DeviceID(rawValue: row.0) { times[device] = UInt64(clamping: row.1) }
            })
    }

    /// When a device was last connected, for one that is not; nil if it never was.
    package var lastSeen: @Sendable (DeviceID) -> UInt64? {
        { [self] device in times.withLock { $0[device] } }
    }

    /// Until cancelled or asked to shut down; devices that are connected then have been seen until then.
    package func run() async throws {
        let events = presence.events()
        let connected = await cancelWhenGracefulShutdown { [self] in
            var connected = Set(presence.connections().keys)
            for device in connected { await saw(device) }
            for await event in events {
                switch event {
                case .connected(let device):
                    connected.insert(device)
                    await saw(device)
                case .disconnected(let device, _):
                    connected.remove(device)
                    await saw(device)
                }
            }
            return connected
        }
        for device in connected { await saw(device) }
    }

    private func saw(_ device: DeviceID) async {
        guard let membership = account.membership() else { return }
        let time = clock.milliseconds
        let gone = times.withLock { times in
            if membership.isMember(device) { times[device] = time }
            let gone = times.keys.filter { !membership.isMember($0) }
            for device in gone { times[device] = nil }
            return gone
        }
        let isMember = membership.isMember(device)
        do {
            // Awaited at once, never cancelled: the database takes nothing from a task that was cancelled, as this one
            // may be at shutdown.
            try await Task { [database] in
                try await database.write { db in
                    if isMember {
                        try db.execute(
                            sql: "INSERT OR REPLACE INTO device_sighting VALUES (?, ?)",
                            arguments: [device.rawValue, Int64(clamping: time)])
                    }
                    for device in gone {
                        try db.execute(
                            sql: "DELETE FROM device_sighting WHERE device_id = ?", arguments: [device.rawValue])
                    }
                }
            }.value
        } catch {
            recorder.record(
                "devices", "sighting_not_kept", "When a device was seen could not be written down.",
                ["device_id": device.rawValue, "error": "\(error)"])
        }
    }
}
