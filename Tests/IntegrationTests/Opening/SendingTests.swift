import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Apps open URLs and files in other apps: real apps, a real daemon.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SendingTests {
        private static let sender = "com.example.sender"
        private static let receiver = "com.example.receiver"
        /// The example of Apple's chapter, as it is printed there.
        private static let example = "todolist://www.acme.com?Quarterly%20Report#200806231300"

        @Test(
            "an app opens the chapter's URL in another app, which is launched, comes to the front and adds the task; it learns who sent it within one team only (U-2, U-3, U-21, U-22, X-12, S-16)"
        )
        func example() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let team = try await household.makeTeam()
                try await household.install(.toDo, team: team)
                var bundle = TestBundle.probe(Self.sender, types: [])
                bundle.queriedSchemes = ["todolist"]
                try await household.install(bundle, team: team)
                let stranger = "com.other.sender"
                try await household.install(.probe(stranger, types: []))
                let log = try ExampleLog(.toDo, on: device)
                let sender = try TestApp(Self.sender, on: device)
                try await sender.launch()
                try await Self.open(Self.example, from: sender, isOpened: true)
                try await log.line("added Quarterly Report from \(Self.sender)")
                let order = ["launched for \(Self.example)", "active", "added Quarterly Report from \(Self.sender)"]
                #expect(log.file.lines.all.filter { order.contains($0) } == order)
                let due = try #require(Self.date(2008, 6, 23, 13, 0))
                #expect(try Self.tasks(on: device) == ["\(ISO8601DateFormatter().string(from: due)) Quarterly Report"])

                // As on Apple's systems, the sender learns whether an app was found, and not what that app answers.
                try await Self.open("todolist:?", from: sender, isOpened: true)
                try await Self.open("nobody-claims-this:x", from: sender, isOpened: false)
                try await Self.canOpen("todolist:x", from: sender, true)

                let other = try TestApp(stranger, on: device)
                try await other.launch()
                let start = log.count
                try await Self.open("todolist:?Foreign", from: other, isOpened: true)
                try await log.line("added Foreign", from: start)
                #expect(log.file.lines.all.contains("added Foreign"))
                // Its Info.plist does not list the scheme under LSApplicationQueriesSchemes.
                try await Self.canOpen("todolist:x", from: other, false)
            }
        }

        @Test(
            "the older methods get the URL, the sender and what it attached, and their answer is the caller's (U-9, U-11, U-12, U-13, U-15, A-10, A-16)",
            arguments: ["options", "source", "oldest"])
        func forms(_ form: String) async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let team = try await household.makeTeam()
                var bundle = TestBundle.probe(Self.receiver, types: [])
                bundle.info = [
                    "CFBundleURLTypes": [["CFBundleURLSchemes": ["formtest"]]],
                    "CFBundleDocumentTypes": [
                        ["CFBundleTypeName": "Text", "LSItemContentTypes": ["public.plain-text"]]
                    ],
                ]
                try await household.install(bundle, team: team)
                try await household.install(.probe(Self.sender, types: []), team: team)
                let receiver = try TestApp(Self.receiver, on: device)
                try receiver.write(form, to: "form")
                let sender = try TestApp(Self.sender, on: device)
                try sender.write("Read this.", to: "note.txt")
                try await sender.launch()
                try await Self.open("formtest:cold?a", from: sender, isOpened: true)
                let cold = try await receiver.events.first("open", ["url": "formtest:cold?a"])
                #expect(cold["form"] == form)
                #expect(cold["source"] == (form == "oldest" ? nil : Self.sender))
                #expect(
                    receiver.events.all.compactMap { $0["event"] } == ["launching", "ready", "active", "open"])
                #expect(receiver.events.all.first?["url"] == "formtest:cold?a")

                // The method's result is shown to the person.
                #expect(try await device.baton("open", "formtest:warm?refuse", expecting: nil).status != 0)
                try await receiver.events.first("open", ["url": "formtest:warm?refuse"])

                // A file with an annotation, from the menu of a document.
                let file = URL(fileURLWithPath: device.container(of: Self.sender) + "/note.txt")
                try sender.tell([
                    "do": "document", "page": file.absoluteString, "texts": ["note": "urgent", "to": "you"],
                ])
                try await Self.chooseFirst(on: device)
                let opened = try await receiver.events.first("open document") {
                    $0["event"] == "open" && $0["url"]?.hasSuffix("/Documents/Inbox/note.txt") == true
                }
                #expect(opened["annotation"] == (form == "oldest" ? nil : "note=urgent,to=you"))
                #expect(opened["source"] == (form == "oldest" ? nil : Self.sender))
                #expect(receiver.events.all.count { $0["event"] == "open" } == 3)
            }
        }

        @Test(
            "http, mailto, tel and sms stay the system's: an app that registers them is not launched, their own handlers are (U-4)"
        )
        func reserved() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let handler = try SystemHandler(in: household.directory, for: ["mailto", "tel", "sms"])
                device.use(handler.environment)
                try await device.restart()
                let browser = try await RecordingBrowser(device, in: household)
                var bundle = TestBundle.probe(Self.receiver, types: [])
                let schemes = ["http", "https", "mailto", "tel", "sms", "receiver"]
                bundle.info = ["CFBundleURLTypes": [["CFBundleURLSchemes": schemes, "CFBundleTypeRole": "Editor"]]]
                try await household.install(bundle)
                let receiver = try TestApp(Self.receiver, on: device)

                let mail = ["mailto:ada@example.com?subject=Hello%20there", "tel:+1-408-555-5555", "sms:+14085555555"]
                for url in mail { try await device.baton("open", url) }
                try await device.until("the handler to be given all") { handler.urls.count == mail.count }
                #expect(handler.urls.sorted() == mail.sorted())
                let pages = [
                    "http://maps.google.com/maps?q=Cupertino", "http://www.youtube.com/watch?v=VIDEO",
                    "http://phobos.apple.com/WebObjects/MZStore.woa/wa/viewAlbum?i=156093464",
                ]
                for page in pages { try await device.baton("open", page) }
                try await device.until("the browser to be given all") { browser.pages.count == pages.count }
                #expect(browser.pages == pages.map { "1 \($0)" })
                #expect(try await receiver.processID() == nil)
                #expect(receiver.events.all.isEmpty)
                let why = try await device.baton("explain", "url", mail[0]).lines.joined()
                #expect(why.contains("No app can claim “mailto”"))
            }
        }

        @Test(
            "a directions app gets its requests as URLs, by the method that all URLs come by; an address is looked up where no coordinate is valid; the app deletes each from its Inbox (A-13, P-43, P-44, U-26, X-6)"
        )
        func directions() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.directions)
                let log = try ExampleLog(.directions, on: device)
                func open(_ name: String, _ text: String, expecting status: Int32? = 0) async throws {
                    let path = "\(household.directory)/\(name).mkdirectionsrequest"
                    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                    try await device.baton("open", path, expecting: status)
                }
                let address = #""address": {"Street": "1 Infinite Loop", "City": "Cupertino"}"#
                try await open(
                    "valid",
                    #"{"destination": {"name": "Apple", "latitude": 37.331, "longitude": -122.029674, \#(address)}}"#)
                try await log.line("directions to Apple at 37.331, -122.029674")
                try await open("missing", #"{"destination": {"name": "Home", \#(address)}}"#)
                try await log.line("directions to Home: looks up 1 Infinite Loop, Cupertino")
                try await open(
                    "invalid", #"{"destination": {"name": "Far", "latitude": 91, "longitude": 0, \#(address)}}"#)
                try await log.line("directions to Far: looks up 1 Infinite Loop, Cupertino")
                for (number, text) in [
                    #"{"destination": {"name": "Nowhere"}}"#, "{}", "[]", "", #"{"destination": 7}"#,
                    String(repeating: "[", count: 60_000), #"{"source": {}}"# + String(repeating: " ", count: 70_000),
                ].enumerated() {
                    let start = log.count
                    try await open("bad\(number)", text, expecting: nil)
                    try await log.line("refused", from: start)
                }
                let inbox = device.container(of: "com.example.Directions") + "/Documents/Inbox"
                let left = try FileManager.default.contentsOfDirectory(atPath: inbox)
                #expect(!left.contains { $0.hasPrefix("valid") || $0.hasPrefix("missing") })
            }
        }

        // MARK: Parts

        private static func open(_ url: String, from app: TestApp, isOpened: Bool) async throws {
            let start = app.events.count
            try app.tell(["do": "openURL", "page": url])
            let event = try await app.events.first("opened", from: start, ["url": url])
            #expect(event["opened"] == "\(isOpened)", "\(url)")
        }

        private static func canOpen(_ url: String, from app: TestApp, _ can: Bool) async throws {
            try app.tell(["do": "canOpen", "page": url])
            #expect(try await app.events.first("canOpen", ["url": url])["can"] == "\(can)")
        }

        /// Chooses the first app of a document's menu.
        private static func chooseFirst(on device: TestDevice) async throws {
            let client = device.client
            let question = try await within(.seconds(20), "the menu") {
                for try await news in try await client.serverStream(ControlMethods.watchQuestions, .init())
                where news.hasQuestion { return news.questionID }
                throw IntegrationFailure("The questions ended.")
            }
            try await device.baton("answer", "\(question)", "1")
        }

        static func tasks(on device: TestDevice) throws -> [String] {
            let path = device.container(of: "com.acme.ToDoList") + "/Documents/todo.txt"
            return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        }

        /// In the Gregorian calendar, here.
        static func date(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> Date? {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .current
            return calendar.date(
                from: DateComponents(year: year, month: month, day: day, hour: hour, minute: minute))
        }
    }
}

