import Baton
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import MonkeyBrowser

@MainActor
@Suite(.timeLimit(.minutes(1))) struct MonkeyBrowserTests {
    @Test("four tabs with a type of activity each, all declared (S-1, H-6)")
    func tabs() throws {
        #expect(Tab.allCases.map(\.title) == ["Weather", "Favorite", "Coffee Break", "Work"])
        #expect(Tab.allCases.map(\.activityType) == (1...4).map { "com.xamarin.monkeybrowser.tab\($0)" })
        let plist = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Examples/MonkeyBrowser/Info.plist").standardized
        let content = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: plist), options: [], format: nil)
        let dictionary = try #require(content as? [String: Any])
        #expect(dictionary["NSUserActivityTypes"] as? [String] == Tab.allCases.map(\.activityType))
        #expect(dictionary["CFBundleIdentifier"] as? String == "com.xamarin.monkeybrowser")
        #expect(dictionary["CFBundleExecutable"] as? String == "MonkeyBrowser")
    }

    @Test("each tab opens with a page of its own, and registers with the app delegate (S-31)")
    func startPages() async throws {
        try await withApp { app in
            let pages = Dictionary(
                uniqueKeysWithValues: Tab.allCases.map { ($0.startPage, PageContent(title: $0.title, lines: [])) })
            #expect(pages.count == 4)
            let delegate = AppDelegate(log: RecordingLog(), loader: Pages(pages))
            #expect(delegate.viewControllers.isEmpty)
            _ = delegate.application(UIApplication.shared, didFinishLaunchingWithOptions: nil)
            for tab in Tab.allCases {
                let viewController = try #require(delegate.viewControllers[tab])
                #expect(viewController === delegate.browser[tab])
                #expect(viewController.address == tab.startPage && viewController.userActivity == nil)
                while viewController.page != .loaded(tab.startPage, PageContent(title: tab.title, lines: [])) {
                    await Task.yield()
                }
            }
        }
    }

    @Test("a page's title and text are read from its source, without scripts and tags")
    func html() {
        let page = PageContent(
            html: """
                <!doctype html><html><head><title>Apes &amp; \n monkeys</title><style>p { color: red }</style></head>
                <body><h1>Apes</h1><p>Big &#x2014; and <b>clever</b>.<br/>No tails</p>
                <script>if (a < b) alert("<p>x</p>")</script>
                <!-- <p>not this</p> --><ul><li>One<li>Two &unknown; &</ul> 1 < 2 </body
                """)
        #expect(page.title == "Apes & monkeys")
        #expect(page.lines.prefix(5) == ["Apes", "Big — and clever.", "No tails", "One", "Two &unknown; &"])
        for text in ["", "<", "&", "<title>", "&#xFFFFFFFF;", "&#99999999999;", "<!--", "<script>", "</"] {
            _ = PageContent(html: text)
        }
    }

    @Test("Go makes the tab's activity with title, delegate and Url, and makes it current (S-2, H-17, H-32)")
    func go() async throws {
        try await withApp { app in
            let log = RecordingLog()
            let browser = Browser(log: log, loader: Pages())
            browser.frontViewController.go("https://example.org/monkeys")
            let told = try #require(await app.nextAttach().activities.first)
            #expect(told.makeCurrent)
            #expect(told.activity.activityType == "com.xamarin.monkeybrowser.tab1")
            #expect(told.activity.title == "Weather Tab")
            let activity = try #require(browser.frontViewController.userActivity)
            #expect(activity.userInfo?["Url"] as? String == "https://example.org/monkeys")
            #expect(activity.delegate is MonkeyActivityDelegate)
            #expect(browser.frontViewController.address == "https://example.org/monkeys")
            #expect(
                log.all == [
                    Event(
                        name: "current",
                        fields: [
                            "tab": "1", "type": "com.xamarin.monkeybrowser.tab1", "title": "Weather Tab",
                            "url": "https://example.org/monkeys",
                        ])
                ])
            // Another page is another activity, and the one before has ended.
            browser.frontViewController.go("https://example.org/apes")
            #expect(browser.frontViewController.userActivity !== activity)
        }
    }

    @Test("only the front tab's page is offered (H-18, H-99)")
    func frontTab() async throws {
        try await withApp { app in
            let browser = Browser(log: RecordingLog(), loader: Pages())
            browser.frontViewController.go("a")
            _ = try await app.nextAttach()
            browser.select(.work)
            guard case .resign = try await app.daemon.nextCall() else { throw UnexpectedCall() }
            browser.select(.weather)
            #expect(try await app.nextUpdate().activity.title == "Weather Tab")
            browser.select(.favorite)
            guard case .resign = try await app.daemon.nextCall() else { throw UnexpectedCall() }
            browser.frontViewController.go("b")
            #expect(try await app.nextUpdate().activity.title == "Favorite Tab")
            browser.select(.weather)
            #expect(try await app.nextUpdate().activity.title == "Weather Tab")
        }
    }

    @Test("the sender logs that the activity is saved and was continued, and sends its Url (S-3, S-11)")
    func sender() async throws {
        try await withApp { app in
            let log = RecordingLog()
            let browser = Browser(log: log, loader: Pages())
            browser.frontViewController.go("https://example.org/monkeys")
            _ = try await app.nextAttach()
            let activity = try #require(browser.frontViewController.userActivity)
            let payload = try #require(await app.savedPayload(activity))
            #expect(
                try PropertyValue(payload.userInfo)
                    == .dictionary([.string("Url"): .string("https://example.org/monkeys")]))
            _ = try await app.ask(.wasContinued(.with { $0.activityID = payload.description_p.activityID }))
            #expect(
                log.messages == [
                    "User Activity will be Saved: Weather Tab", "User Activity Was Continued: Weather Tab",
                ])
            let streams = (InputStream(data: Data()), OutputStream(toMemory: ()))
            activity.delegate?.userActivity(activity, didReceive: streams.0, outputStream: streams.1)
            #expect(log.messages.last == "User Activity Received Data: Weather Tab")
        }
    }

    @Test(
        "the receiver shows the notice, then the page, keeps the activity and makes it current (S-4, S-5, S-6, S-7, S-8, H-69, H-75)"
    )
    func receiver() async throws {
        try await withApp { app in
            let log = RecordingLog()
            let content = PageContent(title: "Coffee", lines: ["Two sorts"])
            let delegate = AppDelegate(log: log, loader: Pages(["https://example.org/coffee": content]))
            delegate.loadViews()
            let browser = delegate.browser
            try await app.attach(delegate: delegate)
            let type = "com.xamarin.monkeybrowser.tab3"
            guard case .willContinue(let will)? = try await app.ask(willContinue("A", type: type)) else {
                throw UnexpectedCall()
            }
            #expect(will.showsProgress)
            #expect(browser.front == .coffeeBreak)
            #expect(browser[.coffeeBreak].overlay.isShown)
            #expect(browser[.coffeeBreak].overlay.indicator(at: .now) != " ")
            #expect(browser[.coffeeBreak].overlay.alpha(at: .now + .seconds(1)) == 0.5)
            let userInfo = PropertyValue.dictionary([.string("Url"): .string("https://example.org/coffee")])
            let id = app.daemon.send(continueActivity("A", type: type, userInfo: userInfo))
            var update: Baton_App_V1_UpdateActivityRequest?
            for _ in 0..<2 {
                switch try await app.daemon.nextCall() {
                case .update(let request): update = request
                case .complete(let request):
                    #expect(request.commandID == id)
                    #expect(request.continued.handled)
                default: throw UnexpectedCall()
                }
            }
            #expect(update?.activity.activityType == type)
            #expect(update?.makeCurrent == true)
            #expect(browser[.coffeeBreak].address == "https://example.org/coffee")
            #expect(!browser[.coffeeBreak].overlay.isShown)
            #expect(browser[.coffeeBreak].overlay.alpha(at: .now + .seconds(1)) == 0)
            #expect(
                log.messages == [
                    "Will Continue Activity: \(type)", "Continuing User Activity: \(type)", "Restoring Activity Title",
                ])
            let names = log.all.map(\.name).filter { $0 != "loaded" }
            #expect(names == ["log", "log", "current", "log", "restored"])
            #expect(log.all.last { $0.name == "restored" }?.fields["url"] == "https://example.org/coffee")
            while browser[.coffeeBreak].page != .loaded("https://example.org/coffee", content) { await Task.yield() }
        }
    }

    @Test("a type that is no tab's is not handled")
    func unknownType() async throws {
        try await withApp { app in
            let delegate = AppDelegate(log: RecordingLog(), loader: Pages())
            delegate.loadViews()
            try await app.attach(delegate: delegate)
            guard case .willContinue(let will)? = try await app.ask(willContinue("A", type: "x.y")) else {
                throw UnexpectedCall()
            }
            #expect(!will.showsProgress)
            #expect(try await app.ask(continueActivity("A", type: "x.y")) == .continued(.with { $0.handled = false }))
        }
    }

    @Test("a failure is logged with its type and description, and the notice goes (S-9)")
    func failure() async throws {
        try await withApp { app in
            let log = RecordingLog()
            let delegate = AppDelegate(log: log, loader: Pages())
            delegate.loadViews()
            try await app.attach(delegate: delegate)
            let type = "com.xamarin.monkeybrowser.tab1"
            _ = try await app.ask(willContinue("A", type: type))
            _ = try await app.ask(
                .didFail(
                    .with {
                        $0.acceptanceID = "A"
                        $0.activityType = type
                        $0.error = .with {
                            $0.code = 4608
                            $0.message = "The device went away."
                        }
                    }))
            #expect(
                log.messages.last == "User Activity \(type) failed to continue. Error: The device went away.")
            #expect(!delegate.browser[.weather].overlay.isShown)
        }
    }

    @Test("the notice fades in within a second to half, and out again within a second, from where it is (S-5)")
    func overlayFades() {
        let start = ContinuousClock.now
        var overlay = Overlay()
        #expect(!overlay.isFading(at: start))
        overlay.show(at: start)
        #expect(overlay.alpha(at: start) == 0)
        #expect(overlay.alpha(at: start + .milliseconds(500)) == 0.25)
        #expect(overlay.isFading(at: start + .milliseconds(999)))
        #expect(overlay.alpha(at: start + .seconds(1)) == 0.5)
        #expect(!overlay.isFading(at: start + .seconds(1)))
        overlay.hide(at: start + .milliseconds(500))
        #expect(overlay.alpha(at: start + .milliseconds(1_000)) == 0.125)
        #expect(overlay.alpha(at: start + .milliseconds(1_500)) == 0)
    }
}

