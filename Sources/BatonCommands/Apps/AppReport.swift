import BatonWire

/// An app as the command line shows it.
enum AppReport {
    static func json(_ app: Baton_Control_V1_App) -> JSONValue {
        [
            "bundle_id": .string(app.identity.bundleID), "team_id": .string(app.identity.teamID),
            "name": .string(app.name), "version": .init(nonEmpty: app.version), "build": .init(nonEmpty: app.build),
            "activity_types": .init(strings: app.activityTypes), "installed": .boolean(app.installed),
            "running": .boolean(app.running), "process_id": .init(nonZero: app.processID),
            "container": .init(nonEmpty: app.container), "last_exit": .init(nonEmpty: app.lastExit),
            "log_path": .init(nonEmpty: app.logPath),
        ]
    }

    /// `MonkeyBrowser 1.2 (com.example.MonkeyBrowser)`
    static func title(_ app: Baton_Control_V1_App) -> String {
        let version = app.version.isEmpty ? "" : " \(app.version)"
        return TerminalText.escape("\(app.name)\(version) (\(app.identity.bundleID))")
    }

    static func state(_ app: Baton_Control_V1_App) -> String {
        if app.running { return "running (\(app.processID))\(app.installed ? "" : ", not installed")" }
        guard let first = app.lastExit.first else { return "not running" }
        // A sentence of its own elsewhere.
        let end = first.lowercased() + app.lastExit.dropFirst()
        return "not running (\(end.hasSuffix(".") ? String(end.dropLast()) : end))"
    }
}
