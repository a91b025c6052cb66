import Synchronization

/// Functions that later parts of the daemon add to something that an earlier one does. Filled while the daemon is composed.
final class Hooks<Body: Sendable>: Sendable {
    private let bodies = Mutex<[Body]>([])

    init() {}

    func add(_ body: Body) { bodies.withLock { $0.append(body) } }

    /// In the order in which they were added.
    var all: [Body] { bodies.withLock { $0 } }
}
