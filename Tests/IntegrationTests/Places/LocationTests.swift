import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Where the device is, with a real daemon and an installed app; a service stands for GeoClue.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct LocationTests {
        private static let (probe, type) = ("com.example.location", "com.example.location.any")

        private struct Questions: Decodable {
            struct Item: Decodable { var title: String }
            var questions: [Item]
        }

        private static func tell(_ app: TestApp, _ mode: String) throws {
            try app.tell(["do": "location", "mode": mode])
        }

        // Issue 28, part 6: CLLocationManager, GeoClue, asked once per app as a question.
        @Test("An app hears where the device is once the person has allowed it, follows it, and no more when that ends")
        func following() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let system = try await SessionBus()
                let geoClue = try await GeoClueService(on: system)
                device.use(["DBUS_SYSTEM_BUS_ADDRESS": system.address])
                try await device.restart()
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let app = try TestApp(Self.probe, on: device)
                try await app.launch()
                try Self.tell(app, "once")
                #expect(try await app.events.first("locationFailed")["code"] == "1")
                // A manager says once how it stands, before or after that.
                #expect(try await app.events.first("locationAuthorization")["result"] == "0")
                try Self.tell(app, "ask")
                try await device.until("the question") {
                    try await device.baton("questions").decode(Questions.self).questions
                        .contains { $0.title.contains("where this device is") }
                }
                #expect(app.events.all.count { $0["event"] == "locationAuthorization" } == 1, "nothing has changed")
                var start = app.events.count
                try await device.baton("location", Self.probe, "on")
                #expect(try await app.events.first("locationAuthorization", from: start)["result"] == "3")
                start = app.events.count
                try Self.tell(app, "once")
                let first = try await app.events.first("location", from: start)
                #expect(first["result"] == "41.0082, 28.9784" && first["more"] == "25.0")
                start = app.events.count
                try Self.tell(app, "follow")
                _ = try await app.events.first("location", from: start)
                start = app.events.count
                // No place on the earth, a text for a number, an object that is not there, what another program says.
                geoClue.say("lie")
                geoClue.say("move 52.5 13.4")
                // The position before may be reported once more.
                try await app.events.first("location", from: start, ["result": "52.5, 13.4"])
                #expect(
                    app.events.all.allSatisfy {
                        $0["event"] != "location" || ["41.0082, 28.9784", "52.5, 13.4"].contains($0["result"] ?? "")
                    })
                start = app.events.count
                try await device.baton("location", Self.probe, "off")
                #expect(try await app.events.first("locationFailed", from: start)["code"] == "1")
                await geoClue.end()
                await system.end()
            }
        }

        private struct Context: Decodable {
            struct Input: Decodable {
                var name: String
                var state: String
            }
            var inputs: [Input]
        }

        private static func until(_ input: String, is state: String, on device: TestDevice) async throws {
            try await device.until("\(input) to be \(state)") {
                let inputs = try await device.baton("context").decode(Context.self).inputs
                return inputs.first { $0.name == input }?.state == state
            }
        }

        @Test(
            "positions of GeoClue are context where the person allows it; one that hangs costs nothing but itself (P-61)"
        )
        func context() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let system = try await SessionBus()
                let geoClue = try await GeoClueService(on: system)
                device.use(["DBUS_SYSTEM_BUS_ADDRESS": system.address])
                try await device.restart()
                try await Self.until("location", is: "off", on: device)
                try await device.baton("settings", "set", "places.location", "on")
                try await device.until("a position to be told") {
                    try await device.baton("context").lines.joined().contains("Reports positions.")
                }
                geoClue.say("hang")
                try await device.baton("settings", "set", "places.location", "off")
                try await device.baton("settings", "set", "places.location", "on")
                try await Self.until("location", is: "failed", on: device)
                // The others are asked as before.
                let services = try await SystemServices(on: system)
                services.say("battery yes")
                try await Self.until("power", is: "followed", on: device)
                geoClue.say("answer")
                try await device.baton("settings", "set", "places.location", "off")
                try await Self.until("location", is: "off", on: device)
                try await device.baton("settings", "set", "places.location", "on")
                try await Self.until("location", is: "followed", on: device)
                await services.end()
                await geoClue.end()
                await system.end()
            }
        }
    }
}
