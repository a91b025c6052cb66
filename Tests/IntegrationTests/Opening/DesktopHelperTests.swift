import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing

extension Integration {
    /// baton-desktop, started by a real daemon on a virtual screen.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DesktopHelperTests {
        private struct Desktop {
            let household: TestHousehold
            let windows: ScreenWindows
            var device: TestDevice { household[0] }
        }

        /// A device whose daemon knows the screen and finds the helper.
        private static func with(
            _ environment: [String: String] = [:], _ body: @escaping (Desktop) async throws -> Void
        ) async throws {
            let folder = Products.package + "/Desktop/.build/debug"
            guard FileManager.default.isExecutableFile(atPath: folder + "/baton-desktop") else {
                throw IntegrationFailure("baton-desktop is not built. dev/desktop builds it.")
            }
            let screen = try await VirtualScreen()
            let outcome: Result<Void, any Error>
            do {
                try await TestHousehold.with(1, paired: false) { household in
                    let device = household[0]
                    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
                    device.use([
                        "DISPLAY": screen.display, "PATH": "\(folder):\(path)", "GDK_BACKEND": "x11",
                        "GSETTINGS_BACKEND": "memory",
                    ])
                    device.use(environment)
                    try await device.restart()
                    try await body(Desktop(household: household, windows: ScreenWindows(on: screen)))
                }
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            await screen.end()
            try outcome.get()
        }

        private struct Status: Decodable {
            var desktopHelper: String
            var desktopHelperAvailable: Bool
        }

        private struct Questions: Decodable {
            struct Question: Decodable { var options: [String] }
            var questions: [Question]
        }

        @Test(
            "the share sheet of an app that was launched is a window, and what is chosen there is performed (A-2, A-3)")
        func sheet() async throws {
            try await Self.with { desktop in
                let device = desktop.device
                let before = try await device.baton("status").decode(Status.self)
                #expect(before.desktopHelperAvailable && before.desktopHelper.contains("is started for them"))
                try await desktop.household.install(.shareSheet)
                let log = try FileFollower("\(device.locations.appLogs)/com.example.ShareSheet.log")

                try await device.baton("open", "sharesheet:text?Hello%20there")
                let window = try await desktop.windows.shown("Share Sheet")
                #expect(try await device.baton("status").decode(Status.self).desktopHelper.contains("which runs"))
                // A look at the terminal meanwhile takes nothing away.
                let options = try await device.baton("questions").decode(Questions.self).questions.first?.options
                let number = try #require(options?.firstIndex(of: "Print It Out Here"))
                try await desktop.windows.press(Array(repeating: "Tab", count: number) + ["Return"], in: window)
                try await printed("“Hello there”", log)
                try await printed("completed com.example.ShareSheet.printOut", log)
                try await desktop.windows.gone("Share Sheet")

                // The helper still runs; Escape wants none of it.
                try await device.baton("open", "sharesheet:text?again")
                let second = try await desktop.windows.shown("Share Sheet")
                try await desktop.windows.press(["Escape"], in: second)
                try await printed("not completed nothing", log)

                // An app that ends takes its sheet along.
                try await device.baton("open", "sharesheet:text?more")
                _ = try await desktop.windows.shown("Share Sheet")
                try await device.baton("quit", "com.example.ShareSheet")
                try await desktop.windows.gone("Share Sheet")
                await log.end()
            }
        }

        @Test("U-23: the launch image is shown until the app is active")
        func launchImage() async throws {
            try await Self.with { desktop in
                let device = desktop.device
                var bundle = TestBundle.probe("com.example.slow", types: [])
                bundle.hasLaunchImage = true
                try await desktop.household.install(bundle)
                // The app reads this file before it has finished launching, and waits until the test has written it.
                let container = device.container(of: bundle.identifier)
                try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: true)
                #expect(mkfifo(container + "/startup", 0o600) == 0)
                try await device.baton("launch", bundle.identifier)
                _ = try await desktop.windows.shown("slow")
                let writer = try ChildProcess(["sh", "-c", ": > '\(container)/startup'"])
                #expect(try await writer.status() == 0)
                try await desktop.windows.gone("slow")
            }
        }

        @Test(
            "on a screen of two pixels a point, a launch by a URL shows the scheme's picture for that screen (U-23, U-25)"
        )
        func sharpLaunchImage() async throws {
            try await Self.with(["GDK_SCALE": "2"]) { desktop in
                let device = desktop.device
                var bundle = TestBundle.probe("com.example.sharp", types: [])
                bundle.info = ["CFBundleURLTypes": [["CFBundleURLSchemes": ["myapp"]]]]
                let path = try bundle.write(in: desktop.household.directory)
                let pictures = Products.package + "/Examples/LaunchImages"
                try FileManager.default.copyItem(
                    atPath: pictures + "/Default-myapp@2x.png", toPath: path + "/Default-myapp@2x.png")
                // The others are no pictures: none of them can be shown.
                for name in ["Default-myapp", "Default", "Default@2x"] {
                    try Data(name.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name).png"))
                }
                try await device.baton("sign", path, "--team", try await desktop.household.makeTeam())
                try await device.baton("install", "--yes", path)
                // The app reads this file before it has finished launching, and waits until the test has written it.
                let container = device.container(of: bundle.identifier)
                try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: true)
                #expect(mkfifo(container + "/startup", 0o600) == 0)
                let opening = try device.startBaton(["open", "myapp:hello"])
                _ = try await desktop.windows.shown("sharp")
                let writer = try ChildProcess(["sh", "-c", ": > '\(container)/startup'"])
                #expect(try await writer.status() == 0)
                try await desktop.windows.gone("sharp")
                _ = try await opening.status()
            }
        }

        private func printed(_ text: String, _ log: FileFollower) async throws {
            let lines = log.lines
            try await within(.seconds(20), "the app to print “\(text)”") {
                guard try await lines.first({ $0.contains(text) ? $0 : nil }) != nil else {
                    throw IntegrationFailure("The app's log ended before “\(text)”.")
                }
            }
        }
    }
}
