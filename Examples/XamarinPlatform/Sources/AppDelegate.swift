import Baton

/// The search sample of the chapter on proactive suggestions: a page of the app that a person can find again.
///
/// It prints what its screen would show.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let platform = PlatformViewController()

    required init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched")
        CommandLines.read { [weak self] line in self?.perform(line) }
        return true
    }

    private func perform(_ line: String) {
        switch line {
        case "show": platform.show()
        case "quit": exit(0)
        case "": break
        default: print("Not a command: \(line). There are show and quit.")
        }
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        // The same text as when the activity was made.
        switch userActivity.activityType {
        case PlatformViewController.activityType:
            restorationHandler([platform])
            return true
        default:
            return false
        }
    }
}
