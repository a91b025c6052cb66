import BatonConcurrency
import BatonCore
package import Foundation
import Synchronization

/// Where the parts of a transfer come from.
package protocol TransferSource: Sendable {
    /// Reads parts from a place on; returns when the sender has no more.
    /// - Parameter key: for the ``PartTags`` of the sender.
    func read(
        _ id: TransferID, from place: TransferPlace, key: Data, take: ([TransferPart]) async throws -> Void
    ) async throws
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
    ///   - earlier: what has come of an equal transfer, which this one goes on with.
    ///   - pause: gets what has come when the connection, the sender or this task ends it before its end.
    ///   - progress: called after each part. It must not block.
    /// - Returns: the folder with everything in it, to be delivered.
    /// - Throws: what the sender refuses with, what the disk refuses with, and the last failure of the connection after
    ///   ``Policy/patience``. Nothing is left in the destination then but what `pause` got.
    package func run(
        into destination: String, after earlier: PausedDownload? = nil,
        pause: (@Sendable (PausedDownload) -> Void)? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> IncomingFolder {
        let thread = BlockingQueue("baton.transfers.write")
        let manifest = manifest
        let folder =
            if let earlier { earlier.folder } else {
                try await thread.run { try IncomingFolder(manifest, in: destination) }
            }
        let cursor = SharedCursor(earlier?.cursor ?? TransferCursor(manifest))
        do {
            try await fill(folder, cursor, on: thread, progress)
        } catch {
            if let pause, cursor.place != TransferPlace(), manifest.canResume, Self.canResume(error) {
                pause(PausedDownload(folder: folder, cursor: cursor.value))
                throw error
            }
            // Now, not when the last of its references is gone.
            await thread.run { folder.discard() }
            throw error
        }
        return folder
    }

    private func fill(
        _ folder: IncomingFolder, _ cursor: SharedCursor, on thread: BlockingQueue,
        _ progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws {
        var lastProgress = ContinuousClock.now
        var delay = policy.firstDelay
        while !cursor.isAtEnd {
            let before = cursor.place
            var failure = BatonError(
                .unavailable, reason: "transfer_cut", "The connection to the other device ended before the transfer.")
            do {
                let key = PartTags.randomKey()
                try cursor.expect(PartTags(key: key))
                try await fetch(from: before, key, on: thread) { parts throws(BatonError) in
                    try cursor.take(parts)
                    try folder.write(parts)
                    progress(cursor.progress)
                }
            } catch let error as BatonError {
                guard Self.canRetry(error) else { throw error }
                failure = error
            }
            try Task.checkCancellation()
            if cursor.place != before {
                lastProgress = .now
                delay = policy.firstDelay
            }
            if cursor.isAtEnd { break }
            guard ContinuousClock.now - lastProgress < policy.patience else { throw failure }
            var waiting = cursor.progress
            waiting.isWaiting = true
            progress(waiting)
            // sleeps: before another attempt.
            try await Task.sleep(for: delay)
            delay = min(delay * 2, policy.maximumDelay)
        }
    }

    private typealias Write = @Sendable (_ parts: [TransferPart]) throws(BatonError) -> Void

    /// Reads parts from a place on. They are written by a task of its own, while the next ones come.
    private func fetch(
        from place: TransferPlace, _ key: Data, on thread: BlockingQueue, write: @escaping Write
    ) async throws {
        // Bound: those that are being written, and those that come next, for which there must be credit.
        let (queue, queued) = AsyncStream.makeStream(of: [TransferPart].self)
        let (credit, credits) = AsyncStream.makeStream(of: Void.self)
        credits.yield()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { credits.finish() }
                for await parts in queue {
                    try await thread.run { try write(parts) }
                    credits.yield()
                }
            }
            do {
                try await source.read(id, from: place, key: key) { parts in
                    guard await credit.first(where: { true }) != nil else { throw CancellationError() }
                    queued.yield(parts)
                }
                queued.finish()
            } catch {
                queued.finish()
                // First of all why parts were refused or not written: such a failure is not tried again.
                try await group.waitForAll()
                throw error
            }
            try await group.waitForAll()
        }
    }

    /// The cursor of the tasks that fetch and write.
    private final class SharedCursor: Sendable {
        private let state: Mutex<(cursor: TransferCursor, tags: PartTags?)>

        init(_ cursor: TransferCursor) { state = Mutex((cursor, nil)) }

        var value: TransferCursor { state.withLock { $0.cursor } }
        var place: TransferPlace { state.withLock { $0.cursor.place } }
        var isAtEnd: Bool { state.withLock { $0.cursor.isAtEnd } }
        var progress: TransferProgress { state.withLock { $0.cursor.progress } }

        /// The parts of the next call have these tags.
        func expect(_ tags: PartTags) { state.withLock { $0.tags = tags } }

        /// All of them or none: those that are taken are written.
        func take(_ parts: [TransferPart]) throws(BatonError) {
            try state.withLock { state throws(BatonError) in
                guard var tags = state.tags else { return }
                var cursor = state.cursor
                for part in parts { try cursor.take(part, &tags) }
                state = (cursor, tags)
            }
        }
    }

    /// Whether all that was taken is on the disk, and the rest may come in another transfer.
    private static func canResume(_ error: any Error) -> Bool {
        guard let error = error as? BatonError else { return error is CancellationError }
        return canRetry(error)
            || [TransferOutbox.senderCancelled.reason, TransferOutbox.unknown.reason].contains(error.reason)
    }

    /// Whether the same request may succeed later: the connection's failures, but not the sender's or the disk's.
    private static func canRetry(_ error: BatonError) -> Bool {
        switch error.code {
        case .unavailable, .deadlineExceeded, .canceled: true
        default: error.reason == "damaged_part" || error.reason == "unexpected_part"
        }
    }
}
