import Baton
import Foundation

/// A task that is being edited. Editing one is an activity of type `com.acme.ToDoList.edit-item`.
final class ItemViewController: UIViewController, NSUserActivityDelegate {
    nonisolated static let activityType = "com.acme.ToDoList.edit-item"

    private var item: TodoRequest?

    /// A person changes the name of the task that is open, or begins a new one.
    func edit(_ name: String) {
        let due = item?.due ?? Date()
        item = TodoRequest(name: name, due: due)
        if userActivity == nil { take(NSUserActivity(activityType: Self.activityType)) }
        userActivity?.title = name
        userActivity?.needsSave = true
        tell("edits", item)
    }

    /// The person is done.
    /// - Returns: the task; nil if none is open.
    func finish() -> TodoRequest? {
        defer { close() }
        tell("finishes", item)
        return item
    }

    private func close() {
        item = nil
        userActivity?.resignCurrent()
        userActivity = nil
    }

    private func take(_ activity: NSUserActivity) {
        activity.delegate = self
        userActivity = activity
        activity.becomeCurrent()
    }

    private func tell(_ what: String, _ item: TodoRequest?) {
        guard let item else { return print("no task is open") }
        print("\(what) \(item.name), due \(ISO8601DateFormatter().string(from: item.due))")
    }

    // MARK: Continuing

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        guard let item else { return }
        activity.addUserInfoEntries(from: ["name": item.name, "due": item.due])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        guard let name = activity.userInfo?["name"] as? String, let due = activity.userInfo?["due"] as? Date else {
            return print("no task came")
        }
        item = TodoRequest(name: name, due: due)
        take(activity)
        activity.needsSave = true
        tell("edits", item)
    }

    /// The task is the other device's now: it is added there, once.
    nonisolated func userActivityWasContinued(_ userActivity: NSUserActivity) {
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                print("gives the task away")
                self.close()
            }
        }
    }
}
