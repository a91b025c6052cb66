import BatonWire
import Foundation
import SwiftProtobuf

/// The app's calls to its index that go to the daemon next: a pure value.
///
/// Calls take effect in their order. Items that an app indexes faster than the daemon writes go out together: many calls then
/// share one wait for the disk.
struct IndexQueue: Sendable {
    struct Call: Sendable {
        var request: IndexRequest
        var done: @Sendable (CSIndexError?) -> Void
    }

    /// Calls that are sent at once.
    struct Batch: Sendable {
        var request: IndexRequest
        var calls: [Call]
        /// More of the same call follows: it has not ended with this part.
        var isPart = false
    }

    /// The daemon takes so many steps in one message of 4 MiB.
    static let maximumSteps = 2_000
    static let maximumBytes = 2 << 20
    /// Calls that may wait. Policy: more is refused, with an error that says to wait for completions.
    static let maximumWaitingSteps = 50_000
    static let maximumWaitingBytes = 64 << 20

    private var calls: [Call] = []
    private var waiting: (steps: Int, bytes: Int) = (0, 0)

    /// - Returns: false when too much is waiting.
    mutating func add(_ call: Call) -> Bool {
        let request = call.request
        guard
            calls.isEmpty
                || (waiting.steps + request.steps.count <= Self.maximumWaitingSteps
                    && waiting.bytes + request.bytes <= Self.maximumWaitingBytes)
        else { return false }
        calls.append(call)
        waiting.steps += request.steps.count + 1
        waiting.bytes += request.bytes
        return true
    }

    var isEmpty: Bool { calls.isEmpty }

    mutating func next() -> Batch? {
        guard !calls.isEmpty else { return nil }
        var first = calls.removeFirst()
        waiting.steps -= first.request.steps.count + 1
        waiting.bytes -= first.request.bytes
        guard first.request.steps.count <= Self.maximumSteps, first.request.bytes <= Self.maximumBytes else {
            let part = Self.takePart(of: &first.request)
            calls.insert(first, at: 0)
            waiting.steps += first.request.steps.count + 1
            waiting.bytes += first.request.bytes
            return Batch(request: part, calls: [first], isPart: true)
        }
        var batch = Batch(request: first.request, calls: [first])
        guard first.request.isPlain else { return batch }
        while let call = calls.first, call.request.isPlain, call.request.name == first.request.name,
            call.request.protection == first.request.protection,
            batch.request.steps.count + call.request.steps.count <= Self.maximumSteps,
            batch.request.bytes + call.request.bytes <= Self.maximumBytes
        {
            calls.removeFirst()
            waiting.steps -= call.request.steps.count + 1
            waiting.bytes -= call.request.bytes
            batch.request.steps += call.request.steps
            batch.request.bytes += call.request.bytes
            batch.calls.append(call)
        }
        return batch
    }

    /// The first call, of which parts were sent, has failed.
    mutating func dropFirst() {
        guard !calls.isEmpty else { return }
        let call = calls.removeFirst()
        waiting.steps -= call.request.steps.count + 1
        waiting.bytes -= call.request.bytes
    }

    /// The state that a call expects holds for its parts too; the new one is set with the last.
    private static func takePart(of request: inout IndexRequest) -> IndexRequest {
        var bytes = 0
        var count = 0
        for step in request.steps.prefix(maximumSteps) {
            let size = (try? step.serializedBytes() as [UInt8]).map(\.count) ?? 0
            guard count == 0 || bytes + size <= maximumBytes else { break }
            bytes += size
            count += 1
        }
        var part = IndexRequest(
            name: request.name, protection: request.protection, steps: Array(request.steps.prefix(count)),
            expectedState: request.expectedState)
        part.bytes = bytes
        request.steps.removeFirst(count)
        request.bytes -= bytes
        return part
    }
}
