import Foundation

/// The real shell of GNOME on a screen that is nowhere, whose overview is searched as a person does. Needs Debian's `gnome-shell`.
package struct GNOMEShell: Sendable {
    private let environment: [String: String]
    private let shell: ChildProcess

    /// - Parameters:
    ///   - package: the folder of the package: its provider of searches is installed for this shell alone.
    ///   - folder: for what the shell keeps; the test removes it.
    ///   - environment: of the desktop, with its session bus.
    ///   - hasInputMethods: whether IBus runs, too.
    package static func with(
        package: String, folder: String, environment: [String: String], hasInputMethods: Bool = false,
        _ body: (GNOMEShell) async throws -> Void
    ) async throws {
        try install(package, in: folder)
        // Nothing moves, which takes long where several programs want a processor.
        try FileManager.default.createDirectory(
            atPath: folder + "/config/glib-2.0/settings", withIntermediateDirectories: true)
        try "[org/gnome/desktop/interface]\nenable-animations=false\n"
            .write(toFile: folder + "/config/glib-2.0/settings/keyfile", atomically: true, encoding: .utf8)
        // The shell starts one, which would outlive it.
        if !hasInputMethods {
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/bin/ibus-daemon", withDestinationPath: "/bin/true")
        }
        // The shell asks services of the system, as those of power and of the network; none is there.
        let system = try await SessionBus()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let own = [
            "DBUS_SYSTEM_BUS_ADDRESS": system.address,
            "XDG_DATA_DIRS": folder + "/share:/usr/share", "XDG_RUNTIME_DIR": folder + "/run",
            "XDG_CACHE_HOME": folder + "/cache", "XDG_CONFIG_HOME": folder + "/config", "GSETTINGS_BACKEND": "keyfile",
            "PATH": "\(folder)/bin:\(path)",
            "DISPLAY": "", "LANG": "C.UTF-8",
        ]
        let environment = environment.merging(own) { $1 }
        var outcome: Result<Void, any Error> = .success(())
        do {
            let shell = GNOMEShell(
                environment: environment,
                shell: try ChildProcess(
                    [
                        "env", "--unset=WAYLAND_DISPLAY", "--unset=DISPLAY", "gnome-shell", "--headless",
                        "--virtual-monitor", "1024x768", "--wayland", "--no-x11", "--unsafe-mode",
                    ], environment: environment, errorFile: folder + "/shell.log"))
            do {
                try await shell.isReady()
                try await body(shell)
            } catch {
                let log = (try? String(contentsOfFile: folder + "/shell.log", encoding: .utf8)) ?? ""
                outcome = .failure(IntegrationFailure("\(error)\nThe shell says: \(log.suffix(2000))"))
            }
            if hasInputMethods { try? await shell.run("ibus", "exit") }
            await shell.shell.end()
        } catch {
            outcome = .failure(error)
        }
        await system.end()
        try outcome.get()
    }

    /// As the package does, but that its entry starts nothing: one whose program is missing does not count.
    private static func install(_ package: String, in folder: String) throws {
        let files = FileManager.default
        let name = "org.baton.Baton.Search"
        let (applications, providers) = ("share/applications", "share/gnome-shell/search-providers")
        for part in [applications, providers, "bin", "run", "cache"] {
            try files.createDirectory(
                atPath: "\(folder)/\(part)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try files.copyItem(atPath: "\(package)/Packaging/\(name).ini", toPath: "\(folder)/\(providers)/\(name).ini")
        let entry = try String(contentsOfFile: "\(package)/Packaging/\(name).desktop", encoding: .utf8)
        try entry.replacingOccurrences(of: "/usr/lib/baton/search-window", with: "/bin/true")
            .write(toFile: "\(folder)/\(applications)/\(name).desktop", atomically: true, encoding: .utf8)
    }

    // MARK: Actions in the shell

    private func isReady() async throws {
        try await until("the shell of GNOME") { (try? await evaluate("!Main.layoutManager._startingUp")) == "true" }
    }

    /// The results that a person sees when they write this into the search of the overview.
    package struct Found: Decodable, Sendable {
        package var name: String
        package var description: String
    }

    /// Writes into the search of the overview.
    package func search(_ text: String) async throws {
        _ = try await evaluate(
            "Main.overview.show(); Main.overview.searchEntry.set_text(\(try Self.quoted(text))); true")
    }

    /// Waits until the overview shows a result of this name.
    package func found(_ name: String) async throws -> Found {
        try await within(.seconds(60), "“\(name)” among the results of the shell") {
            while true {
                let shown = try JSONDecoder().decode([Found].self, from: Data(try await evaluate(Self.results).utf8))
                if let found = shown.first(where: { $0.name == name }) { return found }
                try await Task.sleep(for: .milliseconds(50))  // sleeps: the shell does not announce its state
            }
        }
    }

    /// Chooses the result, as a click or Return does.
    package func activate(_ name: String) async throws {
        let text = try Self.quoted(name)
        let done = try await evaluate(
            "\(Self.walk) let chosen = null; "
                + "walk(Main.overview._overview, a => { if (a.metaInfo?.name == \(text)) chosen = a; }); "
                + "chosen.activate(); true")
        guard done == "true" else { throw IntegrationFailure("The shell activated nothing: \(done)") }
    }

    private static let walk =
        "const walk = (actor, visit) => { visit(actor); actor.get_children().forEach(c => walk(c, visit)); };"
    private static let results =
        "\(walk) const all = []; walk(Main.overview._overview, a => { if (a.metaInfo && a.mapped) "
        + "all.push({name: a.metaInfo.name ?? '', description: a.metaInfo.description ?? ''}); }); all"

    private static func quoted(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    /// - Parameter script: JavaScript in the shell, whose last expression is the answer.
    /// - Returns: the answer in JSON.
    package func evaluate(_ script: String) async throws -> String {
        // Nothing of it is to be escaped in what gdbus prints.
        let wrapped = "encodeURIComponent(JSON.stringify(eval(\(try Self.quoted(script))))).replace(/'/g, '%27')"
        let call = try ChildProcess(
            [
                "gdbus", "call", "--session", "--timeout", "50", "--dest", "org.gnome.Shell", "--object-path",
                "/org/gnome/Shell", "--method", "org.gnome.Shell.Eval", try Self.quoted(wrapped),
            ], environment: environment)
        call.closeInput()
        return try await within(.seconds(60), "an answer of the shell") {
            let status = try await call.status()
            try await call.output.waitForEnd()
            try await call.errors.waitForEnd()
            guard status == 0 else { throw IntegrationFailure("gdbus ends with \(status): \(call.errors.all)") }
            let answer = call.output.all.joined(separator: "\n")
            guard answer.hasPrefix("(true, "), let first = answer.firstIndex(of: "\""),
                let last = answer.lastIndex(of: "\""), first < last,
                let text = String(answer[answer.index(after: first)..<last]).removingPercentEncoding
            else { throw IntegrationFailure("The shell answers: \(answer)") }
            return text
        }
    }

    private func run(_ command: String...) async throws {
        let program = try ChildProcess(command, environment: environment)
        program.closeInput()
        _ = try await within(.seconds(5), command.joined(separator: " ")) { try await program.status() }
    }

    /// Waits until it is so, and for as long as the shell runs.
    package func until(_ what: String, _ isSo: @escaping @Sendable () async throws -> Bool) async throws {
        let shell = shell
        try await within(.seconds(60), what) {
            while try await !isSo() {
                guard shell.isRunning else {
                    throw IntegrationFailure("gnome-shell does not run (dev/setup --tests installs it).")
                }
                try await Task.sleep(for: .milliseconds(100))  // sleeps: the shell does not say that it is ready
            }
        }
    }
}
