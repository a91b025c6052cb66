import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import SwiftProtobuf
import Testing

extension Integration {
    /// Apps whose library is of another age than the daemon.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct VersionTests {
        private static func claims(_ version: UInt32) -> AppByHand.Claims {
            .init(bundleID: "org.example.notes", types: ["org.example.notes.editing"], version: version)
        }

        @Test(
            "the oldest library that is served continues with another device; an older and a newer one are told what to update, and disturb nobody (H-98)"
        )
        func libraries() async throws {
            try await TestHousehold.with(2) { household in
                let type = "org.example.notes.editing"
                let origin = try await AppByHand.attach(
                    to: household[0], Self.claims(ConnectProtocol.oldestVersion))
                let receiver = try await AppByHand.attach(to: household[1], Self.claims(ConnectProtocol.version))
                for version in [ConnectProtocol.oldestVersion - 1, ConnectProtocol.version + 1] {
                    let error = await #expect(throws: BatonError.self, "\(version)") {
                        _ = try await AppByHand.attach(to: household[0], Self.claims(version))
                    }
                    #expect(error?.code == .failedPrecondition && error?.reason == "protocol_version")
                    #expect(error?.message.contains("Update the older of the two") == true)
                    let store = await #expect(throws: BatonError.self, "\(version)") {
                        let news = try await household[0].app("org.example.notes", version: version).serverStream(
                            KeyValueMethods.openKeyValueStore, .init())
                        for try await _ in news {}
                    }
                    #expect(store?.reason == "protocol_version")
                }
                try await origin.makeCurrent(type: type, title: "Old")
                let offer = try await household[1].offer(ofType: type, title: "Old")
                async let saved = origin.serve(saving: "page") {
                    if case .wasContinued = $0.kind { true } else { false }
                }
                async let continued = receiver.serve { if case .continueActivity = $0.kind { true } else { false } }
                #expect(try await household[1].continue(offer.offerID).steps.last == .acknowledged)
                let payload = try await continued.continueActivity.payload
                #expect(payload.userInfo.dictionary.entries.first?.value.string == "page")
                _ = try await saved
                await origin.detach()
                await receiver.detach()
            }
        }

        @Test(
            "a device that speaks an older protocol than is served is told so, and the person at both is told what to update; with the protocol of today it is connected (H-98)"
        )
        func devices() async throws {
            try await TestHousehold.with(2) { household in
                let (device, old) = (household[0], household[1])
                try await old.stop()
                try await device.isDisconnected(from: old)
                let hand = try DeviceByHand(old, of: household)
                let connection = try await hand.greet(
                    device,
                    with: .with {
                        $0.protocolVersion = ConnectProtocol.oldestVersion - 1
                        $0.softwareVersion = "0.0.1"
                        $0.incarnation = 1
                    })
                let goodbye = try await within(.seconds(30), "the older device to be told") {
                    try await connection.output.first { $0.contains("protocol_too_old") }
                }
                #expect(goodbye != nil, "\(connection.output.all) \(connection.errors.all)")
                await connection.end()
                try await device.record("refused") { $0.message.contains("0.0.1") }
                let explained = try await device.baton("explain", "device", old.name, expecting: 1).lines.joined()
                #expect(explained.contains("Update Baton on that device."))
                // It was updated.
                try await old.start()
                try await device.isConnected(to: old)
                try await old.isConnected(to: device)
            }
        }
    }
}
