import BatonCore
import BatonTransport
import BatonWire
import LaunchServices

/// Which processes may use the control plane: those that a person starts, not the apps that are installed.
///
/// Apps have the services of `baton.app.v1`, and nothing else. With the control plane an app could install others, read what
/// every app does, revoke devices, consent to a pairing in the person's place, and have all devices use a cloud of its own.
struct LocalAdmission: Sendable {
    let launchServices: LaunchServices

    func check(_ path: String, _ process: PeerProcess) throws(BatonError) {
        // A service of another package is closed to apps.
        guard !AppPlane.contains(path: path) else { return }
        switch launchServices.responsibleApp(for: process) {
        case .none: return
        case .program:
            throw BatonError(
                .permissionDenied, reason: "apps_cannot_control",
                "An installed app cannot control Baton. Use “baton” from a terminal, or a program that is not an "
                    + "installed app.")
        case .ancestor, .unknown:
            throw BatonError(
                .permissionDenied, reason: "apps_cannot_control",
                "A program that an app has started cannot control Baton. Use “baton” from a terminal.")
        case .hidden: throw ResponsibleApp.hiddenProgram
        case .ended: throw PeerProcess.ended
        }
    }
}
