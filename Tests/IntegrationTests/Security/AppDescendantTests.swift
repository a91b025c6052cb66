import BatonTestSupport
import Foundation
import Testing

extension Integration.SecurityTests {
    /// Programs that a confined app has started: they have no more rights than the app, over the socket and over the session
    /// bus. Each call that takes a path is tried.
    @Suite("Programs that an app has started", .serialized, .timeLimit(.minutes(2)))
    struct AppDescendantTests {
        private struct Call {
            var method: String
            var fields: [String: any Sendable]
            var isStream = false
            /// The reason of its refusal when the program calls itself by its app's name; nil where nothing is refused.
            var ownReason: String?

            init(_ method: String, _ fields: [String: any Sendable], isStream: Bool = false, own ownReason: String?) {
                self.method = method
                self.fields = fields
                self.isStream = isStream
                self.ownReason = ownReason
            }
        }

        private static func calls(_ path: String) -> [Call] {
            [
                Call(
                    "OpeningService/OpenDocument", ["path": path, "handler_bundle_id": LocalCallers.bundleID],
                    own: "file_not_own"),
                Call("OpeningService/OpenURL", ["url": "file://" + path], own: "file_not_own"),
                Call("SharingService/ShareByAirDrop", ["paths": [path]], isStream: true, own: "file_not_own"),
                Call("CoordinationService/AttachCoordinator", [:], isStream: true, own: nil),
                Call("ContainerService/ChangeDocument", ["path": path, "change": "CHANGE_EVICT"], own: "no_account"),
                Call("ContainerService/ListFileVersions", ["path": path], own: "no_account"),
                Call(
                    "ContainerService/ReadFileVersion", ["path": path, "version_id": "1"], isStream: true,
                    own: "no_account"),
                Call(
                    "ContainerService/ChangeFileVersions", ["path": path, "change": "CHANGE_RESTORE"], own: "no_account"
                ),
                Call(
                    "ContainerService/OpenContainer", ["identifier": "iCloud.org.example.other"], own: "no_entitlement"),
                Call("AttachmentService/Attach", ["display_name": "x"], isStream: true, own: nil),
            ]
        }

        /// `ask` calls a method and answers with the reason of its refusal, or with “taken”.
        private static let preamble = """
            json, re = __import__("json"), __import__("re")
            def ask(method, fields, isStream, bundle):
                s = connect(); s.settimeout(20)
                body = json.dumps(fields).encode()
                if isStream: body = b"\\0" + struct.pack(">I", len(body)) + body
                try: answer = post(s, "app.v1." + method, b"connect+json" if isStream else b"json", body, bundle)
                except TimeoutError: return "silent"
                try:
                    while isStream and b"{" not in answer:
                        more = s.recv(65536)
                        if not more: break
                        answer += more
                except TimeoutError: pass
                found = re.search(rb'"reason"\\s*:\\s*"([a-z_]+)"', answer)
                return found.group(1).decode() if found else "taken"

            """

        /// Runs a program as a child of the launched app.
        /// - Parameter command: what comes before the interpreter.
        private func run(
            _ text: String, below command: [String] = [], _ arguments: [String] = [], on device: TestDevice
        ) async throws -> String {
            let words = command + ["/usr/bin/python3", "-c", LocalCallers.program(Self.preamble + text)]
            let list = try Self.literal(words)
            return try await LocalCallers.launch(
                "__import__('subprocess').run(\(list) + [sys.argv[1]] + \(try Self.literal(arguments)))", on: device)
        }

        /// As Python reads it, too.
        private static func literal(_ words: [String]) throws -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            return String(decoding: try encoder.encode(words), as: UTF8.self)
        }

        private func program(_ calls: [Call], as bundleID: String) throws -> String {
            let lines = try calls.map { call in
                let fields = String(
                    decoding: try JSONSerialization.data(withJSONObject: call.fields, options: .withoutEscapingSlashes),
                    as: UTF8.self)
                return "ask('\(call.method)', \(fields), \(call.isStream ? "True" : "False"), '\(bundleID)')"
            }
            return "say(\(lines.joined(separator: ", ")))"
        }

        private func inbox(of device: TestDevice) -> [String] {
            let path = device.container(of: LocalCallers.bundleID) + "/Documents/Inbox"
            return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        }

