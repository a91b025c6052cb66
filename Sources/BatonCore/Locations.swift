/// Where one device keeps what it has. A value: nothing is made or read here.
///
/// With a home directory (`--home`, `BATON_HOME`) everything of the device is under it, so that several devices can run
/// side by side on one machine. Without, the XDG base directories are used.
package struct Locations: Sendable, Hashable {
    /// Account, keys, pairings, installed apps and their containers. Must survive; 0700.
    package let data: String
    /// Settings that a person writes, and the person's team keys; 0700.
    package let configuration: String
    /// Logs: of the daemon's events and of apps; 0700.
    package let state: String
    /// The socket and the lock; 0700. Gone after a restart of the machine.
    package let runtime: String
    /// Desktop entries of installed apps: shared with the desktop, not ours alone. With a home of its own a device keeps
    /// them to itself, until `share` below it is added to `XDG_DATA_DIRS`.
    package let desktopEntries: String

    /// - Parameters:
    ///   - home: before `BATON_HOME`, the XDG variables and `HOME` of the environment.
    ///   - workingDirectory: where a relative home begins, be it named by the option or by the variable.
    /// - Throws: `invalid_argument` for an option that is an empty text; `failed_precondition` when neither a home nor the variables that stand in for it are known, or the
    ///   socket's path would be longer than the 107 bytes that a unix socket can have.
    package init(home: String?, environment: [String: String], workingDirectory: String) throws(BatonError) {
        guard home != "" else {
            throw BatonError(
                .invalidArgument, reason: "empty_home",
                "--home is an empty text. Name a directory, or leave it out.")
        }
        if let home = home ?? environment["BATON_HOME"].flatMap({ $0.isEmpty ? nil : $0 }) {
            let home = Self.absolute(home, from: workingDirectory)
            data = home + "/data"
            configuration = home + "/config"
            state = home + "/state"
            runtime = home + "/run"
            desktopEntries = home + "/share/applications"
        } else {
            guard let user = environment["HOME"].flatMap({ $0.hasPrefix("/") ? $0 : nil }) else {
                throw BatonError(
                    .failedPrecondition, reason: "no_home",
                    "HOME is not set. Set it, or name a directory with --home or BATON_HOME.")
            }
            func base(_ variable: String, _ fallback: String) -> String {
                // The XDG specification: a relative path is to be ignored.
                environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? fallback
            }
            data = base("XDG_DATA_HOME", user + "/.local/share") + "/baton"
            configuration = base("XDG_CONFIG_HOME", user + "/.config") + "/baton"
            state = base("XDG_STATE_HOME", user + "/.local/state") + "/baton"
            runtime = base("XDG_RUNTIME_DIR", user + "/.local/state/baton-run") + "/baton"
            desktopEntries = base("XDG_DATA_HOME", user + "/.local/share") + "/applications"
        }
        guard socket.utf8.count <= 107 else {
            throw BatonError(
                .invalidArgument, reason: "socket_path_too_long",
                "The socket's path “\(socket)” is longer than 107 bytes. Choose a shorter home directory.")
        }
    }

    /// Without empty parts and `.`, so that one place has one name. `..` stays: only the kernel knows where links lead.
    private static func absolute(_ path: String, from workingDirectory: String) -> String {
        let joined = path.hasPrefix("/") ? path : workingDirectory + "/" + path
        return "/" + joined.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    /// The local plane's socket.
    package var socket: String { runtime + "/batond.sock" }
    /// Held by the one daemon of this home.
    package var lock: String { runtime + "/batond.lock" }
    /// SQLite.
    package var database: String { data + "/baton.sqlite" }
    /// The private keys of account and device, 0600 each.
    package var keys: String { data + "/keys" }
    /// Installed bundles.
    package var applications: String { data + "/applications" }
    /// One container per installed app, named by its bundle identifier.
    package var containers: String { data + "/containers" }
    /// The directory with the output of apps, one file per bundle identifier.
    package var appLogs: String { state + "/apps" }
    /// The daemon's event records, JSON lines.
    package var eventLog: String { state + "/events.jsonl" }
    /// The directories with what is Baton's own.
    package var own: [String] { [data, configuration, state, runtime] }
    /// The person's own team keys.
    package var teams: String { configuration + "/teams" }
}
