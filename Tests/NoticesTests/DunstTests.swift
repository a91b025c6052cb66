import BatonCore
import BatonTestSupport
import Foundation
import Notices
import Testing

/// dunst, a notification daemon of real desktops, under a display without a screen. Needs Debian's `dunst` and `xvfb`.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DunstTests {
    @Test("dunst shows an offer with its button, which dunstctl uses, and closes what is over (H-10, H-13)")
    func dunst() async throws {
        let bus = try await SessionBus()
        let screen = try ChildProcess(["Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"])
        let number = try await within(.seconds(30), "Xvfb") { try await screen.output.first { $0 } }
        let environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "DISPLAY": ":\(number?.found ?? "")", "HOME": "/nonexistent",
        ]
        // By lines: into a pipe it would print only when its buffer is full.
        let dunst = try ChildProcess(
            ["stdbuf", "-oL", "dunst", "-config", "/dev/null", "-print"], environment: environment)
        @Sendable func control(_ arguments: String...) async throws -> String {
            let process = try ChildProcess(["dunstctl"] + arguments, environment: environment)
            _ = try await within(.seconds(20), "dunstctl") { try await process.status() }
            try await process.output.waitForEnd()
            return process.output.all.joined(separator: "\n")
        }
        @Sendable func isDisplayed(_ count: String) async throws {
            try await within(.seconds(20), "\(count) on the screen") {
                while try await control("count", "displayed") != count {
                    try await Task.sleep(for: .milliseconds(50))  // sleeps: dunst causes no event
                }
            }
        }
        let ledger = NSTemporaryDirectory() + "baton-notices-\(UUID().uuidString).json"
        let accepted = Lines()
        let display = DesktopDisplay(environment: environment, ledger: ledger, trust: { _ in true })
        let service = NoticeService(displays: [display], recorder: NullEventRecorder()) {
            accepted.add($0.activity.rawValue)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            service.input(.offersChanged([Made.offer(1), Made.offer(2, app: 1, title: "<i>Two</i>")]))
            try await isDisplayed("2")
            let printed = try await within(.seconds(20), "the text of the offer") {
                try await dunst.output.first { $0.contains("App 0 from Desk 0") ? $0 : nil }
            }
            #expect(printed != nil, "\(dunst.output.all)")
            // The default action of the newest.
            _ = try await control("action", "0")
            let activity = try await within(.seconds(20), "the acceptance") { try await accepted.first { $0 } }
            #expect([Made.activity(1), Made.activity(2)].map(\.rawValue).contains(activity?.found ?? ""))
            try await isDisplayed("1")
            service.input(.offersChanged([]))
            try await isDisplayed("0")
            group.cancelAll()
        }
        await dunst.kill()
        await screen.kill()
        await bus.end()
        try? FileManager.default.removeItem(atPath: ledger)
    }
}
