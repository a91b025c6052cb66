/// A responder of UIKit or of AppKit, which can share an activity with others (H-45, H-48).
@MainActor
protocol ActivityResponder: AnyObject, Sendable {
    func updateUserActivityState(_ activity: NSUserActivity)
}

/// The activity that one responder takes part in.
struct ManagedActivity: Sendable {
    private(set) var activity: NSUserActivity?

    /// Joins the responders of the new activity, and leaves those of the old one (H-51), which ends with its last (H-52).
    @MainActor
    mutating func replace(by newActivity: NSUserActivity?, for responder: any ActivityResponder) {
        guard newActivity !== activity else { return }
        let previous = activity
        activity = newActivity
        newActivity?.associate(responder)
        previous?.dissociate(ObjectIdentifier(responder))
    }
}
