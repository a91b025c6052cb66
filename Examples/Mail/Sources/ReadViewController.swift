import Baton
import Foundation

/// The window in which a message is read. Reading is an activity of its own, of type `com.example.Mail.reading`.
final class ReadViewController: UIViewController {
    nonisolated static let activityType = "com.example.Mail.reading"

    private var message = ""

    func open(_ message: String) {
        self.message = message
        let activity = NSUserActivity(activityType: Self.activityType)
        activity.title = "Message \(message)"
        show(activity)
    }

    private func show(_ activity: NSUserActivity) {
        userActivity = activity
        activity.needsSave = true
        activity.becomeCurrent()
        print("reads \(message)")
        guard let found = Mailbox.message(message) else { return print("it is not in the mailbox here") }
        let text = found.text.replacingOccurrences(of: "\n", with: "\\n")
        print("from \(found.sender): “\(found.subject)”, “\(text)”")
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["message": message])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        guard let message = activity.userInfo?["message"] as? String else { return print("no message came") }
        self.message = message
        show(activity)
    }
}
