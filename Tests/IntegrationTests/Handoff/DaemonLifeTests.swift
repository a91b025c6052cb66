import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// Daemons that are killed, doubled and restarted.
    @Suite(.serialized, .timeLimit(.minutes(8))) struct DaemonLifeTests {
        private static let type = "com.example.probe.note"
        private static let probe = "com.example.probe"

        @Test("an app keeps its current activity over a restart of the daemon and offers it again (H-31, H-99)")
        func reattaches() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: a)
                try await origin.launch()
                try origin.make("one", type: Self.type, title: "One", ["bytes": 5000])
                let offer = try await b.offer(ofType: Self.type)
                let process = try await origin.processID()
                #expect(process != nil)
                #expect(try await a.stop() == 0)
                try await b.offers("that nothing is offered") { $0.isEmpty }
                try await a.start()
                let again = try await b.offer(ofType: Self.type, limit: .seconds(60))
                #expect(again.offerID == offer.offerID)
                #expect(try await origin.processID() == process)
                #expect(try await b.continue(offer.offerID).last?.step == .acknowledged)
                let receiver = try TestApp(Self.probe, on: b)
                #expect(try await receiver.events.first("continue")["isWhole"] == "true")
                try await origin.events.first("wasContinued", ["title": "One"])
                #expect(origin.events.all.count { $0["event"] == "ready" } == 1)
            }
        }

        @Test("a second daemon on the same home refuses with 1, a stale socket does not stop the first")
        func single() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let a = household[0]
                let second = try a.secondDaemon()
                let status = try await within(.seconds(20), "the second daemon to refuse") { try await second.status() }
                #expect(status == 1)
                try await second.errors.waitForEnd()
                // One sentence.
                #expect(second.errors.all.count == 1, "\(second.errors.all)")
                #expect(second.errors.all.first?.contains("already") == true)
                #expect(second.errors.all.first?.dropLast().contains(". ") == false)
                #expect(try await a.call(ControlMethods.getStatus).processID == UInt32(a.daemon?.processID ?? 0))
                try await a.kill()
                #expect(FileManager.default.fileExists(atPath: a.locations.socket))
                let refused = try await a.baton("status", expecting: 3)
                #expect(try refused.failure().reason == "daemon_not_running")
                try await a.start()
                #expect(try await a.baton("status").status == 0)
                #expect(try await a.stop() == 0)
                #expect(!FileManager.default.fileExists(atPath: a.locations.socket))
            }
        }

        @Test(
            "a daemon killed at any moment loses no account, app or pairing, and what is current is offered again (H-15)"
        )
        func killedAtRandom() async throws {
            let seed = Schedules.oneSeed
            let rounds = Schedules.count(3, soak: 50)
            print("Killing the daemon \(rounds) times with BATON_SEED=\(seed)")
            var generator = SeededGenerator(seed: seed)
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: a)
                let receiver = try TestApp(Self.probe, on: b)
                try await origin.launch()
                try await receiver.launch()
                let before = try await a.call(ControlMethods.getStatus)
                for round in 1...rounds {
                    let victim = Bool.random(using: &generator) ? a : b
                    let delay = Duration.microseconds(Int.random(in: 0...120_000, using: &generator))
                    // Activity of every kind up to the moment of death: announcing, continuing, acknowledging.
                    try origin.make("busy", type: Self.type, title: "Busy \(round)", ["bytes": 20_000])
                    let activity = Task {
                        for title in 0..<20 where !Task.isCancelled {
                            try origin.tell(["do": "title", "id": "busy", "title": "Busy \(round).\(title)"])
                            if let offer = try await b.offersNow().first {
                                _ = try await b.continue(offer.offerID, limit: .seconds(20))
                                try origin.tell(["do": "current", "id": "busy"])
                            }
                        }
                    }
                    try await Task.sleep(for: delay)  // sleeps: the moment of death, not a wait for something
                    try await victim.kill()
                    activity.cancel()
                    _ = await activity.result
                    try await victim.start()
                    try await a.isConnected(to: b)
                    try await b.isConnected(to: a)
                    // Then all is as it was.
                    let start = receiver.events.count
                    try origin.make("after", type: Self.type, title: "After \(round)")
                    let offer = try await b.offer(ofType: Self.type, title: "After \(round)", limit: .seconds(60))
                    let steps = try await b.continue(offer.offerID).steps
                    #expect(steps.suffix(2) == [.continued, .acknowledged], "round \(round), seed \(seed)")
                    try await receiver.events.first("continue", from: start, ["title": "After \(round)"])
                    for device in [a, b] {
                        let status = try await device.call(ControlMethods.getStatus)
                        #expect(status.accountID == before.accountID)
                        #expect(status.deviceName == device.name)
                        #expect(status.devicesKnown == 1)
                        #expect(status.appsInstalled == 1)
                        #expect(status.appsRunning == 1)
                    }
                }
            }
        }

        @Test("when the network goes and comes back, offers go and come back with it (H-11, H-12)")
        func network() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: a)
                try await origin.launch()
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await b.offer(ofType: Self.type)
                try await household.cut(b)
                try await b.offers(limit: .seconds(60), "that nothing is offered") { $0.isEmpty }
                try origin.tell(["do": "title", "id": "one", "title": "Meanwhile"])
                try await household.restore(b)
                let again = try await b.offer(ofType: Self.type, title: "Meanwhile", limit: .seconds(60))
                #expect(again.offerID == offer.offerID)
                #expect(try await b.continue(offer.offerID).last?.step == .acknowledged)
            }
        }
    }
}
