import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Power and networks, with a real daemon and a UPower and NetworkManager of python-dbusmock (P-61).
    @Suite(.serialized, .timeLimit(.minutes(2))) struct SystemServicesTests {
        private struct Context: Decodable {
            struct Input: Decodable {
                var name: String
                var state: String
                var detail: String
            }
            var inputs: [Input]
        }

        private static func until(_ input: String, _ detail: String, on device: TestDevice) async throws {
            try await device.until("\(input) to say “\(detail)”") {
                let context = try await device.baton("context").decode(Context.self)
                return context.inputs.first { $0.name == input }?.detail == detail
            }
        }

        @Test("battery, lid and the network are told, a network that moves is none, and lies do no harm (P-61)")
        func powerAndNetwork() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let bus = try await SessionBus()
                let system = try await SystemServices(on: bus)
                device.use(["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
                try await device.restart()
                try await Self.until("power", "On mains.", on: device)
                system.say("battery yes")
                try await Self.until("power", "On battery.", on: device)
                system.say("lid yes")
                try await Self.until("power", "On battery, the lid is closed.", on: device)
                let moving = "Not connected, or to a network that moves with you."
                try await Self.until("network", moving, on: device)
                system.say("network Home")
                try await Self.until("network", "Connected to “Home”.", on: device)
                // A telephone's.
                system.say("metered 1")
                try await Self.until("network", moving + " It is metered.", on: device)
                system.say("metered 4")
                try await Self.until("network", "Connected to “Home”.", on: device)
                system.say("network Tunnel vpn")
                try await Self.until("network", moving, on: device)
                system.say("lie")
                system.say("network Work 802-3-ethernet")
                system.say("battery no")
                try await Self.until("network", "Connected to “Work”.", on: device)
                try await Self.until("power", "On mains, the lid is closed.", on: device)
                await system.end()
                await bus.end()
            }
        }
    }
}
