import Baton
import Foundation

/// The probe as an app that shows its user nothing: of a continuation's methods it implements `continue` alone.
final class QuietProbe: UIResponder, UIApplicationDelegate {
    private let container: String

    init(container: String) {
        self.container = container
        super.init()
    }

    required init() { fatalError("It is made with its container.") }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        ProbeLog.print(["event": "ready", "pid": "\(getpid())"])
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        ProbeLog.print(["event": "continue", "type": userActivity.activityType, "title": userActivity.title ?? ""])
        return true
    }
}
