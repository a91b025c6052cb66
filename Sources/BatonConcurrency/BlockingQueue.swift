package import Dispatch

/// A thread of its own for work that blocks, one piece after the other.
package struct BlockingQueue: Sendable {
    package let queue: DispatchQueue

    package init(_ label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }

    package func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
