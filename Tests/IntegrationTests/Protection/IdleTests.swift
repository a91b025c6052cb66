import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing

extension Integration {
    /// An app keeps the screen on: a real app and daemon, and a screen saver on a bus.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct IdleTests {
        private struct Event: Decodable {
            var event: String
            var application: String?
        }

        @Test(
            "isIdleTimerDisabled keeps the screen saver away while the app is active, and no longer than the app lives")
        func keepsAwake() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let (device, bus) = (household[0], try await SessionBus())
                let saver = try ChildProcess(
                    ["/usr/bin/python3", Products.package + "/Tests/Support/screensaver_service.py"],
                    environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
                var next = 0
                func expect(_ event: String) async throws -> Event {
                    let (output, start) = (saver.output, next)
                    let found = try await within(.seconds(20), "the screen saver's event “\(event)”") {
                        try await output.first(from: start) { line in
                            (try? JSONDecoder().decode(Event.self, from: Data(line.utf8))).flatMap {
                                $0.event == event ? $0 : nil
                            }
                        }
                    }
                    guard let found else { throw IntegrationFailure("The screen saver ended: \(saver.errors.all)") }
                    next = found.next
                    return found.found
                }
                _ = try await expect("ready")
                device.use(bus)
                try await device.restart()
                try await household.install(.probe("com.example.player", types: []))
                let app = try TestApp("com.example.player", on: device)
                try await app.launch()
                try app.tell(["do": "awake", "number": 1])
                #expect(try await expect("inhibit").application == "player")
                try app.tell(["do": "background"])
                _ = try await expect("release")
                try app.tell(["do": "foreground"])
                _ = try await expect("inhibit")
                try app.tell(["do": "awake", "number": 0])
                _ = try await expect("release")
                try app.tell(["do": "awake", "number": 1])
                _ = try await expect("inhibit")
                guard let process = try await app.processID() else { throw IntegrationFailure("The app does not run.") }
                kill(process, SIGKILL)
                _ = try await expect("release")
                await saver.kill()
                await bus.end()
            }
        }
    }
}
