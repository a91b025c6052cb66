import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// The matching of offers and apps.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct MatchingTests {
        private static let type = "com.example.probe.note"
        private static let probe = "com.example.probe"

        @Test(
            "another team's app and a type that nobody declares are never offered, what matches is, and why can be asked (H-3, H-6, H-7, H-8, H-99)"
        )
        func matching() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                let ours = try await household.makeTeam("Ours")
                let theirs = try await household.makeTeam("Theirs")
                let types = [Self.type, "com.example.probe.undeclared", "com.example.shared"]
                try await household.install(.probe(Self.probe, types: types), team: ours, on: [a])
                // The same name and types, but of another team.
                try await household.install(.probe(Self.probe, types: types), team: theirs, on: [b])
                let origin = try TestApp(Self.probe, on: a)
                try await origin.launch()
                for (number, type) in types.enumerated() {
                    if type == types.last {
                        // Another app of our team, which declares the type that is the team's and not one app's.
                        try await household.install(
                            .probe("com.example.viewer", types: ["com.example.shared"]), team: ours, on: [b])
                    }
                    try origin.make("\(number)", type: type, title: "\(number)")
                    // The snapshot has arrived at the receiver when it is acknowledged by its record.
                    try await a.until("\(type) to be current") {
                        try await a.call(ControlMethods.listActivities).activities.contains {
                            $0.current && $0.activity.activityType == type
                        }
                    }
                    if type != "com.example.shared" {
                        let revision = try await a.records().last { $0.event == "published" }?.fields["revision"]
                        try await b.record("offers_received") { $0.fields["revision"] == revision }
                        #expect(try await b.offersNow().isEmpty, "\(type)")
                        // Everything is well here; there, no app of the team is installed.
                        #expect(
                            try await Self.verdicts(
                                from: a, "explain", "activity", type, "--device", b.name, expecting: 1)
                                == [
                                    "activity": "ok", "current": "ok", "eligible": "ok", "connection": "ok",
                                    "received": "ok",
                                    "team": "failed",
                                ])
                    }
                }
                let offer = try await b.offer(ofType: "com.example.shared")
                #expect(offer.app.bundleID == "com.example.viewer")
                #expect(try await b.continue(offer.offerID).last?.step == .acknowledged)
                let viewer = try TestApp("com.example.viewer", on: b)
                try await viewer.events.first("continue", ["type": "com.example.shared"])
                #expect(try await TestApp(Self.probe, on: b).processID() == nil)
                // The team has another app there now, which does not declare the type; the activity is not current any more.
                let explained = try await Self.verdicts(
                    from: a, "explain", "activity", Self.type, "--device", b.name, expecting: 1)
                #expect(explained["current"] == "failed" && explained["team"] == "ok" && explained["app"] == "failed")
                #expect(
                    try await Self.verdicts(from: a, "explain", "activity", "--device", a.name, expecting: 0)
                        == ["device": "ok"])
                #expect(try await Self.verdicts(from: a, "explain", "device", a.name, expecting: 0) == ["device": "ok"])
                #expect(
                    try await Self.verdicts(from: b, "explain", "app", "com.example.viewer", expecting: 0)["attached"]
                        == "ok")
            }
        }

        private struct Explained: Decodable {
            struct Explanation: Decodable { var stages: [Stage] }
            struct Stage: Decodable { var name, verdict: String }
            var explanations: [Explanation]
        }

        /// The verdict of each stage of the one thing that is explained.
        private static func verdicts(
            from device: TestDevice, _ arguments: String..., expecting status: Int32
        ) async throws -> [String: String] {
            let result = try await device.baton(arguments, expecting: status)
            let explained = try result.decode(Explained.self)
            let stages = try #require(explained.explanations.first).stages
            #expect(explained.explanations.count == 1)
            return Dictionary(uniqueKeysWithValues: stages.map { ($0.name, $0.verdict) })
        }

        @Test(
            "an app that is too old is shown with what to do, and its continuation is refused until it is upgraded (H-98)"
        )
        func tooOld() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                let team = try await household.makeTeam()
                try await household.install(.probe(Self.probe, types: [Self.type], build: "1.9"), team: team)
                let origin = try TestApp(Self.probe, on: a)
                try await origin.launch()
                try origin.make("one", type: Self.type, title: "One", ["minimum": "1.10"])
                let offer = try await b.offer(ofType: Self.type)
                #expect(offer.obstacle.contains("1.9") && offer.obstacle.contains("1.10"))
                let result = try await b.baton("continue", offer.offerID, expecting: 6)
                #expect(try result.failure().reason == "app_too_old")
                #expect(!origin.events.all.contains { $0["event"] == "willSave" })
                try await household.install(
                    .probe(Self.probe, types: [Self.type], build: "1.10"), team: team, on: [b])
                try await b.offers("the offer without an obstacle") { $0.first?.obstacle == "" }
                #expect(try await b.continue(offer.offerID).last?.step == .acknowledged)
            }
        }

        @Test("an app that is particular about titles is offered those, and another app the rest (H-5, H-7, H-20)")
        func titles() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                let team = try await household.makeTeam()
                var drafts = TestBundle.probe("com.example.drafts", types: [Self.type])
                drafts.activityTitles = [Self.type: ["Draft"]]
                try await household.install(.probe(Self.probe, types: [Self.type]), team: team)
                try await household.install(drafts, team: team, on: [b])
                let origin = try TestApp(Self.probe, on: a)
                try await origin.launch()
                try origin.make("one", type: Self.type, title: "Draft")
                try await b.offers("the offer for the app that names the title") {
                    $0.map(\.app.bundleID) == ["com.example.drafts"]
                }
                try origin.tell(["do": "title", "id": "one", "title": "Letter"])
                try await b.offers("the offer for the app that takes any title") {
                    $0.map(\.app.bundleID) == [Self.probe]
                }
                try await b.baton("uninstall", Self.probe, "--yes")
                try await b.offers("that nothing is offered") { $0.isEmpty }
                let explanation = try await a.baton("explain", "activity", Self.type, "--device", b.name, expecting: 1)
                #expect(explanation.lines.joined().contains("other titles"))
            }
        }

        @Test(
            "a bundle that was tampered with is refused: at install, and when it is to be launched for an activity (H-4)"
        )
        func tampered() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                let team = try await household.makeTeam()
                let path = try await household.sign(.probe(Self.probe, types: [Self.type]), team: team)
                for device in [a, b] { try await device.baton("install", path) }

                let copy = try await household.sign(.probe("com.example.other", types: [Self.type]), team: team)
                try FileHandle.append("x", to: copy + "/Info.plist")
                let refusal = try await b.baton("install", copy, expecting: 6)
                #expect(try refusal.failure().reason == "bundle_tampered")
                let unsigned = try TestBundle.probe("com.example.unsigned", types: []).write(in: household.directory)
                #expect(try await b.baton("install", unsigned, expecting: nil).status != 0)

                let installed = try FileManager.default.subpathsOfDirectory(atPath: b.locations.applications)
                    .first { $0.hasSuffix("HandoffProbe") }
                #expect(try await Self.verdicts(from: b, "explain", "app", Self.probe, expecting: 0)["bundle"] == "ok")
                try FileHandle.append("x", to: "\(b.locations.applications)/\(try #require(installed))")
                #expect(
                    try await Self.verdicts(from: b, "explain", "app", Self.probe, expecting: 1)["bundle"] == "failed")
                let origin = try TestApp(Self.probe, on: a)
                try await origin.launch()
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await b.offer(ofType: Self.type)
                let events = try await b.continue(offer.offerID)
                #expect(events.errorCode == 4608)
                #expect(events.last?.error.message.isEmpty == false)
                let launch = try await b.baton("launch", Self.probe, expecting: 6)
                #expect(try launch.failure().reason == "bundle_tampered")
                #expect(try await TestApp(Self.probe, on: b).processID() == nil)
                #expect(!origin.events.all.contains { $0["event"] == "wasContinued" })
            }
        }

        @Test("three devices: what is continued on one is no longer offered on the other (H-1, H-10, H-41)")
        func threeDevices() async throws {
            try await TestHousehold.with(3) { household in
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: household[0])
                try await origin.launch()
                try origin.make("one", type: Self.type, title: "One")
                let offer = try await household[1].offer(ofType: Self.type)
                #expect(try await household[2].offer(ofType: Self.type).offerID == offer.offerID)
                #expect(try await household[1].continue(offer.offerID).last?.step == .acknowledged)
                try await household[2].offers("that nothing is offered") { $0.isEmpty }
                #expect(try await household[1].offersNow().isEmpty)
                try await origin.events.first("wasContinued", ["title": "One"])
                let third = try await household[2].baton("continue", offer.offerID, expecting: 4)
                #expect(try third.failure().reason == "no_such_offer")
            }
        }

        @Test(
            "an activity that changes, resigns, comes back, loses eligibility, is invalidated or expires is offered accordingly (H-17, H-18, H-21, H-31, H-32, H-99)"
        )
        func changes() async throws {
            try await TestHousehold.with(2) { household in
                let b = household[1]
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: household[0])
                try await origin.launch()
                try origin.make("one", type: Self.type, title: "One")
                let first = try await b.offer(ofType: Self.type, title: "One")
                try origin.tell(["do": "title", "id": "one", "title": "Renamed"])
                #expect(try await b.offer(ofType: Self.type, title: "Renamed").offerID == first.offerID)

                // A second one becomes current: only that is offered.
                try origin.make("two", type: Self.type, title: "Two")
                var all = try await b.offers("Two") { $0.contains { $0.offer.activity.title == "Two" } }
                #expect(all.map(\.offer.activity.title) == ["Two"])
                try origin.tell(["do": "resign", "id": "two"])
                try await b.offers("that nothing is offered after resigning") { $0.isEmpty }
                try origin.tell(["do": "current", "id": "one"])
                all = try await b.offers("One again") { !$0.isEmpty }
                #expect(all.map(\.offerID) == [first.offerID])
                try origin.tell(["do": "ineligible", "id": "one"])
                try await b.offers("that nothing is offered when it is not eligible") { $0.isEmpty }
                try origin.tell(["do": "current", "id": "two"])
                _ = try await b.offer(ofType: Self.type, title: "Two")
                try origin.tell(["do": "invalidate", "id": "two"])
                try await b.offers("that nothing is offered after invalidating") { $0.isEmpty }
                // It can never become current again.
                let start = origin.events.count
                try origin.tell(["do": "current", "id": "two"])
                try await origin.events.first("done", from: start)
                try origin.make("brief", type: Self.type, title: "Brief", ["expiresIn": 2.0])
                _ = try await b.offer(ofType: Self.type, title: "Brief")
                try await b.offers(limit: .seconds(6), "that it has expired") { $0.isEmpty }
            }
        }
    }
}

extension FileHandle {
    fileprivate static func append(_ text: String, to path: String) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }
}
