import BatonCore
import BatonStore
import Devices
import Files
import Foundation
import Peers
import Synchronization
import Testing

@Suite("When devices were last seen", .timeLimit(.minutes(1)))
struct DeviceSightingsTests {
    /// Presence as a test defines it.
    private final class Presence: PresenceSource {
        private let stream: AsyncStream<PresenceEvent>
        private let continuation: AsyncStream<PresenceEvent>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream() }

        func connections() -> [DeviceID: PresenceConnection] { [:] }
        func events() -> AsyncStream<PresenceEvent> { stream }
        func tell(_ event: PresenceEvent) { continuation.yield(event) }
        func end() { continuation.finish() }
    }

    private func database(_ device: VirtualDevice) throws -> DaemonDatabase {
        try DaemonDatabase(path: device.home.locations.database, migrations: DeviceSightings.migrations)
    }

    @Test("A device's last time is known after a restart, of devices that are connected at the end too; not of others'")
    func survives() async throws {
        let (first, second, third, stranger) = (
            try await VirtualDevice(), try await VirtualDevice(), try await VirtualDevice(), try await VirtualDevice()
        )
        try await first.account.createAccount(deviceName: "First")
        try await first.admit(second)
        try await first.admit(third)
        try await stranger.account.createAccount(deviceName: "Stranger")
        try SecureDirectory.prepareAll(first.home.locations)
        let database = try database(first)
        let time = Mutex(0.0)
        let clock = WallClock {
            Date(
                timeIntervalSince1970: time.withLock {
                    $0 += 1
                    return $0
                })
        }
        let presence = Presence()
        let sightings = try await DeviceSightings(
            database: database, account: first.account, presence: presence, clock: clock)
        #expect(sightings.lastSeen(try second.id) == nil)
        presence.tell(.connected(try second.id))
        presence.tell(.disconnected(try second.id, reason: "timeout"))
        presence.tell(.connected(try third.id))
        presence.tell(.connected(try stranger.id))
        presence.end()
        try await sightings.run()
        #expect(sightings.lastSeen(try second.id) == 2000)
        // Connected at 3, still connected at the end.
        #expect(try #require(sightings.lastSeen(try third.id)) > 3000)
        #expect(sightings.lastSeen(try stranger.id) == nil)

        let next = Presence()
        let again = try await DeviceSightings(database: database, account: first.account, presence: next, clock: clock)
        #expect(again.lastSeen(try second.id) == 2000)
        // Nothing is kept of a device that was revoked.
        try await first.account.revoke(try second.id)
        next.tell(.connected(try third.id))
        next.end()
        try await again.run()
        #expect(again.lastSeen(try second.id) == nil)
        let last = try await DeviceSightings(database: database, account: first.account, presence: next, clock: clock)
        #expect(last.lastSeen(try second.id) == nil)
        #expect(last.lastSeen(try third.id) != nil)
    }
}
