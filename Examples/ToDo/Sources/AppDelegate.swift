import Baton
import Foundation

/// A to-do list that other apps add to with `todolist:` URLs, and that is continued on the person's other device:
/// browsing the list and editing an item are two activities.
///
/// It prints what it does: its list is what a window would show.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let list = ListViewController()
    private let item = ItemViewController()

    required init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        CommandLines.read { [weak self] line in self?.perform(line) }
        let url = launchOptions?[.url] as? URL
        print("launched\(url.map { " for \($0.absoluteString)" } ?? "")")
        // A launch for a URL that is none of ours is refused: `open` is not called then.
        guard let url else { return true }
        return TodoRequest(url, now: Date(), timeZone: .current) != nil
    }

    func applicationDidBecomeActive(_ application: UIApplication) { print("active") }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        let sender = options[.sourceApplication] as? String
        guard let request = TodoRequest(url, now: Date(), timeZone: .current) else {
            print("refused \(url.absoluteString)")
            return false
        }
        list.add(request)
        print("added \(request.name)\(sender.map { " from \($0)" } ?? "")")
        return true
    }

    // MARK: What a person does

    private func perform(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let text = parts.count == 2 ? parts[1] : ""
        switch parts.first {
        case "browse": list.browse(text)
        case "edit": item.edit(text)
        case "done": item.finish().map(list.add)
        case nil: break
        default: print("Not a command: \(line). There are browse, edit and done.")
        }
    }

    // MARK: Continuing

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        switch userActivity.activityType {
        case ListViewController.activityType: restorationHandler([list])
        case ItemViewController.activityType: restorationHandler([item])
        default: return false
        }
        return true
    }
}
