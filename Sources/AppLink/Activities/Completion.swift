import Synchronization

/// Calls a completion handler once, at the first of several signals.
package final class Completion: Sendable {
    private let handler: Mutex<(@Sendable () -> Void)?>

    package init(_ handler: @escaping @Sendable () -> Void) { self.handler = Mutex(handler) }

    package func call() {
        let handler = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        handler?()
    }
}
