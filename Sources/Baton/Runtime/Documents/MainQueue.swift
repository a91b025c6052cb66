import Foundation

/// From any thread to the main actor, in order.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main actor's thread: the main thread, or the one that runs the main queue in a program without a main
    /// loop.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }

    static func async(_ body: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
    }

    /// Waits for the main actor. Never while it waits for this thread.
    static func sync<Value>(_ body: @MainActor () throws -> Value) throws -> Value {
        // Crosses over while one thread waits for the other.
        nonisolated(unsafe) var result: Result<Value, any Error>?
        func run() { MainActor.assumeIsolated { result = Result { try body() } } }
        if isCurrent { run() } else { DispatchQueue.main.sync { run() } }
        guard let result else { throw CocoaError(.userCancelled) }
        return try result.get()
    }
}
