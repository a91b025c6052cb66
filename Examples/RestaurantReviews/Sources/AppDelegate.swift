import Baton

/// The restaurant app of the chapter on proactive suggestions: the restaurant that a person looks at is a place that other apps
/// are offered (P-25 to P-28), and each of its restaurants can be found.
///
/// It prints what its screens would show.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let screen = RestaurantViewController()
    private let guide = Guide()

    required init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched")
        // Before the app hears of anything: the daemon may want the items again.
        CommandLines.read { [weak self] line in self?.perform(line) }
        return true
    }

    // MARK: What a person does

    private func perform(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let text = parts.count == 2 ? parts[1] : ""
        switch parts.first {
        case "show": show(text)
        case "index": guide.index()
        case "search": guide.search(text)
        case "forget": guide.forget()
        case "leave": UIApplication.shared.transition(to: .background)
        case "quit": exit(0)
        case nil: break
        default: print("Not a command: \(line). There are show, index, search, forget, leave and quit.")
        }
    }

    private func show(_ identifier: String) {
        guard let restaurant = Restaurant.all.first(where: { $0.identifier == identifier }) else {
            return print("There is no restaurant \(identifier).")
        }
        screen.show(restaurant)
    }

    // MARK: What was found

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        let info = userActivity.userInfo ?? [:]
        switch userActivity.activityType {
        case RestaurantViewController.activityType:
            restorationHandler([screen])
        case CSSearchableItemActionType:
            let identifier = info[CSSearchableItemActivityIdentifier] as? String ?? ""
            if let action = info[CSActionIdentifier] as? String { print("does \(action) with \(identifier)") }
            show(identifier)
        case CSQueryContinuationActionType:
            guide.search(info[CSSearchQueryString] as? String ?? "")
        default:
            return false
        }
        return true
    }
}
