import BatonCore
import BatonTransport
import LaunchServices
import Opening
import SessionBus

/// Which processes may be services of the person's desktop: all but apps, and what apps have started.
struct DesktopTrust: Sendable {
    let launchServices: LaunchServices
    let recorder: any EventRecorder

    /// - Parameter process: nil where the bus does not say.
    func admits(_ process: BusProcess?) -> Bool {
        guard let caller = process.flatMap(PeerProcess.init) else { return false }
        switch launchServices.responsibleApp(for: caller) {
        // A keyring hides its program, as each program with a privilege of its file does; an app's mark does not come off by that.
        case .none, .hidden: return true
        case .ended: return false
        case .program, .ancestor, .unknown:
            recorder.record(
                "apps", "service_refused",
                "An app, or a program that it has started, is not taken for a service of the desktop.",
                ["process_id": "\(caller.processID)"])
            return false
        }
    }
}
