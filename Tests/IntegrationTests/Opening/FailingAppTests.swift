import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// Apps that cannot take a file opened in them: the caller gets an error, and the next request starts anew.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct FailingAppTests {
        @Test(arguments: [
            ("echo started; exit 3", "app_ended"), ("echo started; kill -SEGV $$", "app_ended"),
            ("echo started; exec /nonexistent/program", "app_ended"),
        ])
        func `an app that ends at its launch is launched once for each request, and the caller is told`(
            _ script: String, _ reason: String
        ) async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let bundle = try BundleFixture(
                    in: household.directory, bundleID: "com.example.failing", executable: .script(script),
                    info: ["CFBundleURLTypes": [["CFBundleURLSchemes": ["failing"]]]]
                ).signed(by: try TeamKey(name: "Team"))
                try await device.baton("install", bundle.path)
                let log = try FileFollower("\(device.locations.appLogs)/com.example.failing.log")
                for count in 1...2 {
                    let opened = try await device.baton("open", "failing:x", expecting: nil)
                    #expect(opened.status != 0)
                    #expect(opened.errors.contains(reason), "\(opened.errors)")
                    _ = try await within(.seconds(20), "the app's launch") {
                        try await log.lines.expect(from: count - 1) { $0 == "started" ? $0 : nil }
                    }
                    #expect(log.lines.all.count { $0 == "started" } == count)
                }
                await log.end()
            }
        }

        private static let receiver = "com.example.receiver"

        /// An app that reports the calls it gets, in a form of the delegate's methods.
        private func withReceiver(
            _ body: (TestDevice, TestApp) async throws -> Void
        ) async throws {
            try await TestHousehold.with(1, paired: false) { household in
                var bundle = TestBundle.probe(Self.receiver, types: [])
                bundle.info = ["CFBundleURLTypes": [["CFBundleURLSchemes": ["failing"]]]]
                try await household.install(bundle)
                let app = try TestApp(Self.receiver, on: household[0])
                try app.write("options", to: "form")
                try await body(household[0], app)
            }
        }

        private func opened(_ app: TestApp, from start: Int = 0) -> [String] {
            app.events.all.dropFirst(start).filter { $0["event"] == "open" }.compactMap { $0["url"] }
        }

        /// Once the app has reported the last of them.
        private func expect(_ urls: [String], openedBy app: TestApp, from start: Int = 0) async throws {
            guard let last = urls.last else { return }
            try await app.events.first("open", from: start, ["url": last])
            #expect(opened(app, from: start) == urls)
        }

        @Test(
            "an app that ends while it is given a URL is given it once; the caller is told, the next URL starts it anew"
        )
        func endsDuringDelivery() async throws {
            try await withReceiver { device, app in
                try await device.baton("open", "failing:first")
                let process = try await app.processID()
                // Running.
                let crashed = try await device.baton("open", "failing:second?crash", expecting: nil)
                #expect(crashed.status != 0 && crashed.errors.contains("app_ended"), "\(crashed.errors)")
                try await device.baton("open", "failing:third")
                try await expect(["failing:first", "failing:second?crash", "failing:third"], openedBy: app)
                #expect(try await app.processID() != process)
                // Launched for it.
                try await device.baton("quit", Self.receiver)
                let cold = try await device.baton("open", "failing:fourth?crash", expecting: nil)
                #expect(cold.status != 0 && cold.errors.contains("app_ended"), "\(cold.errors)")
                try await device.baton("open", "failing:fifth")
                try await app.events.first("open", ["url": "failing:fifth"])
                #expect(opened(app).suffix(2) == ["failing:fourth?crash", "failing:fifth"])
                #expect(app.events.all.count { $0["event"] == "launching" } == 4)
            }
        }

        @Test(
            "an app that hangs at its launch is given everything once when it goes on; if it is ended, the caller is told"
        )
        func hangsAtLaunch() async throws {
            try await withReceiver { device, app in
                let fifo = device.container(of: Self.receiver) + "/hold"
                #expect(mkfifo(fifo, 0o600) == 0)
                let urls = (0..<5).map { "failing:held-\($0)" }
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for url in urls {
                        group.addTask {
                            try await device.call(
                                ControlMethods.openItem, .with { $0.url = url }, timeout: .seconds(60)
                            ).handled
                        }
                        try await device.until("\(url) to be asked for") {
                            try await device.records().count { $0.event == "opened" }
                                == (urls.firstIndex(of: url) ?? 0) + 1
                        }
                    }
                    try await app.events.first("launching")
                    #expect(opened(app).isEmpty)
                    try write(fifo)
                    for try await handled in group { #expect(handled) }
                }
                for url in urls { try await app.events.first("open", ["url": url]) }
                #expect(opened(app).sorted() == urls)
                #expect(app.events.all.count { $0["event"] == "launching" } == 1)

                try await device.baton("quit", Self.receiver)
                let start = app.events.count
                async let told = device.baton("open", "failing:lost", expecting: nil)
                try await app.events.first("launching", from: start)
                let process = try #require(try await app.processID())
                kill(process, SIGKILL)
                let failure = try await told
                #expect(failure.status != 0 && failure.errors.contains("app_ended"), "\(failure.errors)")
                #expect(opened(app, from: start).isEmpty)
                unlink(fifo)
                try await device.baton("open", "failing:found")
                try await expect(["failing:found"], openedBy: app, from: start)
            }
        }

        private func write(_ fifo: String) throws {
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: fifo))
            try handle.write(contentsOf: Data("x".utf8))
            try handle.close()
        }
    }
}
