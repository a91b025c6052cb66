import Foundation
import Synchronization

/// Bytes of an input whose reading blocks, handed to a task.
///
/// Reading has a thread of its own. At most two chunks are on their way: the thread goes on when one was taken, so that a
/// writer that is faster than the task is held back. A blocked read cannot be called back; the thread ends with the
/// input, or with the process.
final class InputChunks: Sendable {
    let chunks: AsyncThrowingStream<[UInt8], any Error>
    /// Begins at 0: a semaphore that is freed below its first value traps, and the task may leave chunks untaken.
    private let credit = DispatchSemaphore(value: 0)

    /// - Parameter read: blocks; empty at the end.
    init(read: @escaping @Sendable () throws -> [UInt8]) {
        let (chunks, continuation) = AsyncThrowingStream.makeStream(
            of: [UInt8].self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(2))
        self.chunks = chunks
        // One chunk ahead of the one that is being read.
        credit.signal()
        let isOver = Flag()
        continuation.onTermination = { [credit] _ in
            isOver.set()
            credit.signal()
        }
        let thread = Thread { [credit] in
            while !isOver.isSet {
                do {
                    let chunk = try read()
                    guard !chunk.isEmpty else { return continuation.finish() }
                    continuation.yield(chunk)
                } catch {
                    return continuation.finish(throwing: error)
                }
                credit.wait()
            }
        }
        thread.name = "input"
        thread.start()
    }

    /// The task is done with a chunk.
    func release() { credit.signal() }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }
}
