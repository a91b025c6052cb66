import BatonTestSupport
import Testing

extension Integration {
    /// A program that an app has started cannot control Baton, however it hides who its parent is.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct ConfinedCallerTests {
        @Test func `a program that descends from a launched app is refused the control plane`() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await device.baton("status")
                let baton = [try Products.path("baton"), "--home", device.home, "--json", "status"]
                // As the daemon launches apps, without rules for files.
                let launched = [try Products.path("batond"), "--confined-launch", "--"]
                for command in [baton, ["/usr/bin/setsid", "--fork", "--wait"] + baton] {
                    let child = try ChildProcess(launched + command)
                    child.closeInput()
                    #expect(try await child.status() != 0)
                    try await child.errors.waitForEnd()
                    #expect(child.errors.all.joined().contains("apps_cannot_control"), "\(child.errors.all)")
                }
                let status = try await device.baton("status").lines.joined()
                #expect(status.contains("\"sandboxed\""))
            }
        }

        /// Has a name on the session bus until it is killed.
        private static let owner = """
            signal, dbus = __import__("signal"), __import__("dbus")
            bus = dbus.SessionBus()
            bus.request_name("org.freedesktop.secrets")
            print("owned", flush=True)
            signal.pause()
            """

        @Test func `a program that descends from a launched app is not taken for the desktop's keyring`() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let bus = try await SessionBus()
                device.use(bus)
                try await device.restart()
                let impostor = try ChildProcess(
                    [try Products.path("batond"), "--confined-launch", "--", "/usr/bin/python3", "-c", Self.owner],
                    environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
                _ = try await within(.seconds(20), "the name") { try await impostor.output.expect { $0 } }
                let refused = try await device.baton("lock", "--keep-in-keyring", expecting: nil)
                #expect(try refused.failure().reason == "no_secret_service")
                try await device.until("the refusal to be noted") {
                    try await device.baton("log").lines.joined().contains("service_refused")
                }
                await impostor.kill()
                await bus.end()
            }
        }
    }
}
