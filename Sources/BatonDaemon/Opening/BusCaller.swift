import BatonCore
import BatonTransport
import LaunchServices

/// The person for whom a program on the session bus speaks.
enum BusCaller {
    case person
    case app(AppIdentity)
    /// It may be an app's.
    case unknown

    /// It speaks for programs in sandboxes, of which the bus does not know.
    private static let proxy = "/xdg-dbus-proxy"

    static func isProxy(_ process: PeerProcess) -> Bool { process.program?.hasSuffix(proxy) == true }

    init(_ process: PeerProcess?, _ launchServices: LaunchServices) {
        guard let process, !Self.isProxy(process) else {
            self = .unknown
            return
        }
        self =
            switch launchServices.responsibleApp(for: process) {
            case .none: .person
            case .program(let app), .ancestor(let app): .app(app.identity)
            case .unknown, .hidden, .ended: .unknown
            }
    }
}