@MainActor
@Suite struct MonkeyBrowserInterfaceTests {
    @Test("commands of a script are understood, and nothing else is")
    func commands() {
        #expect(ScriptCommand("tab 2") == .tab(.favorite))
        #expect(ScriptCommand("go  https://a.b/c d ") == .go("https://a.b/c d"))
        #expect(ScriptCommand("state") == .state)
        #expect(ScriptCommand("quit") == .quit)
        for line in ["", " ", "tab", "tab 5", "tab x", "go", "quit now", "fly"] { #expect(ScriptCommand(line) == nil) }
    }

    @Test("a script works through the view controllers and shows the state")
    func script() async throws {
        try await withApp { app in
            let log = RecordingLog()
            let browser = Browser(log: log, loader: Pages())
            let script = ScriptInterface(browser: browser, log: log, source: .standardInput)
            for line in ["tab 4", "go https://a.b", "state", "nonsense", ""] { script.perform(line) }
            _ = try await app.nextAttach()
            #expect(browser.front == .work)
            #expect(log.all.map(\.name) == ["current", "state", "error"])
            #expect(log.all[1].fields["url"] == "https://a.b")
            #expect(log.all[1].fields["tab"] == "4")
        }
    }

    @Test("a run gets the interface that fits it")
    func choices() {
        func choice(_ arguments: [String], _ environment: [String: String], _ isTerminal: Bool) -> InterfaceChoice {
            InterfaceChoice(arguments: arguments, environment: environment, isTerminal: isTerminal)
        }
        #expect(choice(["m"], [:], true) == .terminal)
        #expect(choice(["m"], [:], false) == .headless)
        #expect(choice(["m", "--script"], [:], true) == .standardInput)
        #expect(choice(["m", "--script"], ["BATON_SCRIPT": "/f"], false) == .file("/f"))
        #expect(choice(["m", "--script=/g"], [:], false) == .file("/g"))
        #expect(choice(["m"], ["BATON_SCRIPT": ""], false) == .headless)
        let window = InterfaceChoice(arguments: ["m"], environment: [:], isTerminal: true, window: "/w")
        #expect(window == .window("/w"))
        let script = InterfaceChoice(arguments: ["m", "--script"], environment: [:], isTerminal: false, window: "/w")
        #expect(script == .standardInput)
    }

    @Test("there is a window with a display, outside of the sandbox, and where its program is installed (S-1)")
    func window() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appendingPathComponent("monkeybrowser-window").path
        #expect(FileManager.default.createFile(atPath: program, contents: nil, attributes: [.posixPermissions: 0o755]))
        func found(_ environment: [String: String], _ executable: String = "/nowhere/m") -> String? {
            WindowInterface.program(environment: environment, executable: executable)
        }
        #expect(found(["DISPLAY": ":7", "PATH": "/none:\(folder.path)"]) == program)
        #expect(found(["WAYLAND_DISPLAY": "wayland-0"], folder.path + "/m") == program)
        #expect(found(["DISPLAY": "", "PATH": folder.path]) == nil)
        #expect(found(["PATH": folder.path]) == nil)
        #expect(found(["DISPLAY": ":7", "PATH": folder.path, "CFFIXED_USER_HOME": "/c"]) == nil)
    }

