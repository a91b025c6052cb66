import BatonCore

/// The arguments of a launch: checked, with an environment of its own.
struct LaunchRequest: Sendable {
    let arguments: [String]
    let environment: [String: String]

    private static let maximumCount = 256
    private static let maximumBytes = 64 * 1024

    /// - Parameters:
    ///   - arguments: after the name of the program.
    ///   - environment: beside what every app gets.
    init(arguments: [String], environment: [String: String]) throws(BatonError) {
        guard arguments.count <= Self.maximumCount, environment.count <= Self.maximumCount,
            arguments.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumBytes,
            environment.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= Self.maximumBytes
        else {
            throw Self.refused("At most \(Self.maximumCount) arguments and variables, of 64 KiB in all, are passed on.")
        }
        guard arguments.allSatisfy({ !$0.utf8.contains(0) }), environment.values.allSatisfy({ !$0.utf8.contains(0) })
        else { throw Self.refused("Arguments and variables cannot hold a zero byte.") }
        for name in environment.keys.sorted() where !Self.isAllowed(name) {
            throw Self.refused(
                "The variable “\(name.prefix(80).filter { $0.isASCII && !$0.isNewline })” cannot be set: names have "
                    + "letters, digits and “_”, Baton itself sets BATON_SOCKET, BATON_CONTAINER and BATON_HOME, and the "
                    + "loader's (LD_, GCONV_PATH) are not passed on.")
        }
        self.arguments = arguments
        self.environment = environment
    }

    /// Baton's own say where an app's daemon is. The loader's are left out so that other code does not get into a signed
    /// app by mistake, and that is all: an interpreter or a toolkit that the app uses has variables of its own that load
    /// code (`PYTHONPATH`, `GTK_MODULES`), no list of them would be complete, and a caller that may launch an app may as well
    /// start its program himself. Installed apps may not launch others.
    private static let reserved: Set = ["BATON_SOCKET", "BATON_CONTAINER", "BATON_HOME", "GCONV_PATH"]

    private static func isAllowed(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
        }
        return isName && !name.hasPrefix("LD_") && !reserved.contains(name)
    }

    private static func refused(_ why: String) -> BatonError {
        BatonError(.invalidArgument, reason: "launch_request_invalid", why)
    }

    /// The variables that an app gets: the person's session, where its daemon and its container are, and the request's.
    /// Whatever else the daemon was started with is its own affair.
    /// - Parameter hasOwnHome: the container stands for the person's home, which the app may not see.
    func fullEnvironment(
        inheriting daemon: [String: String], socket: String, container: String, hasOwnHome: Bool = true
    ) -> [String: String] {
        let names: Set = [
            "PATH", "LANG", "LANGUAGE", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "COLORTERM", "TZ", "TMPDIR",
            "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DESKTOP_SESSION",
        ]
        var result = daemon.filter { name, _ in
            names.contains(name) || ["LC_", "XDG_", "DBUS_"].contains { name.hasPrefix($0) }
        }
        if hasOwnHome {
            // The display's programs look for it in the person's home.
            if result["DISPLAY"] != nil, result["XAUTHORITY"] == nil, let home = daemon["HOME"] {
                result["XAUTHORITY"] = home + "/.Xauthority"
            }
            result["HOME"] = container
            // Foundation's own, which goes before HOME.
            result["CFFIXED_USER_HOME"] = container
            result["XDG_CONFIG_HOME"] = container + "/Library/Preferences"
            result["XDG_DATA_HOME"] = container + "/Library/Application Support"
            result["XDG_CACHE_HOME"] = container + "/Library/Caches"
            result["XDG_STATE_HOME"] = container + "/Library/State"
        }
        result["TMPDIR"] = container + "/tmp"
        result.merge(environment) { $1 }
        result["BATON_SOCKET"] = socket
        result["BATON_CONTAINER"] = container
        return result
    }
}
