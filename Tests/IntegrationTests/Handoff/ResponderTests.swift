import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// Activities of the objects in an app's interface, on both sides of a continuation.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ResponderTests {
        private static let (probe, type) = ("com.example.probe", "com.example.probe.note")

        /// The events of an app of one kind, from a line on.
        private static func all(_ app: TestApp, _ name: String, from start: Int = 0) -> [AppEvents.Event] {
            app.events.all.dropFirst(start).filter { $0["event"] == name }
        }

        @Test(
            "responders fill an activity in place of its delegate, each its part, from empty; who was parted is asked no more, and with the last one it ends; the responders there read what they restore (H-45, H-46, H-48, H-49, H-50, H-51, H-52, H-53, H-72)"
        )
        func shared() async throws {
            try await TestHousehold.with(2) { household in
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let b = household[1]
                let (origin, receiver) = (try TestApp(Self.probe, on: household[0]), try TestApp(Self.probe, on: b))
                try await origin.launch()
                try await receiver.launch()
                try receiver.tell(["do": "responders", "names": ["first", "second"]])
                try await receiver.events.first("done", ["do": "responders"])
                try origin.make(
                    "x", type: Self.type, title: "Shared",
                    ["texts": ["stale": "yes"], "saves": false, "needsSave": false])
                try origin.tell(["do": "responders", "id": "x", "names": ["first", "second"]])
                try origin.tell(["do": "state", "id": "first", "number": 1])
                try origin.tell(["do": "state", "id": "second", "number": 2])
                try await origin.events.first("done", ["do": "state", "id": "second"])

                let offer = try await b.offer(ofType: Self.type)
                #expect(try await b.continue(offer.offerID).steps.last == .acknowledged)
                #expect(try await receiver.events.first("continue")["userInfo"] == "first=1,second=2")
                // The log of the other app may be read later.
                try await origin.events.first("update", ["name": "second"])
                let updates = Self.all(origin, "update")
                #expect(updates.map { $0["name"] } == ["first", "second"])
                #expect(updates.map { $0["before"] } == ["", "first=1"])
                #expect(Self.all(origin, "willSave").isEmpty)
                try await receiver.events.first("restoreResponder", ["name": "second", "number": "2"])
                #expect(Self.all(receiver, "restoreResponder").map { $0["number"] } == ["1", "2"])

                // One is parted, the other one changes.
                try await origin.events.first("wasContinued")
                let (start, continued) = (origin.events.count, receiver.events.count)
                try origin.tell(["do": "part", "id": "first"])
                try origin.tell(["do": "state", "id": "second", "number": 5])
                try origin.tell(["do": "current", "id": "x"])
                let again = try await b.offer(ofType: Self.type)
                #expect(try await b.continue(again.offerID).steps.last == .acknowledged)
                #expect(try await receiver.events.first("continue", from: continued)["userInfo"] == "second=5")
                try await origin.events.first("wasContinued", from: start)
                #expect(Self.all(origin, "update", from: start).map { $0["name"] } == ["second"])

                // And the last one.
                try origin.tell(["do": "current", "id": "x"])
                _ = try await b.offer(ofType: Self.type)
                try origin.tell(["do": "part", "id": "second"])
                try await b.offers("that the activity has ended") { $0.isEmpty }
                try origin.tell(["do": "current", "id": "x"])
                try origin.make("y", type: Self.type, title: "Later")
                let offers = try await b.offers("another activity") { !$0.isEmpty }
                #expect(offers.map(\.offer.activity.title) == ["Later"])
                #expect(
                    try await household[0].call(ControlMethods.listActivities).activities.map(\.activity.title)
                        == ["Later"])
            }
        }

        @Test("a responder that sets needsSave after a change has what is saved here brought up to date (H-46, H-47)")
        func saved() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let device = household[0]
                let app = try TestApp(Self.probe, on: device)
                try await app.launch()
                try app.make(
                    "x", type: Self.type, title: "Found", ["current": false, "saves": false, "needsSave": false])
                try app.tell(["do": "responders", "id": "x", "names": ["part"]])
                try app.tell(["do": "state", "id": "part", "number": 1])
                try app.tell(["do": "flags", "id": "x", "search": true])
                try app.tell(["do": "current", "id": "x"])
                try await device.until("the activity to be saved") {
                    try await device.call(ControlMethods.listSavedActivities).activities.count == 1
                }
                let start = app.events.count
                try app.tell(["do": "state", "id": "part", "number": 2])
                try await app.events.first("update", from: start, ["name": "part"])
                // The saved state is opened: asked for until that is the newer state, under a name of its own.
                try await device.until("the newer state to be saved") {
                    let saved = try await device.call(ControlMethods.listSavedActivities).activities
                    let opened = app.events.count
                    let result = try await device.baton(
                        ["activities", "open", saved.first?.savedID ?? ""], expecting: nil)
                    guard result.status == 0 else { return false }
                    return try await app.events.first("continue", from: opened)["userInfo"] == "part=2"
                }
            }
        }

        @Test(
            "an activity of an app of UIKit's is continued by one of AppKit's, with the same callbacks in the same order, and back again (H-45, H-67, H-71, H-101)"
        )
        func appKit() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let (mobile, desktop) = (try TestApp(Self.probe, on: a), try TestApp(Self.probe, on: b))
                try desktop.write("", to: "appkit")
                try await mobile.launch()
                try mobile.make("x", type: Self.type, title: "From UIKit", ["number": 7])
                let offer = try await b.offer(ofType: Self.type)
                #expect(try await b.continue(offer.offerID).steps.last == .acknowledged)
                try await desktop.events.first("restore", ["title": "From UIKit", "number": "7"])
                #expect(
                    desktop.events.all.map { $0["event"] } == ["ready", "willContinue", "continue", "restore"])
                #expect(desktop.events.all.first?["kind"] == "AppKit")

                try desktop.make("y", type: Self.type, title: "From AppKit", ["number": 8])
                let back = try await a.offer(ofType: Self.type, title: "From AppKit")
                #expect(try await a.continue(back.offerID).steps.last == .acknowledged)
                #expect(try await mobile.events.first("continue")["userInfo"] == "number=8")
                // Its responder has filled it, and then the app's delegate saw it.
                try await desktop.events.first("didUpdate", ["userInfo": "number=8"])
                // An origin that does not answer is reported to this kind of delegate too.
                try await mobile.behave("crash-on-save")
                try mobile.make("z", type: Self.type, title: "Lost")
                let lost = try await b.offer(ofType: Self.type, title: "Lost")
                #expect(try await b.continue(lost.offerID).errorCode == 4608)
                try await desktop.events.first("didFail", ["type": Self.type, "code": "4608"])
                try await b.baton("quit", Self.probe)
                try await desktop.events.first("willTerminate")
            }
        }

        @Test("an app that is stopped from its terminal is in the background until it goes on, and before it ends")
        func life() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let app = try TestApp(Self.probe, on: device)
                try app.atStartup(["do": "behave", "mode": "life"])
                try await app.launch()
                try await app.events.first("didBecomeActive", ["state": "0"])
                let process = try #require(try await app.processID())
                kill(process, SIGTSTP)
                try await device.until("the app to be stopped") {
                    let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
                    return status.split(separator: ")").last?.hasPrefix(" T") == true
                }
                try await app.events.first("didEnterBackground")
                let start = app.events.count
                kill(process, SIGCONT)
                try await app.events.first("didBecomeActive", from: start, ["state": "0"])
                try await device.baton("quit", Self.probe)
                try await app.events.first("willTerminate", ["state": "2"])
                let states = app.events.all.filter { $0["event"] != "done" && $0["event"] != "ready" }
                #expect(
                    states.map { "\($0["event"] ?? "") \($0["state"] ?? "")" } == [
                        "didBecomeActive 0", "willResignActive 0", "didEnterBackground 2", "willEnterForeground 2",
                        "didBecomeActive 0", "willResignActive 0", "didEnterBackground 2", "willTerminate 2",
                    ])
            }
        }
    }
}
