import BatonConcurrency
package import BatonCore
import Synchronization

/// The transfers that this device sends: holds each one until its receiver has it, and reads its files for that device
/// only.
///
/// Safe to use from any task.
package final class TransferOutbox: Sendable {
    /// Bytes that are read at once.
    static let chunkSize = 512 << 10
    /// Policy: more are refused.
    static let maximumTransfers = 64

    /// How a transfer ended, as its receiver reports.
    package struct Receipt: Sendable {
        package var files: Int
        package var bytes: UInt64
        /// Nil when the receiver has everything.
        package var failure: BatonError?

        package init(files: Int, bytes: UInt64, failure: BatonError? = nil) {
            self.files = files
            self.bytes = bytes
            self.failure = failure
        }
    }

    private struct Transfer {
        let items: LocalItems
        let device: DeviceID
        let progress: Broadcaster<TransferProgress>
        let receipt: Promise<Receipt>
        var lastCall: ContinuousClock.Instant
        var last: TransferProgress
        /// The receiver has every byte, and brings them to its disk.
        var isHandedOut = false
    }

    private let transfers = Mutex<[TransferID: Transfer]>([:])
    /// Transfers that the person here cancelled, the newest last. Bound 64: older ones are answered as unknown.
    private let cancelled = Mutex<[TransferID]>([])
    private let patience: Duration
    /// A receiver that asks for nothing for so long is shown as waited for.
    private static let silence = Duration.seconds(3)

    /// - Parameter patience: a receiver that asks for nothing for so long has gone for good.
    package init(patience: Duration = .seconds(120)) { self.patience = patience }

    // MARK: Sending

    /// Offers items to a device, and lets it read them until it has them or gives up.
    /// - Parameters:
    ///   - offer: announces the transfer to the device; returns whether it was accepted.
    ///   - progress: called now and then. It must not block.
    /// - Throws: `permission_denied` with reason `declined`; `unavailable` with reason `receiver_gone` when the device is not
    ///   heard of for too long; `data_loss` with reason `incomplete_receipt` when it has less than was sent; what the
    ///   device says when it gives up.
    package func send(
        _ items: LocalItems, to device: DeviceID,
        offer: (TransferID, TransferManifest) async throws -> Bool,
        progress: @escaping @Sendable (TransferProgress) async -> Void
    ) async throws -> Receipt {
        let id = TransferID.random()
        let receipt = Promise<Receipt>()
        let updates = Broadcaster<TransferProgress>(.newest)
        let stream = updates.subscribe()
        try transfers.withLock { transfers throws(BatonError) in
            guard transfers.count < Self.maximumTransfers else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_transfers",
                    "\(Self.maximumTransfers) transfers are under way already. Wait until some are over.")
            }
            transfers[id] = Transfer(
                items: items, device: device, progress: updates, receipt: receipt, lastCall: .now,
                last: items.manifest.progress(at: TransferPlace()))
        }
        defer {
            if Task.isCancelled { cancelled.withLock { $0 = ($0 + [id]).suffix(64) } }
            transfers.withLock { $0[id] = nil }
            updates.finish()
        }
        guard try await offer(id, items.manifest) else {
            throw Self.declined
        }
        transfers.withLock { $0[id]?.lastCall = .now }
        let result = try await withThrowingTaskGroup(of: Receipt?.self) { group in
            group.addTask { try await receipt.value() }
            group.addTask {
                for await update in stream { await progress(update) }
                return nil
            }
            group.addTask { [self] in
                while true {
                    // sleeps: a receiver that is gone says nothing.
                    try await Task.sleep(for: .seconds(1))
                    guard let transfer = transfers.withLock({ $0[id] }) else { return nil }
                    // Many gigabytes take minutes to be on a slow disk.
                    let limit = transfer.isHandedOut ? patience * 10 : patience
                    let silence = ContinuousClock.now - transfer.lastCall
                    if silence > limit { throw Self.receiverGone }
                    guard silence > Self.silence, !transfer.isHandedOut, !transfer.last.isWaiting else { continue }
                    updates.send(
                        transfers.withLock { transfers in
                            transfers[id]?.last.isWaiting = true
                            return transfers[id]?.last ?? transfer.last
                        })
                }
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
        if let failure = result.failure { throw failure }
        let manifest = items.manifest
        guard result.files == manifest.fileCount, result.bytes == manifest.totalBytes else {
            throw BatonError(
                .dataLoss, reason: "incomplete_receipt",
                "The other device has \(result.files) of \(manifest.fileCount) files. Send them again.")
        }
        return result
    }

    // MARK: The receiver's calls

    /// Reads the files from one place to the end of the transfer.
    /// - Throws: `not_found` for a transfer that is not that device's or is over; `aborted` with reason `source_changed`
    ///   for a file that is not as it was offered.
    package func read(
        _ id: TransferID, from place: TransferPlace, tags: PartTags, by device: DeviceID,
        write: ([TransferPart]) async throws -> Void
    ) async throws {
        let items = try transfers.withLock { transfers throws(BatonError) in
            guard let transfer = transfers[id], transfer.device == device else { throw missing(id) }
            let entries = transfer.items.manifest.entries
            guard entries.indices.contains(place.entry), place.offset <= entries[place.entry].size else {
                throw BatonError(.invalidArgument, reason: "invalid_range", "The transfer has no such bytes.")
            }
            transfers[id]?.lastCall = .now
            return transfer.items
        }
        let reader = TransferReader(items, from: place, tags: tags)
        // One thread for each transfer, so that none waits for another's disk.
        let thread = BlockingQueue("baton.transfers.read")
        var parts = try await thread.run { try reader.next(Self.chunkSize) }
        while let last = parts.last {
            // Read while the parts before are on their way.
            async let following = thread.run { try reader.next(Self.chunkSize) }
            try await write(parts)
            parts = try await following
            try handedOut(id, upTo: TransferPlace(entry: last.entry, offset: last.offset + UInt64(last.data.count)))
        }
        transfers.withLock { $0[id]?.isHandedOut = true }
    }

    /// The receiver has everything, or gives up.
    package func finish(_ id: TransferID, by device: DeviceID, _ receipt: Receipt) throws(BatonError) {
        let transfer = transfers.withLock { $0[id] }
        guard let transfer, transfer.device == device else { throw missing(id) }
        transfer.receipt.settle(.success(receipt))
    }

    /// - Throws: `not_found` when the sender has given up meanwhile.
    private func handedOut(_ id: TransferID, upTo place: TransferPlace) throws(BatonError) {
        try transfers.withLock { transfers throws(BatonError) in
            guard var transfer = transfers[id] else { throw missing(id) }
            transfer.lastCall = .now
            transfer.last = transfer.items.manifest.progress(at: place)
            transfer.progress.send(transfer.last)
            transfers[id] = transfer
        }
    }

    private func missing(_ id: TransferID) -> BatonError {
        cancelled.withLock { $0.contains(id) } ? Self.senderCancelled : Self.unknown
    }

    static let declined = BatonError(.permissionDenied, reason: "declined", "The other device declined.")

    static let senderCancelled = BatonError(
        .aborted, reason: "sender_cancelled", "The sender cancelled the transfer.")

    static let unknown = BatonError(
        .notFound, reason: "unknown_transfer", "There is no such transfer any more. Send the files again.")

    private static let receiverGone = BatonError(
        .unavailable, reason: "receiver_gone", "The other device is not heard of any more. Send the files again.")
}
