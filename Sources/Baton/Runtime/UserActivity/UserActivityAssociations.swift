/// The objects connected with an activity.
struct UserActivityAssociations: Sendable {
    var delegate = WeakDelegate(value: nil)
    /// True from the first responder on: managed by the framework (H-45).
    var isManaged = false
    var responders: [WeakResponder] = []
}

// @unchecked: the reference is only handed on; the delegate is called on the callback queue alone, and it is the app's
// part, as on Apple's systems, to be ready for that.
struct WeakDelegate: @unchecked Sendable {
    weak var value: (any NSUserActivityDelegate)?
}

struct WeakResponder: Sendable {
    weak var value: (any ActivityResponder)?
    let id: ObjectIdentifier
}
