import BatonConcurrency
import BatonCore
import Synchronization

/// Where the parts of a transfer come from.
package protocol TransferSource: Sendable {
    /// Reads parts from a place on; returns when the sender has no more.
    func read(_ id: TransferID, from place: TransferPlace, take: ([TransferPart]) async throws -> Void) async throws
}

/// Fetches one transfer into a folder, and goes on where it was when the connection breaks.
package struct TransferDownload: Sendable {
    package struct Policy: Sendable {
        /// Without a new byte for so long it gives up.
        package var patience = Duration.seconds(60)
        package var firstDelay = Duration.milliseconds(200)
        package var maximumDelay = Duration.seconds(5)

        package init() {}
    }

    private let id: TransferID
    private let manifest: TransferManifest
    private let policy: Policy
    private let source: any TransferSource

    package init(
        _ id: TransferID, _ manifest: TransferManifest, policy: Policy = Policy(), from source: any TransferSource
    ) {
        self.id = id
        self.manifest = manifest
        self.policy = policy
        self.source = source
    }

    /// - Parameters:
    ///   - destination: the absolute path of a folder that exists.
    ///   - progress: told after each part. It must not block.
    /// - Returns: the absolute paths of the items.
    /// - Throws: what the sender refuses with, what the disk refuses with, and the last failure of the connection after
    ///   ``Policy/patience``. Nothing is left in the destination then.
    package func run(
        into destination: String, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> [String] {
        let thread = BlockingQueue("baton.transfers.write")
        let (manifest, destination) = (manifest, destination)
        let folder = try await thread.run { try IncomingFolder(manifest, in: destination) }
        let cursor = Mutex(TransferCursor(manifest))
        var lastProgress = ContinuousClock.now
        var delay = policy.firstDelay
        while !cursor.withLock(\.isAtEnd) {
            let before = cursor.withLock(\.place)
            var failure = BatonError(
                .unavailable, reason: "transfer_cut", "The connection to the other device ended before the transfer.")
            do {
                try await source.read(id, from: before) { parts in
                    try cursor.withLock { cursor throws(BatonError) in
                        for part in parts { try cursor.take(part) }
                    }
                    try await thread.run { try folder.write(parts) }
                    progress(cursor.withLock(\.progress))
                }
            } catch let error as BatonError {
                guard Self.canRetry(error) else { throw error }
                failure = error
            }
            try Task.checkCancellation()
            if cursor.withLock(\.place) != before {
                lastProgress = .now
                delay = policy.firstDelay
            }
            if cursor.withLock(\.isAtEnd) { break }
            guard ContinuousClock.now - lastProgress < policy.patience else { throw failure }
            // sleeps: before another attempt.
            try await Task.sleep(for: delay)
            delay = min(delay * 2, policy.maximumDelay)
        }
        return try await thread.run { try folder.deliver() }
    }

    /// Whether the same request may succeed later: the connection's failures, but not the sender's or the disk's.
    private static func canRetry(_ error: BatonError) -> Bool {
        switch error.code {
        case .unavailable, .deadlineExceeded, .canceled: true
        default: error.reason == "damaged_part" || error.reason == "unexpected_part"
        }
    }
}
