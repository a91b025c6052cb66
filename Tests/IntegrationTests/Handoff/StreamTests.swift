import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// Continuation streams between two apps through two daemons.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct StreamTests {
        private static let type = "com.example.probe.note"
        private static let probe = "com.example.probe"

        /// Two devices, of which the second has continued an activity of the first.
        struct Continued: Sendable {
            let household: TestHousehold
            let origin: TestApp
            let receiver: TestApp
            let acceptance: String

            func open(_ id: String, _ mode: String, _ more: [String: Any] = [:]) throws {
                try receiver.tell(["do": "open", "id": id, "mode": mode].merging(more) { $1 })
            }
        }

        private func withContinued(
            streams: Bool = true, arguments: [String] = [], behaving mode: String? = nil,
            _ body: (Continued) async throws -> Void
        ) async throws {
            try await TestHousehold.with(2, arguments: arguments) { household in
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: household[0])
                let receiver = try TestApp(Self.probe, on: household[1])
                try await origin.launch()
                try await receiver.launch()
                if let mode { try await receiver.behave(mode) }
                try origin.make("a", type: Self.type, title: "Streams", ["streams": streams])
                let offer = try await household[1].offer(ofType: Self.type)
                let steps = try await household[1].continue(offer.offerID)
                #expect(steps.steps.last == .acknowledged)
                try await body(
                    Continued(
                        household: household, origin: origin, receiver: receiver,
                        acceptance: steps.first?.acceptanceID ?? ""))
            }
        }

        @Test(
            "A question goes to the origin's app and its answer comes back, asked inside of continue and after it (H-34, H-43, H-76, H-77, H-78, H-79, H-80, X-3)"
        )
        func questions() async throws {
            try await withContinued(behaving: "streams") { both in
                let streams = try await both.receiver.events.first("streams", ["id": "inside"])
                #expect(streams["unopened"] == "true")
                #expect(try await both.origin.events.first("didReceive")["unopened"] == "true")
                let answer = try await both.receiver.events.first("answer", ["id": "inside"])
                #expect(answer["text"] == "You asked “page?”.")
                #expect(answer["status"] == "atEnd")
                try both.open("after", "ask", ["title": "And images?"])
                #expect(
                    try await both.receiver.events.first("answer", ["id": "after"])["text"]
                        == "You asked “And images?”.")
                // The app that asked hears nothing of that kind.
                #expect(!both.receiver.events.all.contains { $0["event"] == "didReceive" })
            }
        }

        @Test("100 MB go each way at once, whole and in order (H-80)")
        func transfer() async throws {
            try await withContinued { both in
                let count = 100_000_000
                try await both.origin.behave("transfer:\(count)")
                try both.open("big", "transfer", ["bytes": count])
                for app in [both.origin, both.receiver] {
                    let received = try await app.events.first("received", limit: .seconds(120))
                    #expect(received["bytes"] == "\(count)")
                    #expect(received["isWhole"] == "true")
                    #expect(received["status"] == "atEnd")
                }
            }
        }

        @Test("Several pairs carry their bytes at once, without mixing them; one too many is refused (H-82)")
        func severalPairs() async throws {
            try await withContinued { both in
                let count = 5_000_000
                try await both.origin.behave("transfer:\(count)")
                for number in 0..<4 { try both.open("p\(number)", "transfer", ["bytes": count]) }
                for number in 0..<4 {
                    let received = try await both.receiver.events.first(
                        "received", limit: .seconds(60), ["id": "p\(number)"])
                    #expect(received["bytes"] == "\(count)" && received["isWhole"] == "true")
                }
                for number in 0..<8 {
                    try both.open("h\(number)", "hold")
                    try await both.receiver.events.first("streams", ["id": "h\(number)"])
                }
                try both.open("ninth", "hold")
                let refused = try await both.receiver.events.first("refused", ["id": "ninth"])
                #expect(refused["code"] == "4609" && refused["none"] == "true")
            }
        }

        // In the quiet lane, since it measures memory.
        @Test("A reader that does not read holds the writer, and the memory of both daemons stays bounded")
        func slowReader() async throws {
            try await withContinued { both in
                try await both.origin.behave("slow")
                let before = try both.household.devices.map { try DaemonMemory.resident($0) }
                try both.open("slow", "transfer", ["bytes": 60_000_000])
                try await both.origin.events.first("didReceive")
                // Until nothing moves any more, in three looks one after the other.
                var (last, same) = (-1, 0)
                while same < 3 {
                    try await Task.sleep(for: .milliseconds(300))  // sleeps: a standstill causes no event
                    let now = try Self.sentBytes(both.household[1])
                    same = now == last ? same + 1 : 0
                    last = now
                }
                #expect(last < 6_000_000, "the network carried \(last) bytes to an app that reads nothing")
                for (device, before) in zip(both.household.devices, before) {
                    let now = try DaemonMemory.resident(device)
                    #expect(now - before < 12, "\(device.name) grew from \(before) to \(now) MiB")
                }
                try both.origin.tell(["do": "resume"])
                let received = try await both.origin.events.first("received", limit: .seconds(60))
                #expect(received["bytes"] == "60000000" && received["isWhole"] == "true")
            }
        }

        /// The bytes that the device's machine has sent.
        private static func sentBytes(_ device: TestDevice) throws -> Int {
            guard let process = device.daemon?.processID,
                let table = try? String(contentsOfFile: "/proc/\(process)/net/dev", encoding: .utf8),
                let line = table.split(separator: "\n").first(where: { $0.contains("eth0:") }),
                let bytes = line.split(separator: ":").last?.split(separator: " ").dropFirst(8).first.flatMap({
                    Int($0)
                })
            else { throw IntegrationFailure("The interface of \(device.name) has no counters.") }
            return bytes
        }

        private enum Accident: String, CaseIterable, Sendable {
            case originDaemon, receiverDaemon, originApp, receiverApp, network
        }

        @Test(
            "When a process dies in the middle of a transfer, the other side reads an error and never an end",
            arguments: Accident.allCases.filter { $0 != .network })
        private func accident(_ accident: Accident) async throws { try await survive(accident) }

        @Test("When the network is cut in the middle of a transfer, both sides read an error and never an end")
        func cut() async throws { try await survive(.network) }

        private func survive(_ accident: Accident) async throws {
            try await withContinued { both in
                try await both.origin.behave("transfer:2000000000")
                try both.open("cut", "transfer", ["bytes": 2_000_000_000])
                try await both.origin.events.first("didReceive")
                let before = try Self.sentBytes(both.household[1])
                try await both.household[1].until("bytes to flow") {
                    try Self.sentBytes(both.household[1]) > before + 3_000_000
                }
                switch accident {
                case .originDaemon: try await both.household[0].kill()
                case .receiverDaemon: try await both.household[1].kill()
                case .originApp: try await Self.kill(both.origin)
                case .receiverApp: try await Self.kill(both.receiver)
                case .network: try await both.household.cut(both.household[0])
                }
                for (app, gone) in [(both.origin, Accident.originApp), (both.receiver, .receiverApp)]
                where accident != gone {
                    for event in ["received", "sent"] {
                        let end = try await app.events.first(event, limit: .seconds(90))
                        #expect(end["status"] == "error", "\(accident) \(event)")
                        #expect(end["code"] == "4608", "\(accident) \(event)")
                    }
                    let received = try await app.events.first("received")
                    #expect(received["isWhole"] == "true")
                }
            }
        }

        private static func kill(_ app: TestApp) async throws {
            guard let process = try await app.processID() else { throw IntegrationFailure("The app does not run.") }
            Glibc.kill(process, SIGKILL)
        }

        @Test(
            "Asked for after the origin's app has died, streams are error 4608, which says that the app has ended (H-78)"
        )
        func afterTheApp() async throws {
            try await withContinued { both in
                try await Self.kill(both.origin)
                try await both.household[0].until("the daemon to know that the app is gone") {
                    try await both.household[0].call(ControlMethods.listActivities).activities.isEmpty
                }
                try both.open("late", "ask")
                let refused = try await both.receiver.events.first("refused", ["id": "late"])
                #expect(refused["code"] == "4608" && refused["none"] == "true")
                #expect(refused["message"] == "The app that offered this activity has ended.")
            }
        }

        // In the quiet lane, since it measures memory.
        @Test("Pairs by the hundred that are opened and dropped without reading leave nothing behind in either daemon")
        func openedAndDropped() async throws {
            try await withContinued { both in
                try await both.origin.behave("transfer:300000")
                try both.receiver.tell(["do": "open", "mode": "drop", "number": 50])
                try await both.receiver.events.first("dropped", ["count": "50"])
                let count = Schedules.count(300, soak: 10_000)
                let before = try both.household.devices.map {
                    (try DaemonMemory.resident($0), try Self.descriptors($0))
                }
                try both.receiver.tell(["do": "open", "mode": "drop", "number": count])
                let dropped = try await both.receiver.events.first(
                    "dropped", limit: .seconds(count / 2), ["count": "\(count)"])
                #expect(dropped["failures"] == "0")
                for (device, before) in zip(both.household.devices, before) {
                    try await device.until("the descriptors of \(device.name) to be closed") {
                        try Self.descriptors(device) <= before.1 + 4
                    }
                    let memory = try DaemonMemory.resident(device)
                    #expect(memory - before.0 < 10, "\(device.name) grew from \(before.0) to \(memory) MiB")
                }
                // And there is room for more.
                try await both.origin.behave("")
                try both.open("last", "ask", ["title": "Still there?"])
                try await both.receiver.events.first("answer", ["id": "last"])
            }
        }

        private static func descriptors(_ device: TestDevice) throws -> Int {
            guard let process = device.daemon?.processID else { throw IntegrationFailure("No daemon.") }
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        }

        @Test(
            "Streams that the origin's app lets go close themselves: there is an end to read, and what is written fails"
        )
        func letGo() async throws {
            try await withContinued { both in
                try await both.origin.behave("leave")
                try both.open("left", "transfer", ["bytes": 50_000_000])
                let left = try await both.receiver.events.first("sent", ["id": "left"])
                #expect(left["status"] == "error" && left["code"] == "4608")
                let received = try await both.receiver.events.first("received", ["id": "left"])
                #expect(received["status"] == "atEnd" && received["bytes"] == "0")
            }
        }

        @Test("An app that does not come for its end is error 4610 for the other one, in time (H-15)")
        func notTaken() async throws {
            try await withContinued { both in
                // Holds up the queue on which activity delegates are called.
                try await both.origin.behave("silent")
                try both.origin.make("b", type: Self.type, title: "Blocks")
                let offer = try await both.household[1].offer(ofType: Self.type, title: "Blocks")
                #expect(try await both.household[1].continue(offer.offerID).errorCode == 4610)
                try both.open("late", "ask")
                let refused = try await both.receiver.events.first("refused", ["id": "late"])
                #expect(refused["code"] == "4610")
                try both.origin.tell(["do": "speak"])
            }
        }

        @Test("Without supportsContinuationStreams there are none: error 4609 (H-34, H-77)")
        func unsupported() async throws {
            try await withContinued(streams: false) { both in
                try both.open("none", "ask")
                let refused = try await both.receiver.events.first("refused", ["id": "none"])
                #expect(refused["code"] == "4609")
                #expect(refused["domain"] == "NSCocoaErrorDomain")
                #expect(refused["message"]?.contains("supportsContinuationStreams") == true)
            }
        }

        @Test("An app that was not given the activity gets no streams, whatever it names (H-3)")
        func strangers() async throws {
            try await withContinued { both in
                let device = both.household[1]
                let stranger = try await AppByHand.attach(
                    to: device, .init(bundleID: "com.example.stranger", types: [Self.type]))
                let session = SessionID.random().rawValue
                for (session, code) in [(stranger.session, BatonError.Code.permissionDenied), (session, .notFound)] {
                    let error = await #expect(throws: BatonError.self) {
                        _ = try await BytePipe.open(
                            ContinuationStreamMethods.openStream,
                            .with {
                                $0.sessionID = session
                                $0.acceptanceID = both.acceptance
                            }, socketPath: device.locations.socket,
                            claim: AppClaim(bundleID: "com.example.stranger"), timeout: .seconds(10))
                    }
                    #expect(error?.code == code)
                }
                let error = await #expect(throws: BatonError.self) {
                    _ = try await BytePipe.open(
                        ContinuationStreamMethods.acceptStream,
                        .with {
                            $0.sessionID = stranger.session
                            $0.streamID = StreamID.random().rawValue
                        }, socketPath: device.locations.socket,
                        claim: AppClaim(bundleID: "com.example.stranger"), timeout: .seconds(10))
                }
                #expect(error?.reason == "unknown_stream")
                await stranger.detach()
                // The app that was given it is not disturbed.
                try both.open("own", "ask", ["title": "?"])
                try await both.receiver.events.first("answer", ["id": "own"])
            }
        }

        @Test(
            "A signed app of another team that asks for the streams of a continuation that was not its own is refused (H-3)"
        )
        func signedStranger() async throws {
            try await withContinued { both in
                let thief = "com.example.thief"
                let team = try await both.household.makeTeam("Thieves")
                try await both.household.install(.probe(thief, types: [Self.type]), team: team)
                // On the device that was given the activity, and on the one that gave it.
                for device in both.household.devices {
                    let app = try TestApp(thief, on: device)
                    try await app.launch()
                    // The library's attachment would replace the thief's, of the same process.
                    try await device.record("app_attached") { $0.fields["bundle_id"] == thief }
                    try app.tell(["do": "steal", "id": both.acceptance])
                    let stolen = try await app.events.first("stolen")
                    #expect(stolen["reason"] == "streams_not_granted", "\(stolen)")
                    #expect(stolen["status"] == "403")
                }
                try both.open("own", "ask", ["title": "?"])
                try await both.receiver.events.first("answer", ["id": "own"])
            }
        }

        @Test("The origin's device is gone: error 4609; it is back: streams again")
        func disconnected() async throws {
            try await withContinued { both in
                // A daemon hears of its own cable at once; a silent peer is among the accidents above.
                try await both.household.cut(both.household[1])
                try await both.household[1].isDisconnected(from: both.household[0])
                try both.open("away", "ask")
                #expect(try await both.receiver.events.first("refused", ["id": "away"])["code"] == "4609")
                try await both.household.restore(both.household[1])
                try await both.household[1].isConnected(to: both.household[0])
                try both.open("back", "ask", ["title": "?"])
                try await both.receiver.events.first("answer", ["id": "back"])
            }
        }
    }
}
