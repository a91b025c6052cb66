import BatonTransport
import Testing

@testable import BatonDaemon

/// The caller over the session bus.
@Suite struct BusCallerTests {
    @Test(
        "what speaks for programs in sandboxes is nobody's own program, also after an upgrade has replaced it",
        arguments: [
            ("/usr/bin/xdg-dbus-proxy", true), ("/usr/bin/xdg-dbus-proxy (deleted)", true),
            ("/app/libexec/xdg-dbus-proxy (deleted)", true), ("/usr/bin/gdbus", false),
            ("/usr/bin/gdbus (deleted)", false), ("/usr/bin/not-xdg-dbus-proxy", false),
        ])
    func proxy(executable: String, isProxy: Bool) {
        let process = PeerProcess(processID: 1000, userID: 1000, startTime: 1, executable: executable)
        #expect(BusCaller.isProxy(process) == isProxy)
    }

    @Test("a process that hides its program is no proxy by that")
    func hidden() {
        #expect(!BusCaller.isProxy(PeerProcess(processID: 1000, userID: 1000, startTime: 1, executable: nil)))
    }
}
