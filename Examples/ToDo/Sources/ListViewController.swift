import Baton

/// The list. Browsing it is an activity of type `com.acme.ToDoList.browse-list`.
final class ListViewController: UIViewController {
    nonisolated static let activityType = "com.acme.ToDoList.browse-list"

    private var list = TodoList()
    /// Only tasks with this word are shown; all when it is empty.
    private var word = ""

    func add(_ request: TodoRequest) { list.append(request) }

    /// A person looks for tasks with a word.
    func browse(_ word: String) {
        self.word = word
        let activity = NSUserActivity(activityType: Self.activityType)
        activity.title = "To Do"
        show(activity)
    }

    private func show(_ activity: NSUserActivity) {
        userActivity = activity
        activity.needsSave = true
        activity.becomeCurrent()
        let count = list.lines.count { word.isEmpty || $0.contains(word) }
        print("browses “\(word)”: \(count) of \(list.lines.count) tasks")
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["word": word])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        word = activity.userInfo?["word"] as? String ?? ""
        show(activity)
    }
}
