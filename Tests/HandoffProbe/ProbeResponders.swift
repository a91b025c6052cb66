import Baton
import Foundation

/// A part of the probe's interface that takes part in an activity with a number of its own.
final class ProbeResponder: UIResponder {
    private let name: String
    var number = 0

    init(name: String) {
        self.name = name
        super.init()
    }

    required convenience init() { self.init(name: "") }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        ProbeLog.print(["event": "update", "name": name, "before": ProbeValues.text(activity.userInfo)])
        activity.addUserInfoEntries(from: [name: number])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        number = activity.userInfo?[name] as? Int ?? -1
        ProbeLog.print(["event": "restoreResponder", "name": name, "number": "\(number)"])
    }
}

/// The responders of the probe.
@MainActor
final class ProbeResponders {
    private var all: [(name: String, responder: ProbeResponder)] = []

    var responders: [ProbeResponder] { all.map(\.responder) }

    /// Makes responders, which share the activity, if there is one.
    func make(_ names: [String], for activity: NSUserActivity?) {
        for name in names {
            let responder = ProbeResponder(name: name)
            responder.userActivity = activity
            all.append((name, responder))
        }
    }

    /// Gives a responder a number, which is a change of the activity's state.
    func set(_ number: Int, on name: String?) {
        let responder = self[name]
        responder?.number = number
        responder?.userActivity?.needsSave = true
    }

    func part(_ name: String?) { self[name]?.userActivity = nil }

    private subscript(name: String?) -> ProbeResponder? { all.first { $0.name == name }?.responder }
}

/// Hears that an activity was continued, and of nothing else.
final class ContinuedDelegate: NSObject, NSUserActivityDelegate, Sendable {
    func userActivityWasContinued(_ userActivity: NSUserActivity) {
        ProbeLog.print(["event": "wasContinued", "title": userActivity.title ?? ""])
    }
}
