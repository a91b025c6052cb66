import BatonCore
import BatonTestSupport
import Foundation
import Notices
import Testing

/// A real bus (`dbus-daemon`), with a server of the test's own that misbehaves on command.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DesktopBusTests {
    /// The person's actions that the display received.
    private final class Answers: Sendable {
        private let lines = Lines()
        private let reader: Task<Void, Never>

        init(_ display: DesktopDisplay) {
            let lines = lines
            // Ends with the display, which the test shuts down.
            reader = Task {
                for await event in display.events { lines.add("\(event)") }
            }
        }

        func next(_ event: NoticeDisplayEvent) async throws {
            let lines = lines
            _ = try await within(.seconds(20), "\(event)") { try await lines.expect { $0 == "\(event)" ? true : nil } }
        }

        var count: Int { lines.count }
    }

    private func withDisplay(
        mode: String = "", capabilities: String = "actions,body,body-markup",
        _ body: (DesktopDisplay, NotificationServer, Answers, SessionBus, String) async throws -> Void
    ) async throws {
        let bus = try await SessionBus()
        let server = try await NotificationServer(on: bus, mode: mode, capabilities: capabilities)
        let ledger = NSTemporaryDirectory() + "baton-notices-\(UUID().uuidString).json"
        let display = Self.display(bus, ledger)
        do {
            try await body(display, server, Answers(display), bus, ledger)
        } catch {
            await end(display, server, bus, ledger)
            throw error
        }
        await end(display, server, bus, ledger)
    }

    private static func display(_ bus: SessionBus, _ ledger: String) -> DesktopDisplay {
        DesktopDisplay(environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address], ledger: ledger, trust: { _ in true })
    }

    private func end(
        _ display: DesktopDisplay, _ server: NotificationServer, _ bus: SessionBus, _ ledger: String
    ) async {
        await display.shutdown()
        await server.end()
        await bus.end()
        try? FileManager.default.removeItem(atPath: ledger)
    }

    @Test("a notice is shown, replaced, answered and closed over a real bus (H-10, H-13)")
    func lifeOfANotice() async throws {
        try await withDisplay { display, server, answers, _, ledger in
            var notice = Made.notice(1)
            notice.lines[0] = "<b>Tom & Jerry</b>"
            display.show(notice)
            var (event, next) = try await server.first("notify")
            #expect(event.application == "Baton")
            #expect(event.summary == "App 0 from Desk 0")
            #expect(event.body == "&lt;b&gt;Tom &amp; Jerry&lt;/b&gt;\nApp 0 continues it here.")
            #expect(event.actions == ["default", "Continue", "continue", "Continue"])
            #expect(event.hints?["urgency"] == "1")
            #expect(event.replaces == 0)
            let id = try #require(event.id)
            display.show(Made.notice(1, title: "Changed"))
            (event, next) = try await server.first("notify", from: next)
            #expect(event.replaces == id)
            #expect(event.summary == "Changed")
            server.invoke(id)
            try await answers.next(.invoked(1))
            server.close(id)
            try await answers.next(.closed(1))
            display.show(Made.notice(2))
            (event, next) = try await server.first("notify", from: next)
            display.close(2)
            _ = try await server.first("close", from: next) { [id = event.id] in $0.id == id }
            // The server's report about a notice that we closed is ignored.
            #expect(answers.count == 2)
            // Nothing is left for another daemon to close.
            while FileManager.default.fileExists(atPath: ledger) {
                try await Task.sleep(for: .milliseconds(10))  // sleeps: the file causes no event
            }
        }
    }

    @Test("signals of another program on the bus, of unknown notices and of unknown buttons are nothing")
    func strangers() async throws {
        try await withDisplay { display, server, answers, bus, _ in
            display.show(Made.notice(1))
            let (event, next) = try await server.first("notify")
            let id = try #require(event.id)
            for (member, arguments) in [
                ("ActionInvoked", ["us", "\(id)", "continue"]), ("NotificationClosed", ["uu", "\(id)", "2"]),
                ("ActionInvoked", ["s", "wrong"]), ("NotificationClosed", ["as", "0"]),
            ] {
                let stranger = try ChildProcess(
                    [
                        "busctl", "--address=\(bus.address)", "emit", "/org/freedesktop/Notifications",
                        "org.freedesktop.Notifications", member,
                    ] + arguments)
                #expect(try await stranger.status() == 0)
            }
            server.invoke(id, "other")
            server.invoke(id &+ 1)
            server.close(4_294_967_295)
            server.invoke(id)
            try await answers.next(.invoked(1))
            #expect(answers.count == 1)
            display.close(1)
            _ = try await server.first("close", from: next)
        }
    }

    @Test("a server that is not trusted is shown nothing: it could press buttons in the person's place")
    func impostor() async throws {
        try await withDisplay { trusting, server, _, bus, ledger in
            let judged = Lines()
            let display = DesktopDisplay(environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address], ledger: ledger + ".2")
            {
                judged.add($0 == nil ? "unknown" : "judged")
                return false
            }
            display.show(Made.notice(1, title: "Not for the impostor"))
            _ = try await within(.seconds(20), "a judgement") { try await judged.expect { $0 } }
            #expect(judged.all == ["judged"])
            await display.shutdown()
            trusting.show(Made.notice(2, title: "For the server"))
            #expect(try await server.first("notify").event.summary == "For the server")
        }
    }

    @Test(
        "servers that answer 0, an error, huge numbers or the same number twice cost nothing but notices",
        arguments: ["zero", "error", "huge", "same", "closing"])
    func hostile(mode: String) async throws {
        try await withDisplay(mode: mode) { display, server, _, _, _ in
            var next = 0
            for id in 1...20 {
                display.show(Made.notice(UInt64(id)))
                next = try await server.first("notify", from: next).next
            }
            for id in 1...20 { display.close(UInt64(id)) }
            server.set("")
            try await server.first("done", from: next)
            display.show(Made.notice(100))
            let (event, after) = try await server.first("notify", from: next) { $0.summary == "App 0 from Desk 0" }
            display.close(100)
            try await server.first("close", from: after) { $0.id == event.id }
        }
    }

    @Test("a server that goes away in the middle of a call: the next one is shown what is open")
    func dies() async throws {
        try await withDisplay(mode: "dying") { display, server, answers, bus, _ in
            display.show(Made.notice(1, title: "Open"))
            try await server.first("notify")
            await server.end()
            let second = try await NotificationServer(on: bus)
            let (event, _) = try await second.first("notify")
            #expect(event.summary == "Open")
            second.invoke(try #require(event.id))
            try await answers.next(.invoked(1))
            await second.end()
        }
    }

    @Test("a server that comes after the notice is shown what is open; without a bus nothing happens at all")
    func comesLater() async throws {
        let bus = try await SessionBus()
        let ledger = NSTemporaryDirectory() + "baton-notices-\(UUID().uuidString).json"
        let display = Self.display(bus, ledger)
        display.show(Made.notice(1))
        let server = try await NotificationServer(on: bus, capabilities: "body")
        let (event, _) = try await server.first("notify")
        #expect(event.actions == [])
        #expect(event.body?.contains("baton continue") == true)
        await end(display, server, bus, ledger)

        for environment in [[:], ["DBUS_SESSION_BUS_ADDRESS": "disabled:"], ["XDG_RUNTIME_DIR": "/nonexistent"]] {
            let none = DesktopDisplay(environment: environment, ledger: ledger, trust: { _ in true })
            none.show(Made.notice(1))
            none.close(1)
            await none.shutdown()
        }
    }

    @Test("a daemon that ends takes its notices away; what a killed one left, the next one closes")
    func leftovers() async throws {
        try await withDisplay { display, server, _, bus, ledger in
            display.show(Made.notice(1))
            var (event, next) = try await server.first("notify")
            await display.shutdown()
            next = try await server.first("close", from: next) { [id = event.id] in $0.id == id }.next

            // As if killed: it holds its notice, and another one begins.
            let killed = Self.display(bus, ledger)
            killed.show(Made.notice(1))
            (event, next) = try await server.first("notify", from: next)
            while !FileManager.default.fileExists(atPath: ledger) {
                try await Task.sleep(for: .milliseconds(10))  // sleeps: the file causes no event
            }
            let heir = Self.display(bus, ledger)
            next = try await server.first("close", from: next) { [id = event.id] in $0.id == id }.next
            await heir.shutdown()
            await killed.shutdown()
        }
    }

    @Test("a server that does not answer holds nobody up, also at the end")
    func silent() async throws {
        try await withDisplay(mode: "silent") { display, server, answers, _, _ in
            for id in 1...5 { display.show(Made.notice(UInt64(id))) }
            try await server.first("notify")
            // Without an end it would take as long as the suite may.
            await display.shutdown()
            #expect(answers.count == 0)
        }
    }
}
