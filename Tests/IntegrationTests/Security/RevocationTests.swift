import BatonCore
import BatonTestSupport
import BatonWire
import SwiftProtobuf
import Testing

extension Integration.SecurityTests {
    @Suite("A revoked device")
    struct RevocationTests {
        private static let claims = AppByHand.Claims(
            bundleID: "org.example.notes", types: ["org.example.notes.editing"])

        @Test("It is cut off within a second and knows why, and restarts of all do not bring it back (H-2, H-11)")
        func atOnce() async throws {
            try await TestHousehold.with(3) { household in
                let (first, second, lost) = (household[0], household[1], household[2])
                let app = try await AppByHand.attach(to: first, Self.claims)
                let receiver = try await AppByHand.attach(to: lost, Self.claims)
                try await app.makeCurrent(type: Self.claims.types[0], title: "Before")
                _ = try await lost.offer(ofType: Self.claims.types[0], title: "Before")

                let answer = try await first.baton("device", "revoke", lost.name, "--yes")
                let other = try #require(
                    try await first.call(ControlMethods.listDevices).devices.first { $0.name == second.name })
                #expect(answer.lines.joined().contains(#""told":["\#(other.deviceID)"]"#))
                for device in [first, second] { try await Self.isCutOff(lost, from: device) }
                try await lost.offers("no offers") { $0.isEmpty }
                try await lost.until("\(lost.name) to know that it was revoked", limit: .seconds(5)) {
                    try await lost.call(ControlMethods.getStatus).revoked
                }
                try await app.makeCurrent(type: Self.claims.types[0], title: "After")
                try await second.until("the activity to be offered to the others") {
                    try await first.call(ControlMethods.listActivities).activities.contains {
                        $0.activity.title == "After" && $0.sentTo == [second.name]
                    }
                }
                await app.detach()
                await receiver.detach()

                for device in household.devices { try await device.restart() }
                try await first.isConnected(to: second)
                try await Self.staysOut(lost, of: [first, second])
                #expect(try await lost.call(ControlMethods.getStatus).revoked)
                let status = try await lost.baton("status")
                #expect(status.lines.joined().contains("revoked"))
                // Nor does it get anything by asking to be let in again.
                let failure = try await lost.baton("device", "revoke", first.name, "--yes", expecting: nil).failure()
                #expect(failure.reason == "revoked")
            }
        }

        @Test("Another device that heard of it keeps it out while the revoker is off (H-2, H-11)")
        func revokerIsOff() async throws {
            try await TestHousehold.with(4) { household in
                let (first, second, lost) = (household[0], household[1], household[2])
                // A member that is away may have the old discovery key only, so that the others still look out for it:
                // the lost one is found by it, too.
                try await household[3].stop()
                try await lost.stop()
                try await first.baton("device", "revoke", lost.name, "--yes")
                try await Self.isCutOff(lost, from: second)
                try await first.stop()
                try await lost.start()
                // They meet: one of them dials, and is refused.
                try await second.record("dial_failed") { $0.fields["reason"] == "device_revoked" }
                try await Self.staysOut(lost, of: [second])
                try await first.start()
                try await first.isConnected(to: second)
                try await Self.staysOut(lost, of: [first, second])
                #expect(try await lost.offersNow().isEmpty)
            }
        }

        private static func isCutOff(_ lost: TestDevice, from device: TestDevice) async throws {
            try await device.until("\(device.name) to know that \(lost.name) is out", limit: .seconds(10)) {
                try await device.call(ControlMethods.listDevices).devices.contains {
                    $0.name == lost.name && $0.revoked && !$0.connected
                }
            }
        }

        private static func staysOut(_ lost: TestDevice, of devices: [TestDevice]) async throws {
            for device in devices {
                let known = try await device.call(ControlMethods.listDevices).devices.first { $0.name == lost.name }
                #expect(known?.revoked == true)
                #expect(known?.connected == false)
            }
            #expect(try await lost.call(ControlMethods.getStatus).devicesConnected == 0)
        }
    }
}
