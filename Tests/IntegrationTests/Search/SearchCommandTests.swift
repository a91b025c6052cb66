import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import Testing

extension Integration {
    /// `baton search` and its kin, with a real daemon and real apps.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SearchCommandTests {
        private struct Found: Decodable {
            struct Item: Decodable {
                var title: String
                var source: String
                var origin: String
                var snippet: String?
                var actionTitles: [String]
            }
            struct Correction: Decodable { var word: String }
            var results: [Item]
            var corrections: [Correction]
        }

        private struct Explained: Decodable { var itemRank: Int }
        private struct Indexes: Decodable {
            struct Index: Decodable {
                var items: Int
                var source: String
            }
            var indexes: [Index]
        }

        private static func found(_ device: TestDevice, _ words: String...) async throws -> Found {
            try await device.baton(["search"] + words).decode(Found.self)
        }

        @Test(
            "An item of an app is found by words of its text, mistyped too, with its app named, and opened in the app that is started for it, once; with an action, and by a search that goes on in the app (P-6)"
        )
        func item() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let app = try await RunningExample(.restaurantReviews, in: household, on: device)
                try app.type("index")
                try await app.log.line("indexed 2 restaurants")
                try await device.until("the item to be found") {
                    try await Self.found(device, "dumplings", "carts").results.first?.title == "Yank Sing"
                }
                let item = try #require(try await Self.found(device, "dumplings").results.first)
                #expect(item.source == "item" && item.origin == "Restaurant Reviews" && item.actionTitles == ["Call"])
                #expect(item.snippet?.contains("Dumplings from carts") == true)
                let mistyped = try await Self.found(device, "dumplnigs")
                #expect(mistyped.results.first?.title == "Yank Sing" && !mistyped.corrections.isEmpty)
                let explained = try await device.baton(
                    "explain", "search", "dumplings", "--item", "\(app.identifier)/yank-sing")
                #expect(try explained.decode(Explained.self).itemRank == 1)
                let indexes = try await device.baton("index", app.identifier).decode(Indexes.self).indexes
                #expect(indexes.contains { $0.source == "item" && $0.items == 2 })

                // The app is started for the result.
                try await device.baton("quit", app.identifier)
                let start = app.log.count
                try await device.baton("search", "dumplings", "--open", "1")
                try await app.log.line("launched", from: start)
                try await app.log.line("Yank Sing", from: start)
                // One of its actions, by the title that the app's Info.plist has; and the search goes on in the app.
                let next = app.log.count
                try await device.baton("search", "dumplings", "--open", "1", "--action", "Call")
                try await app.log.line("does call with yank-sing", from: next)
                try await device.baton("search", "dumplings", "--app", app.identifier, "--in-app")
                try await app.log.line("searched dumplings: 1", from: next)

                // The restaurant that the app shows is an activity, which a running app may save again.
                try await device.baton("quit", app.identifier)
                try await device.baton("forget", "--app", app.identifier)
                #expect(try await Self.found(device, "dumplings").results.isEmpty)
                for name in [
                    "search.sqlite", "search.sqlite-wal", "search-journal.sqlite", "search-journal.sqlite-wal",
                ] {
                    let data = try? Data(contentsOf: URL(fileURLWithPath: "\(device.locations.data)/\(name)"))
                    #expect(data?.range(of: Data("umpling".utf8)) == nil, "\(name)")
                }
            }
        }

        @Test(
            "An app that does not run is launched for its index extension when it is to index again, and ended afterwards"
        )
        func indexExtension() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let app = try await RunningExample(.restaurantReviews, in: household, on: device)
                try await device.baton("quit", app.identifier)
                #expect(try await Self.found(device, "dumplings").results.isEmpty)
                let start = app.log.count
                try await device.baton("index", app.identifier, "--again")
                try await app.log.line("indexes all again", from: start)
                try await device.until("the item to be found") {
                    try await Self.found(device, "dumplings", "carts").results.first?.title == "Yank Sing"
                }
                try await device.until("the app to end") {
                    let apps = try await device.call(ControlMethods.listApps).apps
                    return apps.first { $0.identity.bundleID == app.identifier }?.running == false
                }
            }
        }

        @Test(
            "A result that is an activity is given back to its app as that activity, of its own type, by a cold start too (P-5, P-11)"
        )
        func activity() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let app = try await RunningExample(.xamarinPlatform, in: household, on: device)
                try app.type("show")
                try await app.log.line("shows http://xamarin.com/platform")
                try await device.until("the activity to be found") {
                    try await Self.found(device, "mobile", "language").results.first?.source == "activity"
                }
                try await device.baton("quit", app.identifier)
                let start = app.log.count
                try await device.baton("search", "xamarin", "platform", "--open", "1")
                try await app.log.line("restored http://xamarin.com/platform: The Xamarin Platform", from: start)
            }
        }

        @Test("A document in iCloud is found by its text, follows its changes, and goes with the file")
        func documents() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let container = try await TestContainer(device)
                try container.write("<h1>Dumplings</h1> of Rincon", to: "menus/Lunch.html")
                try await device.until("the document to be found") {
                    try await Self.found(device, "dumplings", "rincon").results.first?.title == "Lunch.html"
                }
                let item = try #require(try await Self.found(device, "lunch").results.first)
                #expect(item.source == "document")
                try container.write("Noodles", to: "menus/Lunch.html")
                try await device.until("the change to be found") {
                    try await Self.found(device, "noodles").results.first?.title == "Lunch.html"
                }
                #expect(try await Self.found(device, "dumplings").results.isEmpty)
                // Its app exchanges it for a link to a file that is the person's alone: that one is not opened.
                let secret = device.locations.data + "/secret.html"
                try Data("Secret".utf8).write(to: URL(fileURLWithPath: secret))
                try container.remove("menus/Lunch.html")
                try FileManager.default.createSymbolicLink(
                    atPath: container.path("menus/Lunch.html"), withDestinationPath: secret)
                let opened = try await device.baton(["search", "lunch", "--open", "1"], expecting: nil)
                #expect(opened.status != 0)
                try container.remove("menus/Lunch.html")
                try await device.until("the document to be gone") {
                    try await Self.found(device, "lunch").results.isEmpty
                }
            }
        }
    }
}

/// An example that is installed, runs, and does what a test types.
private struct RunningExample {
    let identifier: String
    let log: ExampleLog
    private let script: FileHandle

    init(_ bundle: TestBundle, in household: TestHousehold, on device: TestDevice) async throws {
        try await household.install(bundle, on: [device])
        identifier = bundle.identifier
        let fifo = device.container(of: identifier) + "/script"
        guard mkfifo(fifo, 0o600) == 0 else { throw IntegrationFailure("No FIFO can be made at \(fifo).") }
        try await device.baton("launch", identifier, "--env", "BATON_SCRIPT=\(fifo)")
        script = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
        log = try ExampleLog(bundle, on: device)
    }

    func type(_ line: String) throws { try script.write(contentsOf: Data((line + "\n").utf8)) }
}
