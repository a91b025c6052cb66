import Foundation

/// From any thread to the main actor, in order.
enum MainQueue {
    static func async(_ body: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
    }

    /// Waits for the main actor. Never while it waits for this thread.
    static func sync<Value>(_ body: @MainActor () throws -> Value) throws -> Value {
        // Crosses over while one thread waits for the other.
        nonisolated(unsafe) var result: Result<Value, any Error>?
        func run() { MainActor.assumeIsolated { result = Result { try body() } } }
        if Thread.isMainThread { run() } else { DispatchQueue.main.sync { run() } }
        guard let result else { throw CocoaError(.userCancelled) }
        return try result.get()
    }
}
