import Baton
import Foundation

/// A to-do list that other apps add to with `todolist:` URLs.
///
/// It prints what it does: its list is what a window would show.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var list = TodoList()

    required init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        list.load()
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
        list.append(request)
        print("added \(request.name)\(sender.map { " from \($0)" } ?? "")")
        return true
    }
}

/// The tasks, a line each, in the app's `Documents`.
struct TodoList {
    private(set) var lines: [String] = []

    private var file: URL {
        let home = ProcessInfo.processInfo.environment["BATON_CONTAINER"] ?? NSHomeDirectory()
        return URL(fileURLWithPath: home).appendingPathComponent("Documents/todo.txt")
    }

    mutating func load() {
        lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }

    mutating func append(_ request: TodoRequest) {
        lines.append("\(ISO8601DateFormatter().string(from: request.due)) \(request.name)")
        do {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file, options: .atomic)
        } catch {
            print("not saved: \(error.localizedDescription)")
        }
    }
}
