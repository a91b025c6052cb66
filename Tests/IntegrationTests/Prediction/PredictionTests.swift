import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// The learning from apps and events, with a real daemon, real apps and a BlueZ of python-dbusmock.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct PredictionTests {
        private struct Context: Decodable {
            struct Input: Decodable {
                var name: String
                var state: String
                var detail: String
            }
            struct Event: Decodable { var text: String }
            var inputs: [Input]
            var events: [Event]
        }

        private struct Today: Decodable {
            struct Item: Decodable {
                var name: String
                var probability: Double
                var reasons: [String]
            }
            var apps: [Item]
            var media: [Item]
        }

        private struct Told: Decodable {
            var kind: String
            var title: String?
            var prediction_id: String?
            var plays: Bool?
        }

        private static let (mail, notes, player) = ("com.example.mail", "com.example.notes", "com.example.player")

        private func context(_ device: TestDevice) async throws -> Context {
            try await device.baton("context").decode(Context.self)
        }

        private func today(_ device: TestDevice) async throws -> [Today.Item] {
            try await device.baton("today").decode(Today.self).apps
        }

        private func media(_ device: TestDevice) async throws -> [String] {
            try await device.baton("today").decode(Today.self).media.map(\.name)
        }

        private func use(_ app: String, on device: TestDevice) async throws {
            try await device.baton("launch", app)
            try await device.baton("quit", app)
        }

        @Test("headphones, a car and the lock are told, and a service that lies or floods does no harm (P-61)")
        func surroundings() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let system = try await SessionBus()
                let (bluetooth, login) = (try await BluetoothService(on: system), try await LoginService(on: system))
                device.use(["DBUS_SYSTEM_BUS_ADDRESS": system.address])
                try await device.restart()
                try await device.until("the services to be followed") {
                    let inputs = try await context(device).inputs
                    return inputs.filter { ["bluetooth", "session"].contains($0.name) }.allSatisfy {
                        $0.state == "followed"
                    }
                }
                let inputs = try await context(device).inputs
                #expect(inputs.first { $0.name == "power" }?.state == "absent")
                #expect(inputs.first { $0.name == "location" }?.state == "off")

                bluetooth.say("connect headphones")
                try await device.until("headphones") {
                    try await context(device).events.map(\.text) == ["Headphones “Test Buds” connected."]
                }
                bluetooth.say("connect car")
                login.say("lock")
                login.say("unlock")
                try await device.until("the car and the lock") {
                    Set(try await context(device).events.map(\.text)).isSuperset(of: [
                        "Car “Test Car” connected.", "Unlocked.",
                    ])
                }
                bluetooth.say("lie car")
                bluetooth.say("flood headphones")
                bluetooth.say("disconnect headphones")
                try await device.until("the state to be right after a flood") {
                    try await context(device).inputs.first { $0.name == "bluetooth" }?.detail.contains("Test Buds")
                        == false
                }
                await bluetooth.end()
                await login.end()
                await system.end()
                try await device.until("the lost bus to be told") {
                    try await context(device).inputs.first { $0.name == "bluetooth" }?.state == "absent"
                }
            }
        }

        @Test(
            "headphones offer the song that an app suggests for them; Play starts the app and plays it; new media are in today (P-59, P-60, P-61, S-24)"
        )
        func play() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let system = try await SessionBus()
                let bluetooth = try await BluetoothService(on: system)
                device.use(["DBUS_SYSTEM_BUS_ADDRESS": system.address])
                try await device.restart()
                try await household.install(.monkeyPlayer)
                try await device.baton("launch", TestBundle.monkeyPlayer.identifier)
                let log = try ExampleLog(.monkeyPlayer, on: device)
                try await log.line("suggested")
                try await device.until("BlueZ to be followed, and the new song to be listed") {
                    let media = try await media(device)
                    return try await context(device).inputs.first { $0.name == "bluetooth" }?.state == "followed"
                        && media == ["Undertone, in MonkeyPlayer"]
                }
                try await device.baton("quit", TestBundle.monkeyPlayer.identifier)
                let notices = try device.startBaton(["notices"])
                bluetooth.say("connect headphones")
                let line = try await within(.seconds(20), "a notice of the song") {
                    try await notices.output.first { $0.contains("\"prediction\"") ? $0 : nil }
                }
                let told = try JSONDecoder().decode(Told.self, from: Data(try #require(line).found.utf8))
                #expect(told.title == "Headphones connected: Tone, in MonkeyPlayer" && told.plays == true)
                #expect(try await media(device).first == "Tone, in MonkeyPlayer")
                let start = log.count
                try await device.baton("today", "--play", try #require(told.prediction_id))
                try await log.line("plays Tone from 0", from: start)
                await bluetooth.end()
                await system.end()
            }
        }

        @Test(
            "apps used in a pattern are ranked and explained; headphones offer what came after them; it is forgotten (P-59, P-60, P-61)"
        )
        func pattern() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let system = try await SessionBus()
                let bluetooth = try await BluetoothService(on: system)
                device.use(["DBUS_SYSTEM_BUS_ADDRESS": system.address])
                try await device.restart()
                for app in [Self.mail, Self.notes, Self.player] {
                    try await household.install(.probe(app, types: ["\(app).item"]))
                }
                #expect(try await today(device).isEmpty)
                try await device.until("BlueZ to be followed") {
                    try await context(device).inputs.first { $0.name == "bluetooth" }?.state == "followed"
                }
                let notices = try device.startBaton(["notices"])

                for round in 1...3 {
                    try await use(Self.mail, on: device)
                    try await use(Self.notes, on: device)
                    bluetooth.say("connect headphones")
                    try await device.until("headphones, round \(round)") {
                        try await context(device).events.count { $0.text.contains("connected") } == round
                    }
                    // From the third time on it is known what they lead to, and offered once.
                    if round < 3 { try await use(Self.player, on: device) }
                    bluetooth.say("disconnect headphones")
                    try await device.until("no headphones, round \(round)") {
                        try await context(device).events.count { $0.text.contains("gone") } == round
                    }
                }
                let line = try await within(.seconds(20), "a notice of the prediction") {
                    try await notices.output.first { $0.contains("\"prediction\"") ? $0 : nil }
                }
                let told = try JSONDecoder().decode(Told.self, from: Data(try #require(line).found.utf8))
                #expect(told.title == "Headphones connected: player")
                let key = try #require(told.prediction_id)
                try await device.baton("today", "--open", key)
                try await device.until("the player to run") {
                    try await device.call(ControlMethods.listApps).apps.contains {
                        $0.identity.bundleID == Self.player && $0.processID != 0
                    }
                }
                try await device.baton("quit", Self.player)

                // After mail come the notes.
                try await use(Self.mail, on: device)
                let apps = try await today(device)
                #expect(apps.first?.name == "notes" && apps.count == 2)
                let why = try await device.baton("explain", "suggestion", "notes").lines.joined()
                #expect(why.contains("It is number 1 of 2 now") && why.contains("used 3 times"))

                // It survives the daemon, and is forgotten of one app, and turned off.
                try await device.restart()
                #expect(try await today(device).first?.name == "notes")
                try await device.baton("forget", "--app", Self.notes)
                #expect(try await today(device).map(\.name) == ["player"])
                try await device.baton("settings", "set", "suggestions.predictions", "off")
                try await device.until("predictions to be off") { try await today(device).isEmpty }
                await bluetooth.end()
                await system.end()
            }
        }
    }
}
