import Foundation

/// A lock over values of Foundation that are not marked as sendable: predicates, sort descriptors, an app's own
/// objects.
///
/// They are handed from thread to thread as Foundation on Apple's systems does it.
final class UncheckedMutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
