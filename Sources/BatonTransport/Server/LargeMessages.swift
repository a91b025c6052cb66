import Dispatch

/// Where calls with large messages run: one of 4 MiB with a million parts takes long to be taken apart, checked and
/// converted, and on an event loop every other connection would wait for it.
enum LargeMessages {
    /// Bytes of a message whose call runs on the connection's event loop.
    static let smallSize = 32 << 10

    /// Callers take turns on one of these, so that one that sends large messages without end holds up few others' large ones.
    /// The waiting messages are bounded by the ``ByteBudget`` of their plane.
    private static let lanes = (0..<4).map { Lane("development.baton.large.\($0)") }

    /// Runs the body beside the event loops, from its first step on, for which it must be concurrent.
    static func run<Value: Sendable>(
        of peer: CallContext.Peer, _ body: @Sendable @concurrent () async throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(lanes[Int(peer.lane % UInt(lanes.count))], operation: body)
    }

    /// A thread at a time.
    private final class Lane: TaskExecutor {
        private let queue: DispatchQueue

        init(_ label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

extension CallContext.Peer {
    /// One caller has always the same.
    fileprivate var lane: UInt {
        switch self {
        case .process(let process): UInt(process.processID.magnitude)
        case .device(let device): device.hashValue.magnitude
        case .stranger(let address): address.hashValue.magnitude
        }
    }
}
