import Baton

/// A mail program: writing a message and reading one are two activities, and either is continued where it was on the
/// person's other device.
///
/// It prints what its windows would show.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let composer = ComposeViewController()
    private let reader = ReadViewController()

    required init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched")
        CommandLines.read { [weak self] line in self?.perform(line) }
        return true
    }

    // MARK: What a person does

    private func perform(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let text = parts.count == 2 ? parts[1] : ""
        switch parts.first {
        case "to":
            composer.edit {
                $0.recipients = text.split(separator: ",").map { $0.trimmed }
                $0.focus = .to
            }
        case "subject":
            composer.edit {
                $0.subject = text
                $0.focus = .subject
            }
        case "body":
            composer.edit {
                $0.body = text.replacingOccurrences(of: "\\n", with: "\n")
                $0.cursor = $0.body.count
                $0.focus = .body
            }
        case "cursor":
            composer.edit {
                $0.cursor = Int(text) ?? 0
                $0.focus = .body
            }
        case "attach": composer.attach(text)
        case "read": reader.open(text)
        case "quit": exit(0)
        case nil: break
        default: print("Not a command: \(line). There are to, subject, body, cursor, attach, read and quit.")
        }
    }

    // MARK: Continuing

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        print("continuing \(userActivityType)")
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        switch userActivity.activityType {
        case ComposeViewController.activityType:
            composer.fetchPicture(of: userActivity)
            restorationHandler([composer])
        case ReadViewController.activityType: restorationHandler([reader])
        default: return false
        }
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        print("not continued: \(error.localizedDescription)")
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