/// A program of the desktop that opens some schemes, and writes down what it is given.
struct SystemHandler: Sendable {
    /// The daemon's environment.
    let environment: [String: String]
    private let record: String

    init(in directory: String, for schemes: [String]) throws {
        let data = directory + "/desktop"
        let applications = data + "/applications"
        try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
        record = data + "/urls"
        let program = data + "/handler"
        try FileManager.default.copyItem(atPath: Products.path("ScriptApp"), toPath: program)
        try Data(#"printf '%s\n' "$1" >> "\#(record)""#.utf8).write(to: URL(fileURLWithPath: program + ".script"))
        let types = schemes.map { "x-scheme-handler/\($0)" }
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Handler
            Exec=\(program) %u
            MimeType=\(types.joined(separator: ";"));

            """
        try Data(entry.utf8).write(to: URL(fileURLWithPath: applications + "/handler.desktop"))
        let index = "[MIME Cache]\n" + types.map { "\($0)=handler.desktop;\n" }.joined()
        try Data(index.utf8).write(to: URL(fileURLWithPath: applications + "/mimeinfo.cache"))
        environment = [
            "XDG_DATA_HOME": data, "XDG_DATA_DIRS": "/usr/share", "XDG_CONFIG_HOME": data + "/config",
            "XDG_CONFIG_DIRS": "/nonexistent",
        ]
    }

    var urls: [String] {
        let text = (try? String(contentsOfFile: record, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}
