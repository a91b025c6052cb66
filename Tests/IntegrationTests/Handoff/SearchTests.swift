import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SearchTests {
        private static let (probe, type) = ("com.example.probe", "com.example.probe.page")

        private struct Saved: Decodable {
            struct Item: Decodable {
                var savedId: String
                var title: String?
                var bundleId: String
                var eligibleForSearch: Bool
                var eligibleForPrediction: Bool
                var eligibleForPublicIndexing: Bool
                var persistentIdentifier: String?
            }
            var savedActivities: [Item]
        }

        private static func saved(_ device: TestDevice, _ query: String...) async throws -> [Saved.Item] {
            try await device.baton(["activities", "--saved"] + query).decode(Saved.self).savedActivities
        }

        /// The saved activities in the daemon's database, of all apps.
        private static func savedRows(_ device: TestDevice) async throws -> Int {
            let program = """
                from sys import argv
                print(__import__("sqlite3").connect(argv[1]).execute("SELECT COUNT(*) FROM saved_activity").fetchone()[0])
                """
            let process = try ChildProcess(["python3", "-c", program, device.locations.database])
            let count = try await within(.seconds(30), "the database to be read") {
                try await process.output.first { $0 }
            }
            guard let count = count.flatMap({ Int($0.found) }) else {
                throw IntegrationFailure("The database was not read: \(process.errors.all)")
            }
            return count
        }

        /// Waits until what is saved has these titles, the newest first.
        private static func until(_ titles: [String], on device: TestDevice) async throws {
            try await device.until("\(titles) to be saved on \(device.name)") {
                try await device.call(ControlMethods.listSavedActivities).activities.map(\.activity.title) == titles
            }
        }

        /// Why an activity is not offered: the verdict of each stage.
        private static func verdicts(
            _ device: TestDevice, _ type: String, on other: TestDevice
        ) async throws -> [String: String] {
            let result = try await device.baton("explain", "activity", type, "--device", other.name, expecting: 1)
            let stages = try result.decode(Explained.self).explanations.flatMap(\.stages)
            return Dictionary(stages.map { ($0.name, $0.verdict) }, uniquingKeysWith: { $1 })
        }

        private struct Explained: Decodable {
            struct Explanation: Decodable { var stages: [Stage] }
            struct Stage: Decodable { var name, verdict: String }
            var explanations: [Explanation]
        }

        private static func path(_ device: TestDevice, _ name: String) throws -> String {
            let path = "\(device.home)/\(name)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            return path
        }

        @Test(
            "an activity feeds search: saved while current, found by its words, opened in its app, which is launched for it, with what it had (H-14, H-37, H-39, P-11)"
        )
        func search() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let app = try TestApp(Self.probe, on: device)
                try await app.launch()
                try await app.behave("fill")
                try app.make(
                    "x", type: Self.type, title: "The Xamarin Platform",
                    [
                        "search": true, "publicIndexing": true, "keywords": ["software"], "persistent": "platform",
                        "description": "All about it", "required": ["number", "filled"], "number": 7, "bytes": 100,
                        "place": true,
                    ])
                try await Self.until(["The Xamarin Platform"], on: device)
                try await app.events.first("willSave", ["title": "The Xamarin Platform"])
                try app.make("y", type: Self.type, title: "Only suggested", ["prediction": true])
                try await Self.until(["Only suggested", "The Xamarin Platform"], on: device)

                for query in ["xamarin", "Softw", "about platform"] {
                    #expect(try await Self.saved(device, query).map(\.title) == ["The Xamarin Platform"], "\(query)")
                }
                #expect(try await Self.saved(device, "suggested").isEmpty)
                let all = try await Self.saved(device)
                #expect(all.map(\.eligibleForSearch) == [false, true])
                #expect(all.map(\.eligibleForPrediction) == [true, false])
                #expect(all.map(\.eligibleForPublicIndexing) == [false, true])

                // After a restart of everything.
                try await device.baton("quit", Self.probe)
                try await device.restart()
                let start = app.events.count
                let id = try #require(all.last?.savedId)
                #expect(try await device.baton("activities", "open", String(id.prefix(12))).status == 0)
                let continued = try await app.events.first("continue", from: start)
                #expect(continued["type"] == Self.type && continued["title"] == "The Xamarin Platform")
                // Only the required keys of userInfo come; the rest is whole.
                #expect(continued["keys"] == "filled,number" && continued["number"] == "7")
                #expect(continued["description"] == "All about it" && continued["keywords"] == "software")
                #expect(continued["persistent"] == "platform")
                #expect(continued["place"]?.hasPrefix("Apple Inc.|1|Infinite Loop|Cupertino") == true)
                try await app.events.first("restore", from: start, ["title": "The Xamarin Platform"])
                let order = app.events.all.dropFirst(start).compactMap { $0["event"] }.filter { $0 != "done" }
                #expect(order == ["ready", "willContinue", "continue", "restore"])
                // And once more while it runs.
                let second = app.events.count
                try await device.baton("activities", "open", id)
                try await app.events.first("restore", from: second)
                // An app that does not take it.
                try await app.behave("refuse")
                #expect(try await device.baton(["activities", "open", id], expecting: nil).status != 0)
            }
        }

        @Test("each flag has its own effect: offered or not, saved or not, by itself (H-37)")
        func flags() async throws {
            try await TestHousehold.with(2) { household in
                let device = household[0]
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let app = try TestApp(Self.probe, on: device)
                try await app.launch()
                try app.make("x", type: Self.type, title: "Here only", ["search": true, "handoff": false])
                try await Self.until(["Here only"], on: device)
                // The daemon hears of it in a call of its own.
                try await device.until("the daemon to know of the activity") {
                    try await device.call(ControlMethods.listActivities).activities.contains {
                        $0.activity.title == "Here only" && $0.current
                    }
                }
                let local = try await device.call(ControlMethods.listActivities).activities
                #expect(local.allSatisfy { $0.sentTo.isEmpty })
                let verdicts = try await Self.verdicts(device, Self.type, on: household[1])
                #expect(verdicts["current"] == "ok" && verdicts["eligible"] == "failed")
                try app.make("y", type: Self.type, title: "There only")
                _ = try await household[1].offer(ofType: Self.type, title: "There only")
                #expect(try await Self.saved(device).map(\.title) == ["Here only"])
                // One by one, on the activity that is current.
                try app.tell(["do": "flags", "id": "y", "handoff": false])
                try await household[1].offers("that nothing is offered") { $0.isEmpty }
                try app.tell(["do": "flags", "id": "y", "prediction": true])
                try await Self.until(["There only", "Here only"], on: device)
                try app.tell(["do": "flags", "id": "y", "handoff": true])
                _ = try await household[1].offer(ofType: Self.type, title: "There only")
                // Public indexing is a choice that is kept with what may be found and has a page: it saves nothing by
                // itself, and changes nothing that is offered.
                @Sendable func isPublic(_ title: String) async throws -> Bool? {
                    try await Self.saved(device).first { $0.title == title }?.eligibleForPublicIndexing
                }
                let page = "https://example.org/a"
                try app.make("z", type: Self.type, title: "Public", ["page": page, "publicIndexing": true])
                _ = try await household[1].offer(ofType: Self.type, title: "Public")
                #expect(try await isPublic("Public") == nil)
                try app.tell(["do": "flags", "id": "z", "search": true])
                try await device.until("it to be saved with the choice") { try await isPublic("Public") == true }
                try app.make("w", type: Self.type, title: "Private", ["page": page, "search": true])
                try await device.until("it to be saved without") { try await isPublic("Private") == false }
                try app.tell(["do": "flags", "id": "w", "publicIndexing": true])
                try await device.until("the choice to be kept") { try await isPublic("Private") == true }
                #expect(try await isPublic("Here only") == false)
            }
        }

        @Test(
            "the documentation's activity, with its own values: found and opened here, continued there, each time with its link (H-37, P-8)"
        )
        func platform() async throws {
            try await TestHousehold.with(2) { household in
                let (type, title) = ("com.xamarin.platform", "The Xamarin Platform")
                let device = household[0]
                try await household.install(.probe(Self.probe, types: [type]))
                let origin = try TestApp(Self.probe, on: device)
                let receiver = try TestApp(Self.probe, on: household[1])
                try await origin.launch()
                try origin.make(
                    "x", type: type, title: title,
                    [
                        "texts": ["link": "http://xamarin.com/platform"], "needsSave": false, "search": true,
                        "handoff": true, "publicIndexing": true,
                    ])
                let offer = try await household[1].offer(ofType: type, title: title)
                try await Self.until([title], on: device)
                let saved = try #require(try await Self.saved(device, "xamarin platform").first)
                #expect(saved.eligibleForSearch && !saved.eligibleForPrediction)
                #expect(try await household[1].continue(offer.offerID).steps.last == .acknowledged)
                try await device.baton("activities", "open", saved.savedId)
                for app in [origin, receiver] {
                    let continued = try await app.events.first("continue", ["type": type, "title": title])
                    #expect(continued["userInfo"] == "link=http://xamarin.com/platform")
                }
                // Apple has public indexing take effect with a page only, which the sample adds later on.
                #expect(!saved.eligibleForPublicIndexing)
                try origin.tell(["do": "page", "id": "x", "page": "http://xamarin.com/platform"])
                try origin.tell(["do": "current", "id": "x"])
                try await device.until("the choice to be kept") {
                    try await Self.saved(device).first?.eligibleForPublicIndexing == true
                }
            }
        }

        @Test("an app deletes what it saved, and only that; uninstalling it deletes the rest (H-3, H-14)")
        func deletes() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let other = "com.example.other"
                let team = try await household.makeTeam()
                try await household.install(.probe(Self.probe, types: [Self.type]), team: team)
                try await household.install(.probe(other, types: [Self.type]), team: team)
                let (app, neighbour) = (try TestApp(Self.probe, on: device), try TestApp(other, on: device))
                try await app.launch()
                try await neighbour.launch()
                try neighbour.make("n", type: Self.type, title: "Neighbour's", ["search": true, "persistent": "one"])
                try await Self.until(["Neighbour's"], on: device)
                for name in ["one", "two", "three"] {
                    try app.make(name, type: Self.type, title: name, ["search": true, "persistent": name])
                    try await device.until("\(name) to be saved") {
                        try await device.call(ControlMethods.listSavedActivities).activities.first?.activity.title
                            == name
                    }
                }
                try app.tell(["do": "delete", "persistent": "one"])
                try await app.events.first("deleted")
                #expect(try await Self.saved(device).map(\.title) == ["three", "two", "Neighbour's"])
                let start = app.events.count
                try app.tell(["do": "delete"])
                try await app.events.first("deleted", from: start)
                #expect(try await Self.saved(device).map(\.title) == ["Neighbour's"])
                try await device.baton("uninstall", other, "--yes")
                // Deleted by then, not only left out.
                let rows = try await Self.savedRows(device)
                #expect(rows == 0)
                #expect(try await Self.saved(device).isEmpty)
                try await device.restart()
                // The app attaches again, with an activity that is current and whose saved copy it has deleted: its next
                // wish is sent after the messages of an attachment.
                try await device.until("the app to attach again") {
                    try await device.call(ControlMethods.listActivities).activities.contains {
                        $0.activity.title == "three" && $0.current
                    }
                }
                try app.make("four", type: Self.type, title: "four", ["search": true, "persistent": "four"])
                try await device.until("four to be saved") {
                    try await device.call(ControlMethods.listSavedActivities).activities.contains {
                        $0.activity.title == "four"
                    }
                }
                #expect(try await Self.saved(device).map(\.title) == ["four"])
            }
        }

        @Test(
            "what a program in development saved is gone when it has ended, and another process's session saves nothing"
        )
        func development() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let app = try await AppByHand.attach(
                    to: device, .init(bundleID: "com.example.tool", types: [Self.type]))
                let request = Baton_App_V1_SaveForSearchRequest.with {
                    $0.sessionID = app.session
                    $0.search = true
                    $0.payload.description_p = .with {
                        $0.activityID = ActivityID.random().rawValue
                        $0.activityType = Self.type
                        $0.title = "Tool's"
                    }
                }
                _ = try await app.client.unary(SavedActivityMethods.saveForSearch, request, timeout: .seconds(30))
                try await Self.until(["Tool's"], on: device)
                var bad = request
                bad.payload.description_p.activityType = "with space"
                await #expect(throws: BatonError.self) {
                    _ = try await app.client.unary(SavedActivityMethods.saveForSearch, bad, timeout: .seconds(30))
                }
                bad = request
                bad.payload.userInfo = .init(.dictionary([.null: .data(Data(count: 10 << 20))]))
                await #expect(throws: BatonError.self) {
                    _ = try await app.client.unary(SavedActivityMethods.saveForSearch, bad, timeout: .seconds(30))
                }
                bad = request
                bad.sessionID = SessionID.random().rawValue
                let error = await #expect(throws: BatonError.self) {
                    _ = try await app.client.unary(SavedActivityMethods.saveForSearch, bad, timeout: .seconds(30))
                }
                #expect(error?.code == .notFound)
                #expect(try await device.call(ControlMethods.listSavedActivities).activities.count == 1)
                await app.detach()
                try await Self.until([], on: device)
            }
        }

        @Test("the delegate's three callbacks come on the origin, through two daemons (H-35, H-40, H-41, H-43)")
        func callbacks() async throws {
            try await TestHousehold.with(2) { household in
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: household[0])
                let receiver = try TestApp(Self.probe, on: household[1])
                try await origin.launch()
                try await receiver.launch()
                try await receiver.behave("streams")
                try origin.make("x", type: Self.type, title: "All three", ["streams": true])
                let offer = try await household[1].offer(ofType: Self.type)
                #expect(try await household[1].continue(offer.offerID).steps.last == .acknowledged)
                for event in ["willSave", "didReceive", "wasContinued"] {
                    #expect(try await origin.events.first(event)["title"] == "All three")
                }
            }
        }

        @Test("the origin gives up its own copy once the other device has it, and not before (H-42)")
        func givesUp() async throws {
            try await TestHousehold.with(2) { household in
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: household[0])
                let receiver = try TestApp(Self.probe, on: household[1])
                try await origin.launch()
                try await receiver.launch()
                try await origin.behave("give-up")
                try await receiver.behave("refuse")
                try origin.make("item", type: Self.type, title: "Add bananas")
                let offer = try await household[1].offer(ofType: Self.type)
                #expect(try await household[1].continue(offer.offerID).errorCode == 4608)
                // No app took it: it is still there to be offered.
                #expect(!origin.events.all.contains { $0["event"] == "gaveUp" })
                try await receiver.behave("adopt")
                #expect(try await household[1].continue(offer.offerID).steps.last == .acknowledged)
                #expect(try await origin.events.first("gaveUp")["left"] == "0")
                // The item is on one device, as before.
                _ = try await household[0].offer(ofType: Self.type, title: "Add bananas")
                #expect(try await household[1].offersNow().isEmpty)
                // It says so before its daemon has heard of it.
                try await household[0].until("the origin's copy to be gone") {
                    try await household[0].call(ControlMethods.listActivities).activities.isEmpty
                }
            }
        }

        @Test(
            "the place travels with a continuation, in the west as Cupertino is; search metadata stays on its device (H-38, H-39, X-5)"
        )
        func metadata() async throws {
            try await TestHousehold.with(2) { household in
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: household[0])
                let receiver = try TestApp(Self.probe, on: household[1])
                try await origin.launch()
                try origin.make(
                    "x", type: Self.type, title: "Place",
                    [
                        "place": true, "description": "secret", "keywords": ["a", "b"], "persistent": "p",
                        "search": true,
                    ])
                let offer = try await household[1].offer(ofType: Self.type)
                #expect(try await household[1].continue(offer.offerID).steps.last == .acknowledged)
                let continued = try await receiver.events.first("continue")
                #expect(
                    continued["place"]
                        == "Apple Inc.|1|Infinite Loop|Cupertino|(800) 275-2273|37.33072|-122.029674")
                #expect(continued["description"] == nil)
                #expect(continued["keywords"] == "a,b" && continued["persistent"] == "p")
                #expect(try await Self.saved(household[1]).isEmpty)
            }
        }

        @Test(
            "a URL of a file in a directory that both devices have points at the same file there, wherever it is nested; others are as they were (H-24)"
        )
        func documents() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                var folders: [String] = []
                for (index, device) in household.devices.enumerated() {
                    let folder = try Self.path(device, "shared \(index)")
                    folders.append(folder)
                    let own = try Self.path(device, "own\(index)")
                    try await device.stop()
                    try await device.start([
                        "--document-root", "docs=\(folder)", "--document-root", "only\(index)=\(own)",
                    ])
                }
                try await household.pairAll()
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: household[0])
                let receiver = try TestApp(Self.probe, on: household[1])
                try await origin.launch()
                try FileManager.default.createSymbolicLink(
                    atPath: folders[0] + "/out", withDestinationPath: "/etc")
                let encoded = folders.map { $0.replacingOccurrences(of: " ", with: "%20") }
                let container = household[0].container(of: Self.probe)
                let urls = [
                    (
                        "file://\(encoded[0])/Report%20%F0%9F%90%92.txt",
                        "file://\(encoded[1])/Report%20%F0%9F%90%92.txt"
                    ),
                    ("file://\(encoded[0])/deep/er/", "file://\(encoded[1])/deep/er/"),
                    ("file://\(household[0].home)/own0/a", "x-baton-document://only0/a"),
                    ("file://\(encoded[0])/out/passwd", "file://\(encoded[0])/out/passwd"),
                    ("file://\(encoded[0])/%2e%2e/a", "file://\(encoded[0])/%2e%2e/a"),
                    ("file://\(container)/Documents/a", "file://\(container)/Documents/a"),
                    ("https://example.org/a", "https://example.org/a"),
                ]
                try origin.make("x", type: Self.type, title: "Documents", ["urls": urls.map(\.0)])
                let offer = try await household[1].offer(ofType: Self.type)
                #expect(try await household[1].continue(offer.offerID).steps.last == .acknowledged)
                let continued = try await receiver.events.first("continue")
                #expect(continued["urls"]?.split(separator: " ").map(String.init) == urls.map(\.1))
                #expect(continued["agree"] == "true")
            }
        }

        @Test("of a page's images only those cross the network that the other device has not got (H-81, H-83)")
        func images() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                let monkey = TestBundle.monkeyBrowser.identifier
                try await household.install(.monkeyBrowser)
                let fifo = a.container(of: monkey) + "/script"
                #expect(mkfifo(fifo, 0o600) == 0)
                try await a.baton("launch", monkey, "--env", "BATON_SCRIPT=\(fifo)")
                let (logA, logB) = (try a.events(of: monkey), try b.events(of: monkey))
                try await logA.first("ready")
                let script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
                defer { try? script.close() }
                // As the pictures of these pages were when a program of another language painted them.
                let fingerprints = [
                    "https://swift.org/a": "80637a40f9a87547 2fa3215e9ebc12c7 b30e4a599a4cdc7",
                    "https://swift.org/b": "1d67f56836a03bc7 8c867574f5e26347 b30e4a599a4cdc7",
                ]
                for (page, sent) in [
                    ("https://swift.org/a", 3), ("https://swift.org/b", 2), ("https://swift.org/a", 0),
                ] {
                    let (startA, startB) = (logA.count, logB.count)
                    try script.write(contentsOf: Data("go \(page)\n".utf8))
                    let offer = try await b.offer(ofType: "com.xamarin.monkeybrowser.tab1")
                    #expect(try await b.continue(offer.offerID).steps.last == .acknowledged)
                    let expected = ["url": page, "count": "3", "fingerprints": fingerprints[page] ?? ""]
                    try await logB.first("images", from: startB, expected)
                    try await logA.first("log", from: startA, ["message": "Sent \(sent) images of \(page)"])
                    // Until it is this device's, and so not offered here any more.
                    _ = try await a.offer(ofType: "com.xamarin.monkeybrowser.tab1")
                    try await b.offers("that nothing is offered") { $0.isEmpty }
                }
            }
        }
    }
}
