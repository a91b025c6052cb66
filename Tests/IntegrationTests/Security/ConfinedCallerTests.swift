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
    }
}
