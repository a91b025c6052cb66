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
            "a page moves from MonkeyBrowser here to MonkeyBrowser there, which is launched for it (H-1, H-2, H-5, H-6, H-10, H-12, H-16, H-19, H-22, H-31, H-40, H-41, H-66, H-67, H-68, H-69, H-70, H-71, H-75, S-1 to S-8, S-11)"
        )
        func cold() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                let monkey = TestBundle.monkeyBrowser.identifier
                try await household.install(.monkeyBrowser)
                let fifo = household.directory + "/script"
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
                // Told of, but only a person's decision launches anything (H-10).
                #expect(try await b.call(ControlMethods.getStatus).appsRunning == 0)
                #expect(try await b.baton("continue", offer.offerID).status == 0)

                try await logB.first("restored", ["url": Self.page, "title": "Weather Tab"])
                try await logA.first("log", ["message": "User Activity Was Continued: Weather Tab"])
                let names = logB.all.map { $0["message"] ?? $0["event"] ?? "" }
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
    }
}
