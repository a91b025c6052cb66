import Foundation

/// A notification server of the test's own on a session bus, which can misbehave. Needs Debian's `python3-dbus` and
/// `python3-gi`.
package final class NotificationServer: Sendable {
    /// What the server was told, or did.
    package struct Event: Decodable, Sendable {
        package var event: String
        package var id: UInt32?
        package var replaces: UInt32?
        package var application: String?
        package var icon: String?
        package var summary: String?
        package var body: String?
        package var actions: [String]?
        package var hints: [String: String]?
        package var timeout: Int32?
    }

    private let process: ChildProcess

    /// - Parameters:
    ///   - mode: how it answers `Notify`; see ``set(_:)``.
    ///   - capabilities: what it says that it can.
    package init(
        on bus: SessionBus, mode: String = "", capabilities: String = "actions,body,body-markup,persistence"
    ) async throws {
        process = try ChildProcess(
            ["/usr/bin/python3", "-c", Self.program, mode, capabilities],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        try await first("ready")
    }

    package var events: [Event] { process.output.all.compactMap(Self.event) }

    /// The first event from the index on that matches. Waits for it.
    @discardableResult
    package func first(
        _ name: String, from start: Int = 0, limit: Duration = .seconds(20),
        where matches: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) async throws -> (event: Event, next: Int) {
        let (lines, errors) = (process.output, process.errors)
        return try await within(limit, "the notification server's “\(name)”; it said: \(errors.all)") {
            let found = try await lines.first(from: start) { line -> Event? in
                guard let event = Self.event(line), event.event == name, matches(event) else { return nil }
                return event
            }
            guard let found else { throw IntegrationFailure("The notification server ended: \(errors.all)") }
            return (found.found, found.next)
        }
    }

    /// The person uses a button.
    package func invoke(_ id: UInt32, _ action: String = "continue") { process.write("invoke \(id) \(action)") }
    /// The person closes a notification.
    package func close(_ id: UInt32, reason: Int = 2) { process.write("close \(id) \(reason)") }
    /// `zero`, `huge`, `same`, `error`, `silent`, `closing`, `dying`, or nothing for good manners.
    package func set(_ mode: String) { process.write("mode \(mode)") }
    package func end() async { await process.kill() }

    private static func event(_ line: String) -> Event? {
        try? JSONDecoder().decode(Event.self, from: Data(line.utf8))
    }

    private static let program = #"""
        import json, os, sys
        import dbus, dbus.service, dbus.mainloop.glib
        from gi.repository import GLib

        NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"

        def tell(event, **fields):
            print(json.dumps(dict(fields, event=event)), flush=True)

        class Server(dbus.service.Object):
            def __init__(self, bus, mode, capabilities):
                dbus.service.Object.__init__(self, bus, PATH)
                self.mode, self.capabilities, self.last = mode, capabilities, 0

            @dbus.service.method(NAME, out_signature="as")
            def GetCapabilities(self):
                tell("capabilities")
                return dbus.Array(self.capabilities, signature="s")

            @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u", async_callbacks=("ok", "fail"))
            def Notify(self, application, replaces, icon, summary, body, actions, hints, timeout, ok, fail):
                known = self.mode not in ("zero", "huge", "same", "error", "silent", "dying")
                if replaces and known:
                    number = int(replaces)
                elif self.mode == "zero":
                    number = 0
                elif self.mode == "huge":
                    number = 0xFFFFFFFF - self.last
                    self.last += 1
                elif self.mode == "same":
                    number = 7
                else:
                    self.last += 1
                    number = self.last
                tell("notify", id=number, replaces=int(replaces), application=application, icon=icon, summary=summary,
                     body=body, actions=list(actions), hints={str(k): str(v if isinstance(v, str) else int(v)) for k, v in hints.items()},
                     timeout=int(timeout))
                if self.mode == "dying":
                    os._exit(1)
                elif self.mode == "error":
                    fail(dbus.DBusException("no", name="org.example.Refused"))
                elif self.mode != "silent":
                    if self.mode == "closing":
                        self.NotificationClosed(number, 2)
                    ok(dbus.UInt32(number))

            @dbus.service.method(NAME, in_signature="u")
            def CloseNotification(self, number):
                tell("close", id=int(number))
                self.NotificationClosed(number, 3)

            @dbus.service.signal(NAME, signature="uu")
            def NotificationClosed(self, number, reason):
                pass

            @dbus.service.signal(NAME, signature="us")
            def ActionInvoked(self, number, action):
                pass

        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        server = Server(bus, sys.argv[1], [c for c in sys.argv[2].split(",") if c])
        name = dbus.service.BusName(NAME, bus)
        loop = GLib.MainLoop()

        def command(source, condition):
            # Lines are short, so that each is read whole.
            lines = os.read(0, 65536).decode().splitlines()
            if not lines:
                loop.quit()
                return False
            for words in map(str.split, lines):
                if words[0] == "invoke":
                    server.ActionInvoked(dbus.UInt32(int(words[1])), words[2])
                elif words[0] == "close":
                    server.NotificationClosed(dbus.UInt32(int(words[1])), dbus.UInt32(int(words[2])))
                elif words[0] == "mode":
                    server.mode = words[1] if len(words) > 1 else ""
                tell("done")
            return True

        GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, command)
        tell("ready")
        loop.run()
        """#
}