    @Test("a link that is followed is another page, and another activity (S-2)")
    func link() async throws {
        try await withApp { app in
            let browser = Browser(log: RecordingLog(), loader: Pages())
            browser.frontViewController.go("https://example.org/monkeys")
            _ = try await app.nextAttach()
            browser.frontViewController.follow("https://example.org/apes")
            let activity = try #require(browser.frontViewController.userActivity)
            #expect(activity.userInfo?["Url"] as? String == "https://example.org/apes")
            #expect(activity.title == "Weather Tab")
            #expect(browser.frontViewController.address == "https://example.org/apes")
            // The page that is shown already is no other one.
            browser.frontViewController.follow("https://example.org/apes")
            #expect(browser.frontViewController.userActivity === activity)
        }
    }

    @Test("an event is one line of JSON")
    func json() {
        let event = Event(name: "log", fields: ["message": "a \"b\"\n/ü"])
        #expect(event.json == #"{"event":"log","message":"a \"b\"\n/ü"}"#)
    }

    @Test("keys are read from a terminal's bytes, also in pieces")
    func keys() {
        var parser = KeyParser()
        #expect(parser.parse("aü".utf8) == [.character("a"), .character("ü")])
        #expect(parser.parse([0x1B]) == [])
        #expect(parser.parse([0x5B]) == [])
        #expect(parser.parse([0x43]) == [.nextTab])
        #expect(parser.parse([0x1B, 0x4F, 0x44, 0x0D]) == [.previousTab, .enter])
        #expect(parser.parse([0x1B, 0x5B, 0x33, 0x7E]) == [])
        #expect(parser.parse([0x7F, 0x15, 0x09, 0x03]) == [.backspace, .clear, .nextTab, .quit])
        #expect(parser.parse([0xFF, 0x41, 0xC3]) == [.character("A")])
        #expect(parser.parse([0xBC, 0x01]) == [.character("ü")])
    }

