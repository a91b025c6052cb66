package import BatonCore

/// The session bus's files of services, by which it starts the daemon when a program calls an app while no daemon runs.
/// Blocks.
package struct BusServices: Sendable {
    private let files: MarkedFiles
    private let command: [String]
    private let unit: String?

    /// - Parameters:
    ///   - directory: `dbus-1/services` of the person's data; made if it is missing.
    ///   - command: starts the daemon.
    ///   - unit: of systemd, which starts it instead where the bus leaves starting to systemd.
    package init(directory: String, command: [String], unit: String?) {
        files = MarkedFiles(directory: directory, suffix: ".service")
        self.command = command
        self.unit = unit
    }

    /// Writes the files that are missing or differ, and removes ours of apps that are gone.
    package func update(_ apps: [BundleID]) throws {
        let names = apps.compactMap { app in BusName(app).map { ($0, text($0, app)) } }
        try files.update(
            Dictionary(names.map { ("\($0.0).service", $0.1) }, uniquingKeysWith: { first, _ in first }))
    }

    private func text(_ name: BusName, _ app: BundleID) -> String {
        var lines = ["[D-BUS Service]", "Name=\(name)", "Exec=\(command.map(Self.quote).joined(separator: " "))"]
        if let unit { lines.append("SystemdService=\(unit)") }
        lines.append("\(MarkedFiles.marker)=\(app)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// As a shell reads it, since the bus does; then escaped as a value of the file.
    private static func quote(_ argument: String) -> String {
        let isPlain = argument.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "-_./+,@:".utf8.contains(byte)
        }
        guard !isPlain || argument.isEmpty else { return argument }
        let quoted = "'" + argument.replacing("'", with: #"'\''"#) + "'"
        return quoted.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\t", with: "\\t")
            .replacing("\r", with: "\\r")
    }
}
