import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import Testing

extension Integration {
    /// MonkeyBrowser's window on two devices, each with a virtual screen, between two real daemons.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct BrowserWindowTests {
        private static let monkey = TestBundle.monkeyBrowser.identifier

        private struct Launched: Decodable { var processId: Int32 }

        /// The app's commands for its window, of which a copy is kept in a file.
        private enum Command: Decodable {
            struct State: Decodable { var tabs: [Tab] }
            struct Tab: Decodable {
                var failure: String
                var message: String
                var overlayAlpha: Double
            }

            case show(state: State)
            case load(request: UInt64, tab: Int, url: String)
        }

        private struct Desk {
            let device: TestDevice
            let screen: VirtualScreen
            let commands: FileFollower
            var windows: ScreenWindows { ScreenWindows(on: screen) }

            init(_ device: TestDevice) async throws {
                let program = Products.package + "/Desktop/.build/debug/monkeybrowser-window"
                guard FileManager.default.isExecutableFile(atPath: program) else {
                    throw IntegrationFailure("monkeybrowser-window is not built. dev/desktop builds it.")
                }
                self.device = device
                screen = try await VirtualScreen()
                let folder = device.home + "/window"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let script = "#!/bin/sh\ntee '\(folder)/commands' | '\(program)'\n"
                try Data(script.utf8).write(to: URL(fileURLWithPath: folder + "/monkeybrowser-window"))
                chmod(folder + "/monkeybrowser-window", 0o755)
                commands = try FileFollower(folder + "/commands")
                let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
                device.use([
                    "DISPLAY": screen.display, "PATH": "\(folder):\(path)", "GDK_BACKEND": "x11",
                    "GSETTINGS_BACKEND": "memory", "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CACHE_HOME": folder,
                    "XDG_CONFIG_HOME": folder,
                ])
                try await device.restart()
            }

            /// The first tab, each time that it was shown.
            var frames: [Command.Tab] {
                commands.lines.all.compactMap { line in
                    guard case .show(let state)? = try? JSONDecoder().decode(Command.self, from: Data(line.utf8)) else {
                        return nil
                    }
                    return state.tabs.first
                }
            }

            /// The pages that the tabs have asked for, by tab.
            var asked: [Int: String] {
                let loads = commands.lines.all.compactMap { line -> (Int, String)? in
                    guard
                        case .load(_, let tab, let url)? = try? JSONDecoder().decode(
                            Command.self, from: Data(line.utf8))
                    else { return nil }
                    return (tab, url)
                }
                return Dictionary(loads) { first, _ in first }
            }

            func shows(_ what: String, _ isShown: @escaping @Sendable (Command.Tab) -> Bool) async throws {
                try await device.until("\(what) on \(device.name)") { frames.last.map(isShown) ?? false }
            }

            func end() async {
                await commands.end()
                await screen.end()
            }
        }

        @Test(
            "a page that is typed in one window appears in another, after a notice that fades in and out (S-1, S-2, S-4, S-5, S-6, S-7, S-8, S-31, H-67)"
        )
        func continued() async throws {
            try await TestHousehold.with(2) { household in
                let a = try await Desk(household[0])
                let b = try await Desk(household[1])
                let pages = try await PageServer(prefix: a.device.prefix, address: a.device.address)
                let outcome: Result<Void, any Error>
                do {
                    try await household.install(.monkeyBrowserWindow)
                    try await Self.typeAndContinue(a, b, pages)
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                for desk in [a, b] { _ = try? await desk.device.baton("quit", Self.monkey) }
                await pages.end()
                await a.end()
                await b.end()
                try outcome.get()
            }
        }

        private static func typeAndContinue(_ a: Desk, _ b: Desk, _ pages: PageServer) async throws {
            let app = try await a.device.baton("launch", monkey).decode(Launched.self).processId
            try await b.device.baton("launch", monkey)
            let (logA, logB) = (try a.device.events(of: monkey), try b.device.events(of: monkey))
            try await logA.first("window")
            try await logB.first("window")
            let window = try await a.windows.shown("Weather – MonkeyBrowser")
            // Each tab has asked for a page of its own, which is not to be had here.
            try await a.device.until("four tabs to ask for their pages") { a.asked.count == 4 }
            #expect(Set(a.asked.keys) == [0, 1, 2, 3] && Set(a.asked.values).count == 4)
            try await a.shows("that there is no page") { !$0.failure.isEmpty }
            try await a.windows.click(window, x: 400, y: 60)
            try await a.windows.press(["ctrl+a"], in: window)
            try await a.windows.type("\(pages.root)/monkeys")
            try await a.windows.press(["Return"], in: window)
            try await logA.first("loaded", ["tab": "1", "url": "\(pages.root)/monkeys"])
            _ = try await a.windows.shown("Page monkeys – MonkeyBrowser")

            let offer = try await b.device.offer(ofType: "com.xamarin.monkeybrowser.tab1", title: "Weather Tab")
            // The page takes long to come: the app that has it does not answer.
            kill(app, SIGSTOP)
            async let continued = b.device.continue(offer.offerID)
            do {
                _ = try await b.windows.shown("Continuing Activity... – MonkeyBrowser")
                try await b.shows("the whole notice") { $0.overlayAlpha == 0.5 }
            } catch {
                kill(app, SIGCONT)
                throw error
            }
            kill(app, SIGCONT)
            #expect(try await continued.last?.step == .acknowledged)
            try await logB.first("restored", ["title": "Weather Tab", "url": "\(pages.root)/monkeys"])
            try await logB.first("loaded", ["tab": "1", "url": "\(pages.root)/monkeys"])
            _ = try await b.windows.shown("Page monkeys – MonkeyBrowser")
            try await b.shows("no notice") { $0.message.isEmpty }
            let alphas = b.frames.map(\.overlayAlpha)
            let top = try #require(alphas.firstIndex(of: 0.5))
            #expect(alphas.max() == 0.5 && alphas.last == 0)
            #expect(alphas[..<top] == alphas[..<top].sorted()[...])
            #expect(alphas[top...] == alphas[top...].sorted(by: >)[...])
            // A fade is many frames, also on a machine that is busy.
            #expect(Set(alphas).count > 4)
            try await logA.first("log", ["message": "User Activity Was Continued: Weather Tab"])
        }
    }
}
