import Baton
import Foundation

/// The probe as an app of AppKit's: its responder offers a number, and takes over what another device offers.
final class AppKitProbe: NSResponder, NSApplicationDelegate {
    private let container: String
    private let view = AppKitView()

    init(container: String) {
        self.container = container
        super.init()
    }

    required convenience init() { self.init(container: "/nonexistent") }

    func applicationDidFinishLaunching(_ notification: Notification) {
        CommandPipe(path: container + "/commands").read { line in
            DispatchQueue.main.async { MainActor.assumeIsolated { self.perform(line) } }
        }
        ProbeLog.print(["event": "ready", "pid": "\(getpid())", "kind": "AppKit"])
    }

    func applicationWillTerminate(_ notification: Notification) {
        ProbeLog.print(["event": "willTerminate"])
    }

    private func perform(_ line: String) {
        guard let command = try? JSONDecoder().decode(ProbeCommand.self, from: Data(line.utf8)), command.do == "make"
        else { return ProbeLog.print(["event": "error", "message": "Not a command: \(line.prefix(200))"]) }
        let activity = NSUserActivity(activityType: command.type ?? "")
        activity.title = command.title
        view.number = command.number ?? 0
        view.userActivity = activity
        activity.becomeCurrent()
    }

    func application(
        _ application: NSApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        ProbeLog.print(["event": "willContinue", "type": userActivityType])
        return true
    }

    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        ProbeLog.print(["event": "continue", "title": userActivity.title ?? ""])
        restorationHandler([view])
        return true
    }

    func application(
        _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        ProbeLog.print(["event": "didFail", "type": userActivityType, "code": "\((error as NSError).code)"])
    }

    func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) {
        ProbeLog.print(["event": "didUpdate", "userInfo": ProbeValues.text(userActivity.userInfo)])
    }
}

/// The responder that takes part in the app's activity.
private final class AppKitView: NSResponder {
    var number = 0

    override func updateUserActivityState(_ userActivity: NSUserActivity) {
        super.updateUserActivityState(userActivity)
        userActivity.addUserInfoEntries(from: ["number": number])
    }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        super.restoreUserActivityState(userActivity)
        number = userActivity.userInfo?["number"] as? Int ?? -1
        ProbeLog.print(["event": "restore", "title": userActivity.title ?? "", "number": "\(number)"])
    }
}
