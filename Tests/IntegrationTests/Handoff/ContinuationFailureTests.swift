import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// The person's view when something goes wrong between accepting and continuing (H-15, H-74).
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ContinuationFailureTests {
        private static let type = "com.example.probe.note"
        private static let probe = "com.example.probe"

        /// Two devices with the probe installed, running on the first.
        private func withProbe(
            arguments: [String] = [], _ body: (TestHousehold, TestApp, TestApp) async throws -> Void
        ) async throws {
            try await TestHousehold.with(2, arguments: arguments) { household in
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: household[0])
                let receiver = try TestApp(Self.probe, on: household[1])
                try await origin.launch()
                try await body(household, origin, receiver)
            }
        }

        /// The offer stands, and can be continued after all.
        private func standsAgain(_ offerID: String, on device: TestDevice, _ app: TestApp) async throws {
            try await device.offers("the offer stand again") { $0.contains { $0.offerID == offerID } }
            let start = app.events.count
            let steps = try await device.continue(offerID).steps
            #expect(steps.suffix(2) == [.continued, .acknowledged])
            try await app.events.first("continue", from: start)
        }

        @Test(
            "an origin that is killed between accept and payload is 4608 for the receiver, at once (H-15, H-67, H-74)")
        func originKilled() async throws {
            try await withProbe { household, origin, receiver in
                try await receiver.launch()
                try await origin.behave("silent")
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await household[1].offer(ofType: Self.type)
                async let continuation = household[1].continue(offer.offerID)
                // The origin's app is being asked: the payload has not left.
                try await origin.events.first("willSave")
                try await household[0].kill()
                let events = try await continuation
                #expect(events.errorCode == 4608)
                let failure = try await receiver.events.first("didFail")
                #expect(failure["code"] == "4608")
                #expect(failure["domain"] == "NSCocoaErrorDomain")
                #expect(failure["message"]?.isEmpty == false)
                #expect(!receiver.events.all.contains { $0["event"] == "continue" })
            }
        }

        @Test("an origin's app that is killed while it saves is 4608, and its offer goes (H-15, H-74)")
        func originAppKilled() async throws {
            try await withProbe { household, origin, receiver in
                try await receiver.launch()
                try await origin.behave("crash-on-save")
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await household[1].offer(ofType: Self.type)
                #expect(try await household[1].continue(offer.offerID).errorCode == 4608)
                #expect(try await receiver.events.first("didFail")["code"] == "4608")
                try await household[1].offers("that nothing is offered") { $0.isEmpty }
            }
        }

        @Test("MonkeyBrowser writes down what failed, and why, in words for its user (H-74, S-9)")
        func failureInTheSample() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                let type = "com.xamarin.monkeybrowser.tab1"
                let team = try await household.makeTeam()
                try await household.install(.probe(Self.probe, types: [type]), team: team, on: [a])
                try await household.install(.monkeyBrowser, team: team, on: [b])
                let origin = try TestApp(Self.probe, on: a)
                try await origin.launch()
                try await origin.behave("crash-on-save")
                try origin.make("one", type: type, title: "Weather Tab")
                let offer = try await b.offer(ofType: type)
                #expect(try await b.continue(offer.offerID).errorCode == 4608)
                let log = try b.events(of: TestBundle.monkeyBrowser.identifier)
                let start = "User Activity \(type) failed to continue. Error: "
                let failure = try await log.first("the failure") { $0["message"]?.hasPrefix(start) == true }
                let reason = failure["message"]?.dropFirst(start.count) ?? ""
                // A sentence, and not the name of a code.
                #expect(reason.hasSuffix(".") && reason.contains(" ") && !reason.contains("4608"))
            }
        }

        @Test(
            "an origin's app that is silent is 4610 within the deadline, and the offer stands again (H-15, H-40, H-74)")
        func originSilent() async throws {
            try await withProbe { household, origin, receiver in
                try await receiver.launch()
                try await origin.behave("silent")
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await household[1].offer(ofType: Self.type)
                let start = ContinuousClock.now
                #expect(try await household[1].continue(offer.offerID).errorCode == 4610)
                #expect(.now - start > .seconds(4))
                #expect(try await receiver.events.first("didFail")["code"] == "4610")
                #expect(!origin.events.all.contains { $0["event"] == "wasContinued" })
                try await origin.behave("")
                try origin.tell(["do": "speak"])
                try await standsAgain(offer.offerID, on: household[1], receiver)
            }
        }

        @Test("without a route to the origin it is 4609, and the app on the command line says so (H-15, H-74)")
        func noRoute() async throws {
            try await withProbe { household, origin, receiver in
                // IPv4 alone, so that one route stands for all.
                let (a, b) = (household[0], household[1])
                try await b.stop()
                try await household.namespaces.ip(
                    on: b.machine, ["-6", "addr", "flush", "dev", NetworkNamespaces.interface])
                try await b.start()
                try await b.isConnected(to: a)
                try await receiver.launch()
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await household[1].offer(ofType: Self.type)
                // Connections by which both exchanged what syncs are used again for so long.
                try await Task.sleep(for: .seconds(31))  // sleeps: their age causes no event
                // New connections are refused by the routing table; the presence stream, idle, does not notice yet.
                try await household.namespaces.ip(
                    on: b.machine, ["route", "add", "unreachable", household.namespaces.addresses[a.machine] + "/32"])
                let result = try await household[1].baton("continue", offer.offerID, expecting: 8)
                #expect(try result.failure().activityError == 4609)
                #expect(try result.failure().reason == "not_continued")
                #expect(try await receiver.events.first("didFail")["code"] == "4609")
                #expect(!origin.events.all.contains { $0["event"] == "willSave" })
            }
        }

        @Test(
            "a payload of a little under 1 MiB arrives whole, one over it is 4611 and the origin is unharmed (H-9, H-25, H-74)"
        )
        func largePayloads() async throws {
            try await withProbe { household, origin, receiver in
                try await receiver.launch()
                try origin.make("large", type: Self.type, title: "Large", ["bytes": (1 << 20) - 256])
                var offer = try await household[1].offer(ofType: Self.type, title: "Large")
                let steps = try await household[1].continue(offer.offerID).steps
                #expect(steps == [.accepted, .willContinue, .payloadReceived, .continued, .acknowledged])
                let event = try await receiver.events.first("continue", ["title": "Large"])
                #expect(event["bytes"] == "\((1 << 20) - 256)")
                #expect(event["isWhole"] == "true")

                try origin.make("over", type: Self.type, title: "Over", ["bytes": 1 << 20])
                offer = try await household[1].offer(ofType: Self.type, title: "Over")
                #expect(try await household[1].continue(offer.offerID).errorCode == 4611)
                #expect(try await receiver.events.first("didFail")["code"] == "4611")
                #expect(!origin.events.all.contains { $0["event"] == "wasContinued" && $0["title"] == "Over" })

                let start = receiver.events.count
                try origin.make("small", type: Self.type, title: "Small", ["bytes": 10])
                offer = try await household[1].offer(ofType: Self.type, title: "Small")
                #expect(try await household[1].continue(offer.offerID).last?.step == .acknowledged)
                #expect(try await receiver.events.first("continue", from: start)["isWhole"] == "true")
            }
        }

        @Test("the limit of payloads is a setting of the daemon, of the origin's and of the receiver's (H-25)")
        func payloadLimit() async throws {
            try await withProbe(arguments: ["--payload-limit", "\(3 << 20)"]) { household, origin, receiver in
                try await receiver.launch()
                let bytes = (2 << 20) + 12_345
                try origin.make("two", type: Self.type, title: "Two MiB", ["bytes": bytes])
                let offer = try await household[1].offer(ofType: Self.type)
                #expect(try await household[1].continue(offer.offerID).last?.step == .acknowledged)
                let event = try await receiver.events.first("continue")
                #expect(event["bytes"] == "\(bytes)")
                #expect(event["isWhole"] == "true")

                // The receiver's own limit counts too.
                try await household[1].stop()
                try await household[1].start(["--payload-limit", "2000"])
                try await household[1].isConnected(to: household[0])
                try origin.make("small", type: Self.type, title: "Small", ["bytes": 3000])
                let small = try await household[1].offer(ofType: Self.type, title: "Small")
                #expect(try await household[1].continue(small.offerID).errorCode == 4611)
                #expect(!origin.events.all.contains { $0["event"] == "wasContinued" && $0["title"] == "Small" })
            }
        }

        @Test(
            "a receiver's app that is killed with the payload before it continued: the origin is not told, the offer stands again (H-15, H-41, H-70)"
        )
        func receiverKilled() async throws {
            try await withProbe { household, origin, receiver in
                try await receiver.launch()
                try await receiver.behave("crash-on-continue")
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await household[1].offer(ofType: Self.type)
                let events = try await household[1].continue(offer.offerID)
                #expect(events.errorCode == 4608)
                #expect(events.steps.contains(.payloadReceived))
                try await standsAgain(offer.offerID, on: household[1], receiver)
                #expect(origin.events.all.count { $0["event"] == "wasContinued" } <= 1)
                let served = try await household[0].records().count { $0.event == "was_continued" }
                #expect(served == 1)
            }
        }

        @Test("an app that refuses the activity: the origin is not told, the offer stands again (H-41, H-70)")
        func refused() async throws {
            try await withProbe { household, origin, receiver in
                try await receiver.launch()
                try await receiver.behave("refuse")
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await household[1].offer(ofType: Self.type)
                #expect(try await household[1].continue(offer.offerID).errorCode == 4608)
                #expect(!origin.events.all.contains { $0["event"] == "wasContinued" })
                try await receiver.behave("")
                try await standsAgain(offer.offerID, on: household[1], receiver)
                try await origin.events.first("wasContinued", ["title": "One"])
            }
        }

        @Test(
            "an origin that forgot the continuation before it was told of it: continued here, and said to be not acknowledged"
        )
        func originForgets() async throws {
            try await withProbe { household, origin, receiver in
                try await receiver.launch()
                let hold = household[1].container(of: receiver.bundleID) + "/hold"
                #expect(mkfifo(hold, 0o600) == 0)
                // For both, so that opening does not wait.
                let release = try FileHandle(forUpdating: URL(fileURLWithPath: hold))
                defer { try? release.close() }
                try await receiver.behave("hold")
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await household[1].offer(ofType: Self.type)
                async let events = household[1].continue(offer.offerID)
                try await receiver.events.first("continue", ["title": "One"])
                // Nothing of what was served survives the daemon.
                try await household[0].restart()
                try await household[1].isConnected(to: household[0])
                try release.write(contentsOf: Data([1]))
                let steps = try await events.steps
                #expect(steps.suffix(2) == [.continued, .notAcknowledged])
                #expect(!origin.events.all.contains { $0["event"] == "wasContinued" })
            }
        }

        @Test("an activity that is gone when it is accepted cannot be continued (H-15, H-18)")
        func gone() async throws {
            try await withProbe { household, origin, _ in
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await household[1].offer(ofType: Self.type)
                try origin.tell(["do": "invalidate", "id": "one"])
                try await household[1].offers("that nothing is offered") { $0.isEmpty }
                let result = try await household[1].baton("continue", offer.offerID, expecting: 4)
                #expect(try result.failure().reason == "no_such_offer")
            }
        }
    }
}
