import BatonCore
import Dispatch

/// The app's context that the person sees (P-16, P-25), and where callbacks run.
extension AppRuntime {
    var isInFront: Bool { withState(\.isInFront) }

    /// The app comes to the front, or leaves it.
    func setInFront(_ isInFront: Bool) {
        wake {
            // From then on the daemon learns it where the app shows nothing, too: “this” is nothing of an app that was left, and one
            // to which the person has come back is used. An app that was only launched may never say that it is left.
            if isInFront != $0.isInFront { $0.tellsFront = true }
            $0.isInFront = isInFront
        }
    }

    /// The person is in a text field: only an app that is attached and says that it is in front is offered anything.
    func tellFront() {
        wake {
            $0.tellsFront = true
            start(&$0)
        }
    }

    /// Something of the activity changed that is not announced.
    func contextChanged() { wake { _ in } }

    /// The app's context to report to the daemon; it counts as reported from now on.
    func nextContext() -> AppContext? {
        // Held until after the lock: to let go of the last reference takes the same lock.
        let current = currentActivity
        defer { withExtendedLifetime(current) {} }
        let snapshot = current?.snapshot
        return withState { state in
            let context = AppContext(isInFront: state.isInFront, showing: snapshot)
            let isTold = state.toldContext != nil || state.tellsFront || context.activity != nil
            guard context != state.toldContext, isTold else { return nil }
            state.toldContext = context
            return context
        }
    }

    /// Makes this the runtime of every object that `body` makes.
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$calling.withValue(self, operation: body)
    }

    /// Runs on the main actor, in the order of the calls. Not a task: a block on the main queue keeps the order and is
    /// quicker.
    func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async {
            MainActor.assumeIsolated { self.run { body() } }
        }
    }

    /// Runs on the callback queue, in the order of the calls.
    func onCallbackQueue(_ body: @escaping @Sendable () -> Void) {
        callbacks.async { self.run(body) }
    }
}
