import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    @Suite(.serialized, .timeLimit(.minutes(5))) struct MainPathTests {
        private struct Launched: Decodable { var processId: Int32 }
        private static let page = "https://swift.org/documentation"

        @Test(
            "a page moves from MonkeyBrowser here to MonkeyBrowser there, which is launched for it (H-1, H-2, H-6, H-10, H-12, H-16, H-19, H-22, H-31, H-40, H-41, H-66, H-67, H-68, H-69, H-70, H-71, H-75, H-76, H-81, S-1 to S-8, S-3, S-10, S-11)"
        )
        func cold() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                let monkey = TestBundle.monkeyBrowser.identifier
                try await household.install(.monkeyBrowser)
                let fifo = a.container(of: monkey) + "/script"
                #expect(mkfifo(fifo, 0o600) == 0)
                try await a.baton("launch", monkey, "--env", "BATON_SCRIPT=\(fifo)")
                let (logA, logB) = (try a.events(of: monkey), try b.events(of: monkey))
                try await logA.first("ready")
                #expect(try await b.offersNow().isEmpty)
                let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                defer { try? script.close() }
                try script.write(contentsOf: Data("go \(Self.page)\n".utf8))

                let offer = try await b.offer(ofType: "com.xamarin.monkeybrowser.tab1", title: "Weather Tab")
                #expect(offer.deviceName == "Device A")
                #expect(offer.obstacle.isEmpty)
                #expect(offer.app.bundleID == monkey)
                // Announced, but only a person's decision launches anything (H-10).
                #expect(try await b.call(ControlMethods.getStatus).appsRunning == 0)
                #expect(try await b.baton("continue", offer.offerID).status == 0)

                try await logB.first("restored", ["url": Self.page, "title": "Weather Tab"])
                try await logA.first("log", ["message": "User Activity Was Continued: Weather Tab"])
                // The drawing that was too large for the activity came over its streams.
                // As the pictures of this page were when a program of another language painted them.
                let fingerprints = "4896b9aea4696a47 779d7aa6018896c7 b30e4a599a4cdc7"
                let images = try await logB.first(
                    "images", ["url": Self.page, "count": "3", "fingerprints": fingerprints])
                #expect(images["bytes"].flatMap { Int($0) } ?? 0 > 100_000)
                try await logA.first("log", ["message": "Sent 3 images of \(Self.page)"])
                try await logA.first("log", ["message": "User Activity Received Data: Weather Tab"])
                let names = logB.all.filter { $0["event"] != "images" }.map { $0["message"] ?? $0["event"] ?? "" }
                #expect(
                    names == [
                        "ready", "Will Continue Activity: com.xamarin.monkeybrowser.tab1",
                        "Continuing User Activity: com.xamarin.monkeybrowser.tab1", "current",
                        "Restoring Activity Weather Tab", "restored",
                    ])
                #expect(logB.all.first?["launchedFor"] == "com.xamarin.monkeybrowser.tab1")
                #expect(logA.all.contains { $0["message"] == "User Activity will be Saved: Weather Tab" })
                // The receiver keeps it and offers it back; the origin no longer offers it (H-75).
                let back = try await a.offer(ofType: "com.xamarin.monkeybrowser.tab1")
                #expect(back.deviceName == "Device B")
                try await b.offers("that nothing is offered any more") { $0.isEmpty }
            }
        }

        @Test(
            "an app that runs continues at once: told before the data, filled late at the origin, every type of value as it was sent (H-22, H-23, H-26, H-28, H-29, H-31, H-40, H-41, H-67, H-68, H-70, H-71)"
        )
        func warm() async throws {
            let (type, probe) = ("com.example.probe.note", "com.example.probe")
            try await TestHousehold.with(2) { household in
                try await household.install(.probe(probe, types: [type]))
                let origin = try TestApp(probe, on: household[0])
                let receiver = try TestApp(probe, on: household[1])
                try await origin.launch()
                try await receiver.launch()
                // It says that it is ready before the daemon knows of it.
                try await household[1].record("app_attached") { $0.fields["bundle_id"] == probe }
                let process = try await receiver.processID()
                try await origin.behave("fill")
                try origin.make("all", type: type, title: "All", ["values": true])
                let offer = try await household[1].offer(ofType: type)
                let events = try await household[1].continue(offer.offerID)
                #expect(events.steps == [.accepted, .willContinue, .payloadReceived, .continued, .acknowledged])
                #expect(events.map(\.elapsed) == events.map(\.elapsed).sorted())
                #expect(Set(events.map(\.acceptanceID)).count == 1)
                print("Continued after \(events[3].elapsed) µs, acknowledged after \(events[4].elapsed) µs")

                try await receiver.events.first("restore", ["title": "All"])
                let seen = receiver.events.all.compactMap { $0["event"] }.filter { $0 != "done" }
                #expect(seen == ["ready", "willContinue", "continue", "restore"])
                #expect(receiver.events.all.first { $0["event"] == "willContinue" }?["type"] == type)
                let continued = try #require(receiver.events.all.first { $0["event"] == "continue" })
                #expect(continued["type"] == type)
                // Values added when the origin's delegate was asked have come too; the 14 values are unchanged.
                #expect(continued["filled"] == "late")
                #expect(continued["values"] == "same")
                #expect(try await receiver.processID() == process)

                try await origin.events.first("wasContinued", ["title": "All"])
                let save = try #require(origin.events.all.first { $0["event"] == "willSave" })
                #expect(save["needsSave"] == "false")
                #expect(origin.events.all.count { $0["event"] == "willSave" } == 1)
                #expect(origin.events.all.count { $0["event"] == "wasContinued" } == 1)
                // The records of both daemons show the same continuation.
                let acceptance = try #require(events.first?.acceptanceID)
                let records = try await household[0].records(acceptance: acceptance).map(\.event)
                #expect(records == ["payload_requested", "save_requested", "payload_sent", "acknowledged"])
            }
        }
    }
}
