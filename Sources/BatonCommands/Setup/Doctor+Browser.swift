/// The browser, in which pages open that no app here takes.
extension Doctor {
    /// As the daemon has the setting `browser` unless it is changed.
    static let defaultBrowser = "xdg-open %u"
    private static let desktopOpener = "xdg-open"
    /// Those that xdg-open tries where the desktop has set none. Browsers of a terminal are of no use to a daemon.
    private static let usualBrowsers = [
        "x-www-browser", "firefox", "epiphany", "konqueror", "chromium", "chromium-browser", "google-chrome",
    ]

    var browser: DoctorCheck {
        let name = "web browser"
        let advice =
            "Pages from your other devices cannot open here. Install a browser, or name one with “baton settings set "
            + "browser \"firefox %u\"”."
        guard browserCommand != "none" else {
            return DoctorCheck(name, .ok, "none is to open pages, as the setting “browser” says")
        }
        let program = Self.program(of: browserCommand)
        guard program == Self.desktopOpener else {
            return isThere(program)
                ? DoctorCheck(name, .ok, "\(program), as the setting “browser” says")
                : DoctorCheck(name, .missing, "“\(program)” of the setting “browser” was not found", advice)
        }
        guard isThere(program) else {
            return DoctorCheck(
                name, .missing, "\(program) is not installed, which finds the desktop's",
                "Install the package xdg-utils. \(advice)")
        }
        guard let found = desktopBrowser else {
            return DoctorCheck(name, .missing, "the desktop has none for pages (https)", advice)
        }
        return DoctorCheck(name, .ok, found)
    }

    /// The first word of a command line, which may be quoted as in a shell.
    private static func program(of command: String) -> String {
        guard let quote = command.first, quote == "'" || quote == "\"" else {
            return String(command.prefix { $0 != " " })
        }
        return String(command.dropFirst().prefix { $0 != quote })
    }

    /// As xdg-open finds it: the desktop's entry for pages, else `BROWSER`, else a usual one. Nil where there is none.
    private var desktopBrowser: String? {
        let query = machine.run(
            ["xdg-mime", "query", "default", "x-scheme-handler/https"], environment: environment)
        // The output holds complaints too.
        let words = (query?.output ?? "").split { $0.isWhitespace }
        if let entry = words.first(where: { $0.hasSuffix(".desktop") }) { return String(entry) }
        if let named = environment["BROWSER"], !named.isEmpty {
            return named.split(separator: ":").map { Self.program(of: String($0)) }.first { isThere($0) }
        }
        return Self.usualBrowsers.first { isThere($0) }
    }

    private func isThere(_ program: String) -> Bool {
        guard let slash = program.lastIndex(of: "/") else {
            return !program.isEmpty && machine.find(program, in: "", environment: environment) != nil
        }
        let name = String(program[program.index(after: slash)...])
        // One of that name elsewhere is another program.
        return machine.find(name, in: String(program[..<slash]), environment: environment) == program
    }
}
