/// Wakes one reader. Signals that come before it looks again are one.
package struct Signal: Sendable {
    /// For one reader. It ends with ``finish()``, or when the reading task is cancelled.
    package let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Does not block.
    package func send() { continuation.yield() }

    package func finish() { continuation.finish() }
}
