import Baton
import Foundation

/// The window in which a message is written. Writing it is an activity of type `com.example.Mail.composing`.
final class ComposeViewController: UIViewController {
    nonisolated static let activityType = "com.example.Mail.composing"

    private var draft = Draft()
    private let fields: [Draft.Field: UITextField] = [
        .to: UITextField(), .subject: UITextField(), .body: UITextField(),
    ]
    private let picture = Picture()
    private lazy var activityDelegate = DraftActivityDelegate(picture: picture) { [weak self] in self?.putAway() }
    /// Another device goes on with the message that was written here.
    private var isElsewhere = false

    // MARK: What a person does

    /// Changes the message: every change is there when another device continues.
    func edit(_ change: (inout Draft) -> Void) {
        if userActivity == nil || isElsewhere { begin() }
        change(&draft)
        draft.cursor = min(max(0, draft.cursor), draft.body.count)
        userActivity?.title = draft.subject.isEmpty ? "New Message" : draft.subject
        userActivity?.needsSave = true
        show()
        print(draft.line)
    }

    /// Fills the fields, and goes into the one in which the person is.
    private func show() {
        fields[.to]?.text = draft.recipients.joined(separator: ", ")
        fields[.subject]?.text = draft.subject
        fields[.body]?.text = draft.body
        for (name, field) in fields where name != draft.focus { field.resignFirstResponder() }
        fields[draft.focus]?.becomeFirstResponder()
    }

    func attach(_ path: String) {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            guard data.count <= Picture.limit else { return print("\(path) is too large to be attached") }
            edit { $0.picture = (path as NSString).lastPathComponent }
            picture.data = data
            print("attached \(data.count) bytes, fingerprint \(picture.fingerprint)")
        } catch {
            print("not attached: \(error.localizedDescription)")
        }
    }

    private func begin() {
        draft = Draft()
        picture.data = Data()
        isElsewhere = false
        take(NSUserActivity(activityType: Self.activityType))
    }

    /// The activity is this window's from now on, which fills it when it is needed.
    private func take(_ activity: NSUserActivity) {
        activity.delegate = activityDelegate
        activity.supportsContinuationStreams = true
        userActivity = activity
        activity.needsSave = true
        activity.becomeCurrent()
    }

    /// There is one copy of a message: the other device has it now.
    private func putAway() {
        isElsewhere = true
        print("put away “\(draft.subject)”: another device goes on with it")
    }

    // MARK: Continuing

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: draft.userInfo)
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        guard let restored = activity.userInfo.flatMap(Draft.init) else { return print("no message came") }
        draft = restored
        isElsewhere = false
        take(activity)
        show()
        print(draft.line)
        let focused = fields.filter(\.value.isEditing).map(\.key.rawValue)
        print("the cursor is in the field “\(focused.joined(separator: ", "))”")
    }

    /// The picture is on the device that offered the message: it comes over a pair of streams.
    func fetchPicture(of activity: NSUserActivity) {
        picture.data = Data()
        guard activity.userInfo?["picture"] is String, activity.supportsContinuationStreams else { return }
        activity.getContinuationStreams { [weak self] input, output, error in
            guard let input, let output else {
                return print("no picture came: \(error?.localizedDescription ?? "")")
            }
            PictureStreams(input: input, output: output).receive { data in
                guard let self, let data else { return }
                self.picture.data = data
                print("attached \(data.count) bytes, fingerprint \(self.picture.fingerprint)")
            }
        }
    }
}

/// Sends the picture to the device that goes on, and hears that it does.
final class DraftActivityDelegate: NSObject, NSUserActivityDelegate, Sendable {
    private let picture: Picture
    private let wasContinued: @MainActor @Sendable () -> Void

    init(picture: Picture, wasContinued: @escaping @MainActor @Sendable () -> Void) {
        self.picture = picture
        self.wasContinued = wasContinued
        super.init()
    }

    func userActivityWasContinued(_ userActivity: NSUserActivity) {
        let wasContinued = wasContinued
        DispatchQueue.main.async { MainActor.assumeIsolated { wasContinued() } }
    }

    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        PictureStreams(input: inputStream, output: outputStream).send(picture.data)
    }
}
