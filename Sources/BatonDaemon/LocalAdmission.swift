import BatonCore
import BatonTransport
import BatonWire
import Glibc
import LaunchServices

/// Which processes may use the control plane: those that a person starts, not the apps that are installed.
///
/// Apps have `baton.app.v1.AppService`, and nothing else. With the control plane an app could install others, read what
/// every app does, revoke devices, consent to a pairing in the person's place, and have all devices use a cloud of its own.
struct LocalAdmission: Sendable {
    let launchServices: LaunchServices

    func check(_ path: String, _ process: PeerProcess) throws(BatonError) {
        // A new service is closed to apps until it is listed here.
        guard !AppMethods.contains(path: path) else { return }
        // As it was when it connected, and as it is now.
        let programs = [process.executable, PeerProcess.executable(of: process.processID)]
        if programs.contains(where: { $0.map(launchServices.isInstalledProgram) ?? false }) {
            throw BatonError(
                .permissionDenied, reason: "apps_cannot_control",
                "An installed app cannot control Baton. Use “baton” from a terminal, or a program that is not an "
                    + "installed app.")
        }
        guard !isLaunched(by: process.processID) else {
            throw BatonError(
                .permissionDenied, reason: "apps_cannot_control",
                "A program that an app has started cannot control Baton. Use “baton” from a terminal.")
        }
        // A process can hide its program from others of its user, but the superuser's are hidden from it anyway.
        guard programs.allSatisfy({ $0 != nil }) || process.userID == 0 else {
            throw BatonError(
                .permissionDenied, reason: "unknown_program",
                "The calling process hides which program it runs, so it could be an installed app. Make the program "
                    + "readable for its user.")
        }
    }

    /// Whether a process descends from an app: by the mark that the launch of an app leaves on it, which goes on to whom
    /// nobody is a parent of any more; else by its parents.
    private func isLaunched(by processID: Int32) -> Bool {
        if ConfinementMark.isOn(processID) == true { return true }
        var ancestor = PeerProcess.parent(of: processID)
        for _ in 0..<Self.maximumAncestors {
            guard let process = ancestor, process > 1, process != getpid() else { return false }
            if PeerProcess.executable(of: process).map(launchServices.isInstalledProgram) ?? false { return true }
            ancestor = PeerProcess.parent(of: process)
        }
        return false
    }

    private static let maximumAncestors = 64
}
