import DesktopProtocol
import Foundation
import Synchronization
import Testing
import WindowProtocol

/// MonkeyBrowser's window, with pages of a web server, on a virtual screen.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BrowserWindowTests {
    /// The program, as MonkeyBrowser runs it.
    private final class Window: Sendable {
        let process: ChildProcess
        let windows: ScreenWindows
        /// Events that were read.
        private let read = Mutex(0)

        init(on screen: VirtualScreen, home: String) throws {
            var environment = HelperFixture.environment(screen.display)
            for name in ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"] {
                environment[name] = home
            }
            process = try ChildProcess([try HelperFixture.program("monkeybrowser-window")], environment: environment)
            windows = ScreenWindows(on: screen)
        }

        func send(_ command: WindowCommand) { process.write(bytes: DesktopLines.line(command) ?? []) }

        func load(_ request: UInt64, _ url: String, tab: Int = 0) {
            send(.load(request: request, tab: tab, url: url))
        }

        func event() async throws -> WindowEvent? {
            let (index, lines) = (read.withLock { $0 }, process.output)
            let next = try await within(.seconds(30), "an event") { try await lines.first(from: index) { $0 } }
            guard let next else { return nil }
            read.withLock { $0 = next.next }
            return DesktopLines.message(WindowEvent.self, in: Array(next.found.utf8))
        }
    }

    private func with(_ body: (Window, PageServer) async throws -> Void) async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let (screen, pages) = (try await VirtualScreen(), try await PageServer())
        var window: Window?
        let outcome: Result<Void, any Error>
        do {
            let made = try Window(on: screen, home: home.path)
            window = made
            #expect(try await made.event() == .ready)
            try await body(made, pages)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await window?.process.end()
        await pages.end()
        await screen.end()
        try outcome.get()
    }

    private func state(
        front: Int = 0, address: String = "", failure: String = "", message: String = "", alpha: Double = 0
    ) -> WindowState {
        let titles = ["Weather", "Favorite", "Coffee Break", "Work"]
        return WindowState(
            front: front,
            tabs: titles.enumerated().map { index, title in
                let isFront = index == front
                return WindowTab(
                    title: title, address: isFront ? address : "", failure: isFront ? failure : "",
                    message: isFront ? message : "", overlayAlpha: isFront ? alpha : 0)
            })
    }

    @Test("four tabs load real pages, and the window is called after the one in front (S-1, S-7)")
    func pages() async throws {
        try await with { window, pages in
            window.send(.show(state: state()))
            _ = try await window.windows.shown("Weather – MonkeyBrowser")
            for tab in 0..<4 {
                window.load(UInt64(tab), "\(pages.root)/t\(tab)", tab: tab)
                #expect(try await window.event() == .loaded(request: UInt64(tab), title: "Page t\(tab)"))
            }
            _ = try await window.windows.shown("Page t0 – MonkeyBrowser")
            window.send(.show(state: state(front: 3)))
            // Four pages have been loaded, so the window has been drawn.
            let front = try await window.windows.shown("Page t3 – MonkeyBrowser")
            // The person turns to another tab; what the app shows is no turn of the person's.
            try await window.windows.click(front, x: 50, y: 20)
            #expect(try await window.event() == .selected(tab: 0))
            _ = try await window.windows.shown("Page t0 – MonkeyBrowser")
        }
    }

    @Test("an address that is typed is asked for, and a link that is clicked is told of (S-2)")
    func person() async throws {
        try await with { window, pages in
            window.send(.show(state: state(address: "old")))
            // With a page in it the window has been drawn, so that a click meets what it is meant for.
            window.load(9, "\(pages.root)/drawn")
            #expect(try await window.event() == .loaded(request: 9, title: "Page drawn"))
            let shown = try await window.windows.shown("Page drawn – MonkeyBrowser")
            try await window.windows.click(shown, x: 400, y: 60)
            try await window.windows.press(["ctrl+a"], in: shown)
            try await window.windows.type("example.org/new")
            try await window.windows.press(["Return"], in: shown)
            #expect(try await window.event() == .go(tab: 0, address: "example.org/new"))
            for (target, page) in [("", "first"), (" target='_blank'", "second")] {
                let link = "<a\(target) style='display:block;height:600px' href='\(pages.root)/\(page)'>x</a>"
                window.load(1, "data:text/html,<title>Link</title>\(link)")
                #expect(try await window.event() == .loaded(request: 1, title: "Link"))
                try await window.windows.click(try await window.windows.shown("Link – MonkeyBrowser"), x: 300, y: 300)
                #expect(try await window.event() == .navigated(tab: 0, url: "\(pages.root)/\(page)"))
                _ = try await window.windows.shown("Page \(page) – MonkeyBrowser")
            }
        }
    }

    @Test("the notice of a page that is on its way is shown until the page is there (S-5)")
    func notice() async throws {
        try await with { window, pages in
            window.send(.show(state: state(message: "Continuing Activity...", alpha: 0.5)))
            _ = try await window.windows.shown("Continuing Activity... – MonkeyBrowser")
            window.send(.show(state: state()))
            _ = try await window.windows.shown("Weather – MonkeyBrowser")
        }
    }

    @Test func `a page that does not come is answered for, and so is one that another replaces`() async throws {
        try await with { window, pages in
            window.send(.show(state: state()))
            window.load(1, "http://127.0.0.1:1024/")
            guard case .failed(1, let why)? = try await window.event() else {
                Issue.record("It has not failed.")
                return
            }
            #expect(why.contains("127.0.0.1"))
            window.load(2, "\(pages.root)/two")
            window.load(3, "\(pages.root)/three")
            guard case .failed(2, _)? = try await window.event() else {
                Issue.record("The older one goes on.")
                return
            }
            #expect(try await window.event() == .loaded(request: 3, title: "Page three"))
            window.load(4, "\(pages.root)/four", tab: 77)
            guard case .failed(4, _)? = try await window.event() else {
                Issue.record("There are more than four tabs.")
                return
            }
            for line in ["", "{}", "null", #"{"load":{}}"#, #"{"show":{"state":{"front":-9,"tabs":[]}}}"#] {
                window.process.write(line)
            }
            window.load(5, "\(pages.root)/five")
            #expect(try await window.event() == .loaded(request: 5, title: "Page five"))
            window.process.closeInput()
            let process = window.process
            #expect(try await within(.seconds(20), "the end") { try await process.status() } == 0)
        }
    }
}
