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
                try Self.tell(app, "ask")
                try await device.until("the question") {
                    try await device.baton("questions").decode(Questions.self).questions
                        .contains { $0.title.contains("where this device is") }
                }
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
                geoClue.say("move 52.5 13.4")
                // The position before may be told once more.
                try await app.events.first("location", from: start, ["result": "52.5, 13.4"])
                start = app.events.count
                try await device.baton("location", Self.probe, "off")
                #expect(try await app.events.first("locationFailed", from: start)["code"] == "1")
                await geoClue.end()
                await system.end()
            }
        }
    }
}
