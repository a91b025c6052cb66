import Foundation

/// Something that takes any bytes and must not mind.
protocol FuzzTarget: Sendable {
    /// As on the command line.
    static var name: String { get }
    /// Inputs to begin with.
    static func seeds() throws -> [[UInt8]]
    /// Traps when something does not hold.
    static func run(_ bytes: [UInt8])
}

/// Runs what is asynchronous to its end on this thread, which belongs to libFuzzer.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    let box = Box<Value>()
    // Awaited below, at once.
    Task {
        box.value = await body()
        done.signal()
    }
    done.wait()
    guard let value = box.value else { fatalError("the task ended without a value") }
    return value
}

/// Invariant: written before the semaphore is signalled, read after it was waited for.
private final class Box<Value>: @unchecked Sendable {
    var value: Value?
}