    @Test("what a person sees: tabs, address, page, and the notice in shades with its activity indicator (S-5, S-31)")
    func screen() {
        var screen = TerminalScreen(
            front: .favorite, address: "https://a.b",
            page: .loaded("https://a.b", PageContent(title: "A page", lines: ["Its text"])),
            overlayAlpha: 0, indicator: "◐", log: ["one", "two"],
            width: 60, height: 16)
        #expect(screen.render().contains("\u{1B}[7m Favorite \u{1B}[0m"))
        #expect(screen.render().contains("two"))
        #expect(screen.render().contains("A page") && screen.render().contains("Its text"))
        #expect(!screen.render().contains(Overlay.message))
        screen.overlayAlpha = 0.5
        #expect(screen.render().contains("\u{1B}[48;5;244m\u{1B}[38;5;255m  ◐ \(Overlay.message)"))
        screen.overlayAlpha = 0.25
        #expect(screen.render().contains("\u{1B}[48;5;238m"))
        #expect(screen.render().components(separatedBy: "\r\n").count == 16)
    }

    @Test("a page's images survive the stream, and anything else than whole images is refused (S-10)")
    func images() {
        let images = PageImage.images(of: "https://example.org")
        let data = PageImageCoding.encode(images)
        #expect(images.count == 3 && data.count > 100_000)
        #expect(PageImageCoding.decode(data) == images)
        #expect(PageImageCoding.decode(Data()) == [])
        for bad in [data.dropLast(), data + Data("x".utf8), Data("a -1\n".utf8), Data("a 99999999999\n".utf8)] {
            #expect(PageImageCoding.decode(bad) == nil)
        }
        #expect(PageImageCoding.decode(Data((0..<65).flatMap { Array("i\($0) 0\n".utf8) })) == nil)
    }

