import Foundation
import Testing

/// The input method in a real field of GTK 3, on a virtual screen.
@Suite(.serialized, .timeLimit(.minutes(2))) struct InputMethodTests {
    /// Stands for the daemon: it answers each call with one place, and prints which were called.
    private static let daemon = """
        from http.server import BaseHTTPRequestHandler
        from json import dumps
        from socketserver import UnixStreamServer
        from sys import argv
        class Calls(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                print(self.path, self.headers["Content-Type"], body, flush=True)
                place = {"text": "101 Spear St, San Francisco, CA 94105", "title": "Yank Sing", "source": "Reviews"}
                answer = dumps(place).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
            def log_message(self, *_): pass
            def address_string(self): return ""
        server = UnixStreamServer(argv[1], Calls)
        print("ready", flush=True)
        server.serve_forever()
        """
    private static func daemon(at socket: String) async throws -> ChildProcess {
        let daemon = try ChildProcess(["python3", "-c", Self.daemon, socket])
        _ = try await within(.seconds(20), "the daemon") { try await daemon.output.expect { $0 == "ready" ? $0 : nil } }
        return daemon
    }

    private static let offer = "\(address) (Yank Sing, seen in Reviews). Tab inserts it."
    private static let address = "101 Spear St, San Francisco, CA 94105"

    private static let package: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path
    }()

    @Test(
        "in any field of the desktop Tab inserts the address after “Let's meet at”; other keys pass, and secrets are not read (P-26, P-36)"
    )
    func field() async throws {
        let socket = "/tmp/baton-\(UUID().uuidString.prefix(8)).sock"
        let daemon = try await Self.daemon(at: socket)
        defer { unlink(socket) }
        let program = try HelperFixture.program("baton-ibus")
        try await InputMethodDesktop.with(program: program, package: Self.package, socket: socket) { desktop in
            let (keys, offer) = (desktop.windows, Self.offer)
            try await keys.type("Let's meet at ")
            #expect(try await desktop.shown(from: 0) == offer)
            try await keys.press(["Tab"])
            try await desktop.has("Let's meet at \(Self.address)")
            #expect(
                daemon.output.all.dropFirst() == [
                    "/baton.control.v1.SuggestionsService/OfferForField application/json {\"field\":\"fullStreetAddress\"}"
                ])

            // Another key is the field's, and takes the offer away; what was let go is not offered again.
            var start = desktop.count
            try await keys.type(", or come to ")
            _ = try await desktop.shown(from: start)
            try await keys.press(["Escape"])
            try await desktop.hidden(from: start)
            try await keys.type("x")
            try await desktop.has("Let's meet at \(Self.address), or come to x", from: start)
            #expect(desktop.lines(from: start).filter { $0.hasPrefix("shown") }.count == 1)

            // Tab without an offer goes on to the next field, which is a password: nothing of it is read, no question is sent.
            let asked = daemon.output.count
            try await keys.press(["Tab"])
            for field in ["password", "pin"] {
                start = desktop.count
                if field == "pin" { try await desktop.focus(field) }
                try await keys.type("meet at ")
                try await desktop.has("meet at ", field: field, from: 0)
                try await keys.press(["ctrl+space"])
                try await keys.type("y")
                try await desktop.has("meet at y", field: field, from: start)
                #expect(!desktop.lines(from: start).contains { $0.hasPrefix("shown") })
            }
            #expect(daemon.output.count == asked)

            // The person asks.
            try await desktop.focus("text")
            start = desktop.count
            try await keys.press(["End", "ctrl+space"])
            #expect(try await desktop.shown(from: start) == offer)
            try await keys.press(["Tab"])
            try await desktop.has("Let's meet at \(Self.address), or come to x\(Self.address)", from: start)

            // A field that does not say what is in it: the keys that went there are looked at.
            try await desktop.focus("bare")
            start = desktop.count
            try await keys.type("coming! Komm zu ")
            #expect(try await desktop.shown(from: start) == offer)
            try await keys.press(["Tab"])
            try await desktop.has("coming! Komm zu \(Self.address)", field: "bare", from: start)
            try await desktop.focus("text")
            try await keys.press(["End"])

            // Without a daemon there is a keyboard.
            await daemon.kill()
            start = desktop.count
            try await keys.type(" adresse ist ")
            try await keys.press(["ctrl+space", "z"])
            try await desktop.has(
                "Let's meet at \(Self.address), or come to x\(Self.address) adresse ist z", from: start)
            #expect(!desktop.lines(from: start).contains { $0.hasPrefix("shown") })
        }
        await daemon.kill()
    }

    @Test("the real shell of GNOME shows the address below a field, and Tab inserts it there (P-26)")
    func shell() async throws {
        let socket = "/tmp/baton-\(UUID().uuidString.prefix(8)).sock"
        let folder = "/tmp/baton-shell-\(UUID().uuidString.prefix(8))"
        defer {
            unlink(socket)
            try? FileManager.default.removeItem(atPath: folder)
        }
        let daemon = try await Self.daemon(at: socket)
        let bus = try await SessionBus()
        let outcome: Result<Void, any Error>
        do {
            try InputMethodDesktop.install(
                try HelperFixture.program("baton-ibus"), of: Self.package, in: folder)
            let environment = [
                "HOME": folder, "XDG_DATA_HOME": folder + "/data",
                "XDG_CURRENT_DESKTOP": "GNOME", "DBUS_SESSION_BUS_ADDRESS": bus.address, "BATON_SOCKET": socket,
                "IBUS_COMPONENT_PATH": folder + "/component:/usr/share/ibus/component",
            ]
            try await GNOMEShell.with(
                package: Self.package, folder: folder, environment: environment, hasInputMethods: true
            ) { shell in
                let field = GNOMEField(shell: shell)
                try await field.prepare()
                try await field.type("meet at ")
                try await field.has("meet at ")
                try await field.isShown(Self.offer)
                // Tab.
                try await field.press(0xFF09)
                try await field.has("meet at \(Self.address)")
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await bus.end()
        await daemon.kill()
        try outcome.get()
    }
}