        @Test("A program that an app has started speaks for that app only, and names no file of the person in any call")
        func paths() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await LocalCallers.install(on: device)
                let secret = household.directory + "/secret.txt"
                try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
                let calls = Self.calls(secret)
                // A child, and one that has no parent of its app any more.
                for (command, reasons) in [
                    ([], ["started_by_app"]), (["/usr/bin/setsid", "--fork"], ["unknown_app", "started_by_app"]),
                ] {
                    let said = try await run(try program(calls, as: "org.example.other"), below: command, on: device)
                    let answers = said.split(separator: " ").dropFirst().map(String.init)
                    try #require(answers.count == calls.count, "\(said)")
                    for (call, answer) in zip(calls, answers) {
                        #expect(reasons.contains(answer), "\(call.method): \(answer)")
                    }
                }
                // It is its app if it says so, with the app's files.
                let said = try await run(try program(calls, as: LocalCallers.bundleID), on: device)
                let answers = said.split(separator: " ").dropFirst().map(String.init)
                try #require(answers.count == calls.count, "\(said)")
                for (call, answer) in zip(calls, answers) {
                    #expect(answer == call.ownReason ?? "taken", "\(call.method)")
                }
                #expect(inbox(of: device).isEmpty)
            }
        }

        @Test("A program that an app has started coordinates no file that its app may not read (D-6)")
        func coordination() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await LocalCallers.install(on: device)
                let own = device.container(of: LocalCallers.bundleID) + "/Documents/own.txt"
                let other = household.directory + "/secret.txt"
                let said = try await run(
                    """
                    base64 = __import__("base64")
                    body = b"{}"
                    s = connect()
                    answer = post(s, "app.v1.CoordinationService/AttachCoordinator", b"connect+json",
                        b"\\0" + struct.pack(">I", len(body)) + body, sys.argv[2])
                    while b"sessionId" not in answer: answer += s.recv(65536)
                    session = re.search(rb'"sessionId":"([^"]+)"', answer).group(1).decode()
                    inputs = [{"present": {"presenter_id": str(n), "path": base64.b64encode(path.encode()).decode()}}
                        for n, path in enumerate(sys.argv[3:], 1)]
                    body = json.dumps(dict(session_id=session, inputs=inputs)).encode()
                    answer = post(connect(), "app.v1.CoordinationService/Coordinate", b"json", body, sys.argv[2])
                    say(answer.split(b"\\r\\n\\r\\n")[1].decode())
                    """, [LocalCallers.bundleID, own, other], on: device)
                #expect(said == #"said {"refusals":["","not_permitted"]}"#)
            }
        }

        @Test("Over the session bus an app has files of its own container opened, and none of the person's")
        func sessionBus() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let bus = try await SessionBus()
                device.use(bus)
                let outcome: Result<Void, any Error>
                do {
                    try await device.restart()
                    try await LocalCallers.install(on: device)
                    try await household.install(.pngViewer)
                    let desktop = DesktopSession(device, in: household.directory, bus: bus)
                    for name in [LocalCallers.bundleID, "com.example.PNGViewer"] {
                        try await desktop.run("gdbus", "wait", "--session", "--timeout", "20", name)
                    }
                    try await call(household, bus, desktop)
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await bus.end()
                try outcome.get()
            }
        }

        @Test("Over the session bus an app finds nothing by the desktop's search, nor does what it has started")
        func desktopSearch() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let bus = try await SessionBus()
                device.use(bus)
                let outcome: Result<Void, any Error>
                do {
                    try await device.restart()
                    try await LocalCallers.install(on: device)
                    let desktop = DesktopSession(device, in: household.directory, bus: bus)
                    let search = "org.baton.Baton.Search"
                    try await desktop.run("gdbus", "wait", "--session", "--timeout", "20", search)
                    let call = [
                        "gdbus", "call", "--session", "--dest", search, "--object-path", "/org/baton/Baton/Search",
                        "--method", "org.gnome.Shell.SearchProvider2.GetInitialResultSet", "['secret']",
                    ]
                    for command in [[], ["setsid", "--fork", "--wait"]] {
                        let words = try Self.literal(command + call)
                        let said = try await LocalCallers.launch(
                            """
                            r = __import__("subprocess").run(\(words), capture_output=True, text=True,
                                env=dict(os.environ, DBUS_SESSION_BUS_ADDRESS="\(bus.address)"))
                            say(r.returncode, r.stdout.strip(), r.stderr.strip())
                            """, on: device)
                        #expect(said.contains("Only programs of the person's desktop may search"), "\(said)")
                    }
                    // The person's own program may.
                    try await desktop.run(call, expecting: 0)
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await bus.end()
                try outcome.get()
            }
        }

        private static let png =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

        private func call(_ household: TestHousehold, _ bus: SessionBus, _ desktop: DesktopSession) async throws {
            let device = household[0]
            let viewer = try ExampleLog(.pngViewer, on: device)
            let picture = try #require(Data(base64Encoded: Self.png))
            let own = device.container(of: LocalCallers.bundleID) + "/Documents/own.png"
            let secret = household.directory + "/secret.png"
            for path in [own, secret] { try picture.write(to: URL(fileURLWithPath: path)) }
            func open(_ path: String, in app: String) -> [String] {
                [
                    "gdbus", "call", "--session", "--dest", app, "--object-path",
                    "/" + app.replacingOccurrences(of: ".", with: "/"), "--method", "org.freedesktop.Application.Open",
                    "['file://\(path)']", "{}",
                ]
            }
            // By the app itself, with a child, and with one that no parent is left of.
            for (path, app, command) in [
                (secret, LocalCallers.bundleID, []), (secret, "com.example.PNGViewer", []),
                (secret, LocalCallers.bundleID, ["setsid", "--fork", "--wait"]),
                (own, "com.example.PNGViewer", [String]()),
            ] {
                let words = try Self.literal(command + open(path, in: app))
                let said = try await LocalCallers.launch(
                    """
                    r = __import__("subprocess").run(\(words), capture_output=True, text=True,
                        env=dict(os.environ, DBUS_SESSION_BUS_ADDRESS="\(bus.address)"))
                    say(r.returncode, r.stdout.strip(), r.stderr.strip())
                    """, on: device)
                if path == own {
                    #expect(said.hasPrefix("said 0 "), "\(said)")
                } else {
                    #expect(
                        said.contains("An app may hand over files") || said.contains("cannot hand over files"),
                        "\(said)")
                }
            }
            try await viewer.line("shows own.png, 1 x 1")
            // The person may, and a program of the person's that the bus knows by its proxy may not.
            let start = viewer.count
            try await desktop.run(open(secret, in: "com.example.PNGViewer"), expecting: 0)
            try await viewer.line("shows secret.png, 1 x 1", from: start)
            #expect(!viewer.file.lines.all.prefix(start).contains { $0.contains("secret.png") })
            #expect(inbox(of: device).isEmpty)
        }
    }
}
