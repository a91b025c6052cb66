/// An activity that the runtime knows and does not hold.
struct WeakActivity: Sendable {
    weak var value: NSUserActivity?
}
