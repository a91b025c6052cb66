import Foundation

/// A virtual screen with IBus, Baton's input method, and a window of GTK 3 with fields. Needs Debian's
/// `ibus`, `ibus-gtk3`, `gir1.2-gtk-3.0` and `python3-gi`, and what ``VirtualScreen``, ``ScreenWindows`` and ``SessionBus`` need.
package struct InputMethodDesktop: Sendable {
    /// A person at the keyboard.
    package let windows: ScreenWindows
    private let window: ChildProcess

    /// - Parameters:
    ///   - program: `baton-ibus`.
    ///   - package: the folder of the package, with what it installs.
    ///   - socket: of the daemon that is asked.
    package static func with(
        program: String, package: String, socket: String, _ body: (InputMethodDesktop) async throws -> Void
    ) async throws {
        var template = Array("/tmp/baton-ibus-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw IntegrationFailure("/tmp cannot be written to.") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let screen = try await VirtualScreen()
        var (ended, outcome): ([ChildProcess], Result<Void, any Error>) = ([], .success(()))
        var bus: SessionBus?
        do {
            let session = try await SessionBus()
            bus = session
            try install(program, of: package, in: folder)
            let environment = [
                "HOME": folder, "XDG_CONFIG_HOME": folder + "/config", "XDG_CACHE_HOME": folder + "/cache",
                "XDG_RUNTIME_DIR": folder + "/run", "IBUS_COMPONENT_PATH": folder + "/component",
                "BATON_SOCKET": socket, "DISPLAY": screen.display, "WAYLAND_DISPLAY": "", "GDK_BACKEND": "x11",
                "GTK_IM_MODULE": "ibus", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
                "DBUS_SESSION_BUS_ADDRESS": session.address,
            ]
            // The panel is the window's.
            let daemon = try ChildProcess(
                [
                    "ibus-daemon", "--panel", "disable", "--config", "disable", "--emoji-extension", "disable",
                    "--cache", "none",
                ], environment: environment)
            ended.append(daemon)
            try await choose(environment)
            let window = try ChildProcess(
                ["/usr/bin/python3", package + "/Tests/Support/ibus_entry.py"], environment: environment)
            ended.append(window)
            let desktop = InputMethodDesktop(windows: ScreenWindows(on: screen), window: window)
            _ = try await desktop.next(from: 0, "the window") { $0 == "ready" }
            let number = try await desktop.windows.shown("Entry")
            try await desktop.windows.press([], in: number)
            _ = try await desktop.next(from: 0, "the focus") { $0 == "focus text" }
            try await body(desktop)
        } catch {
            let errors = ended.flatMap(\.errors.all).suffix(20).joined(separator: "\n")
            outcome = .failure(errors.isEmpty ? error : IntegrationFailure("\(error)\n\(errors)"))
        }
        for process in ended.reversed() { await process.end() }
        await bus?.end()
        await screen.end()
        try outcome.get()
    }

    /// The component as the package installs it, but with the program that was built: in `component` of the folder.
    package static func install(_ program: String, of package: String, in folder: String) throws {
        for name in ["component", "run"] {
            try FileManager.default.createDirectory(
                atPath: folder + "/" + name, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let installed = "/usr/lib/baton/baton-ibus"
        let component = try String(contentsOfFile: package + "/Packaging/baton-ibus.xml", encoding: .utf8)
        guard component.contains("<exec>\(installed) --ibus</exec>") else {
            throw IntegrationFailure("The component does not start \(installed).")
        }
        try component.replacingOccurrences(of: installed, with: program)
            .write(toFile: folder + "/component/baton.xml", atomically: true, encoding: .utf8)
    }

    /// As the person does in the settings of the desktop.
    private static func choose(_ environment: [String: String]) async throws {
        try await within(.seconds(60), "the engine “baton” to be chosen") {
            while true {
                // It ends with 1 where it cannot change the layout of keys, which was not requested: only the engine chosen
                // counts.
                let command = try ChildProcess(["ibus", "engine", "baton"], environment: environment)
                guard try await command.status() != 127 else {
                    throw IntegrationFailure("ibus is missing (dev/setup --tests installs it).")
                }
                let question = try ChildProcess(["ibus", "engine"], environment: environment)
                _ = try await question.status()
                try await question.output.waitForEnd()
                if question.output.all == ["baton"] { return }
                try await Task.sleep(for: .milliseconds(50))  // sleeps: IBus does not say that it is there
            }
        }
    }

    // MARK: The screen

    /// How much was seen so far.
    package var count: Int { window.output.count }

    /// Waits until a field has a text.
    package func has(_ text: String, field: String = "text", from index: Int = 0) async throws {
        _ = try await next(from: index, "“\(text)” in the field") { $0 == "\(field) has \(text)" }
    }

    /// Waits for what IBus shows.
    /// - Returns: the text.
    package func shown(from index: Int) async throws -> String {
        try await next(from: index, "an offer") { $0.hasPrefix("shown ") }.replacing(
            "shown ", with: "", maxReplacements: 1)
    }

    package func hidden(from index: Int) async throws { _ = try await next(from: index, "no offer") { $0 == "hidden" } }

    /// Everything that was seen since then.
    package func lines(from index: Int) -> [String] { Array(window.output.all.dropFirst(index)) }

    /// Puts the focus into a field: `text`, `password`, `pin`, or `bare`, which does not say what is in it.
    package func focus(_ field: String) async throws {
        let start = count
        window.write(field)
        _ = try await next(from: start, "the focus") { $0 == "focus \(field)" }
    }

    private func next(
        from index: Int, _ what: String, _ matches: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        let output = window.output
        do {
            return try await within(.seconds(60), what) {
                try await output.expect(from: index) { matches($0) ? $0 : nil }.found
            }
        } catch {
            throw IntegrationFailure("\(error)\nSeen: \(output.all.suffix(12).joined(separator: "; "))")
        }
    }
}
