import BatonTestSupport
import BatonWire
import SwiftProtobuf
import Testing

extension Integration {
    /// H-2
    @Suite(.serialized, .timeLimit(.minutes(5))) struct AccountLeavingTests {
        private static let app = "development.iCloudKeyValue"

        private struct Left: Decodable { var told: [String] }

        // Its values are nowhere else: the other device has no app of that store.
        @Test("A device that leaves its account keeps what its apps store, over a restart, and brings it back")
        func leaves() async throws {
            try await TestHousehold.with(2) { household in
                let (first, second) = (household[0], household[1])
                let example = try KeyValueExample(second, name: "Second")
                try await example.event("ready")
                try await example.saved("shared for both")
                let held = try await KeyValueExample.items(of: second, app: Self.app)
                #expect(!held.isEmpty)
                let left = try await second.baton("account", "leave", "--yes").decode(Left.self)
                #expect(left.told == [first.name])
                try await first.until("the first to know") {
                    try await first.call(ControlMethods.listDevices, .init()).devices.contains(where: \.revoked)
                }
                #expect(try await second.call(ControlMethods.getStatus, .init()).accountID.isEmpty)
                #expect(try await KeyValueExample.items(of: second, app: Self.app) == held)
                await example.process.kill()
                try await second.restart()
                #expect(try await second.call(ControlMethods.getStatus, .init()).accountID.isEmpty)
                #expect(try await KeyValueExample.items(of: second, app: Self.app) == held)

                try await household.pair(first, with: second)
                try await first.until("the first to have what the second kept") {
                    try await KeyValueExample.items(of: first, app: Self.app) == held
                }
            }
        }

        @Test("Two devices that both made an account say so when they pair, one leaves, and then they are paired")
        func bothCreated() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let (first, second) = (household[0], household[1])
                for device in household.devices {
                    _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = device.name })
                }
                try await Self.pair(household, tells: #""same_account":false"#)
                #expect(try await second.baton("account", "leave", "--yes").decode(Left.self).told.isEmpty)
                try await household.pair(first, with: second)
                try await Self.pair(household, tells: #""same_account":true"#)
            }
        }

        /// Runs `baton pair` on both until each has printed something about the other.
        private static func pair(_ household: TestHousehold, tells text: String) async throws {
            let commands = try household.devices.map { try $0.startBaton(["pair"]) }
            for command in commands {
                _ = try await within(.seconds(30), "what pairing tells") {
                    try await command.output.expect { $0.contains(text) ? $0 : nil }
                }
            }
            for command in commands { await command.kill() }
            for device in household.devices {
                // The daemon hears a moment later that no device pairs any more.
                try await device.until("pairing to end") {
                    try await device.records().last { $0.category == "pairing" }?.event == "ended"
                }
            }
        }
    }
}
