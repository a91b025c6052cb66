import Foundation

/// GNOME Keyring on a session bus of the test's own, with a keyring that is open. Needs Debian's `gnome-keyring`.
package final class Keyring: Sendable {
    private let process: ChildProcess

    /// - Parameter directory: of the keyring's files.
    package init(on bus: SessionBus, directory: String) async throws {
        let program = "/usr/bin/gnome-keyring-daemon"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw IntegrationFailure("GNOME Keyring is missing. Install it by: dev/setup --tests")
        }
        process = try ChildProcess(
            [program, "--foreground", "--unlock", "--components=secrets", "--control-directory=\(directory)/control"],
            environment: [
                "DBUS_SESSION_BUS_ADDRESS": bus.address, "HOME": directory, "XDG_DATA_HOME": directory + "/data",
                "XDG_RUNTIME_DIR": directory,
            ])
        process.write("password of the test")
        process.closeInput()
        let waiting = try ChildProcess(
            ["/usr/bin/python3", "-c", Self.wait], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        let isOpen = try await within(.seconds(20), "the keyring to be open") { try await waiting.status() }
        guard isOpen == 0 else { throw IntegrationFailure("The keyring did not open: \(waiting.errors.all)") }
    }

    private static let wait = """
        dbus, sleep = __import__("dbus"), __import__("time").sleep
        bus = dbus.SessionBus()
        while True:
            try:
                service = bus.get_object("org.freedesktop.secrets", "/org/freedesktop/secrets")
                path = service.ReadAlias("default", dbus_interface="org.freedesktop.Secret.Service")
                collection = bus.get_object("org.freedesktop.secrets", path)
                name = "org.freedesktop.Secret.Collection"
                if not collection.Get(name, "Locked", dbus_interface="org.freedesktop.DBus.Properties"):
                    break
            except dbus.DBusException:
                pass
            sleep(0.05)  # // sleeps: a keyring does not announce that it is open
        """

    package func end() async { await process.kill() }
}