    @Test("pictures that the other device has already are named instead of sent (H-83)")
    func knownImages() throws {
        let (first, second) = (PageImage.images(of: "https://a.org/1"), PageImage.images(of: "https://a.org/2"))
        // The site's own picture is on both pages; on another site it is another.
        #expect(first[2] == second[2] && first[0] != second[0])
        #expect(PageImage.images(of: "https://b.org/1")[2] != first[2])
        var cache = ImageCache()
        cache.add(first)
        let question = ImageQuestion(ImageQuestion(url: "https://a.org/2", known: cache.images.keys).data)
        #expect(question == ImageQuestion(url: "https://a.org/2", known: first.map(\.fingerprint)))
        let answer = PageImageCoding.encode(second, known: question.known)
        #expect(answer.count < PageImageCoding.encode(second).count * 3 / 4)
        #expect(PageImageCoding.decode(answer, cache: cache.images) == second)
        // Asked for the same page again, next to nothing is sent.
        cache.add(second)
        let again = PageImageCoding.encode(second, known: Set(cache.images.keys))
        #expect(again.count < 200)
        #expect(PageImageCoding.decode(again, cache: cache.images) == second)
        // One that names a picture that was never sent is refused.
        #expect(PageImageCoding.decode(again) == nil)
        for number in 0..<100 { cache.add(PageImage.images(of: "https://a.org/\(number)x")) }
        #expect(cache.images.count == 64)
    }

    @Test("what another device sent cannot steer the terminal")
    func hostileAddress() {
        let screen = TerminalScreen(
            front: .weather, address: "\u{1B}[2Jx",
            page: .loaded("x", PageContent(title: "\u{1B}]0;t\u{07}", lines: ["\u{1B}]0;u"])),
            overlayAlpha: 0,
            log: ["\u{1B}c"], width: 60, height: 16)
        let text = screen.render()
        #expect(!text.contains("\u{1B}[2J"))
        #expect(!text.contains("\u{1B}]0"))
        #expect(!text.contains("\u{1B}c"))
    }
}

private struct Pages: PageLoader {
    private let pages: [String: PageContent]

    init(_ pages: [String: PageContent] = [:]) { self.pages = pages }

    func page(at address: String) async throws -> PageContent {
        guard let page = pages[address] else { throw PageFailure("There is no such page.") }
        return page
    }
}

private final class RecordingLog: EventLog {
    private let mailbox = Mailbox<Event>()
    func record(_ event: Event) { mailbox.send(event) }
    var all: [Event] { mailbox.pending }
    var messages: [String] { all.filter { $0.name == "log" }.compactMap { $0.fields["message"] } }
}
