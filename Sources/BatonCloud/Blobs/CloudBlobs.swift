import BatonConcurrency
package import BatonCore
package import Foundation

/// Keeps what the account knows of blobs and where their bytes are in step, whatever happens between two steps:
/// a blob is known before its first byte comes, and forgotten after its last byte is gone.
package final class CloudBlobs: Sendable {
    private let items: any ItemStore
    private let store: any BlobStore
    private let limits: CloudLimits
    /// There are blobs to be collected at once. For one reader.
    let released = Signal()

    package init(items: any ItemStore, store: any BlobStore, limits: CloudLimits) {
        self.items = items
        self.store = store
        self.limits = limits
    }

    package struct Progress: Sendable {
        package var received: UInt64
        package var isComplete: Bool
    }

    /// The missing ones of `hashes`, each with the bytes received so far.
    package func missing(
        _ hashes: [BlobHash], of account: AccountID, in space: BlobSpace
    ) async throws -> [(BlobHash, received: UInt64)] {
        let known = try await items.blobs(hashes, of: account)
        var missing: [(BlobHash, received: UInt64)] = []
        for hash in hashes where known[hash]?.standing != .complete {
            var received: UInt64 = 0
            if let blob = known[hash], blob.standing == .uploading {
                received = try await self.received(BlobAddress(space: space, hash: hash))
                // Too many cannot be gone on with.
                if received > blob.size { received = 0 }
            }
            missing.append((hash, received))
        }
        return missing
    }

    /// All of its bytes may be there already, when only the last step was missed.
    private func received(_ address: BlobAddress) async throws -> UInt64 {
        if let size = try await store.size(of: address) { return size }
        return try await store.received(address)
    }

    // MARK: Uploading

    /// An upload that may go on.
    package struct Upload: Sendable {
        package var address: BlobAddress
        package var account: AccountID
        package var size: UInt64
        package var received: UInt64
        /// The account knows of it.
        fileprivate var isReserved = false
        fileprivate var isStored = false
        /// There are bytes that no account counts.
        fileprivate var hasLeftovers = false
    }

    /// Changes nothing: the blob counts from ``reserve(_:)`` on.
    /// - Returns: nil when the blob is there.
    package func begin(
        _ hash: BlobHash, size: UInt64, at offset: UInt64, of account: AccountID, in space: BlobSpace
    ) async throws -> Upload? {
        guard size <= limits.blobBytes else {
            throw BatonError(
                .resourceExhausted, reason: "blob_too_large",
                "A blob may have \(ByteSize.text(limits.blobBytes)) at most. Cut it up.")
        }
        let known = try await items.blobs([hash], of: account)[hash]
        if known?.standing == .removing { throw StoreRules.blobBeingCollected }
        try StoreRules.checkSize(size, of: known)
        // So that it is not collected now.
        if known?.standing == .complete, try await items.beginBlob(hash, size: size, of: account) == .complete {
            return nil
        }
        var upload = Upload(
            address: BlobAddress(space: space, hash: hash), account: account, size: size, received: 0)
        if let stored = try await store.size(of: upload.address) {
            guard stored == size else { throw StoreRules.otherSize(stored) }
            (upload.isStored, upload.received) = (true, stored)
            if known == nil {
                // All that was missing is that the account knows of it.
                _ = try await finish(&upload)
                return nil
            }
        } else {
            try await findProgress(of: &upload, known)
        }
        guard offset == upload.received else { throw BlobFailure.wrongOffset(upload.received) }
        return upload
    }

    private func findProgress(of upload: inout Upload, _ known: BlobRecord?) async throws {
        let come = try await store.received(upload.address)
        guard come > 0 else { return }
        // Checked again: another upload may have begun since.
        var known = known
        if known == nil { known = try await record(of: upload) }
        upload.hasLeftovers = known == nil || come > upload.size
        upload.received = upload.hasLeftovers ? 0 : come
    }

    private func record(of upload: Upload) async throws -> BlobRecord? {
        try await items.blobs([upload.address.hash], of: upload.account)[upload.address.hash]
    }

    /// Before the first byte is kept.
    /// - Throws: `resource_exhausted` over the quota, and what else ``ItemStore/beginBlob(_:size:of:)`` throws.
    package func reserve(_ upload: inout Upload) async throws {
        guard !upload.isReserved else { return }
        _ = try await items.beginBlob(upload.address.hash, size: upload.size, of: upload.account)
        upload.isReserved = true
        if upload.hasLeftovers {
            try await store.dropUpload(upload.address)
            upload.hasLeftovers = false
        }
    }

    package func append(_ bytes: Data, to upload: inout Upload) async throws {
        guard upload.received + UInt64(bytes.count) <= upload.size else { throw BlobFailure.tooManyBytes }
        try await reserve(&upload)
        try await store.append(bytes, to: upload.address, at: upload.received)
        upload.received += UInt64(bytes.count)
        // Another call may have cancelled the upload at the same moment. No bytes are left that do not count: the call that
        // comes later, this or the other, drops them.
        guard let known = try await record(of: upload), known.standing != .removing, known.size == upload.size else {
            try? await store.dropUpload(upload.address)
            throw BlobFailure.busy
        }
    }

    /// After the last byte: checks the blob and makes it known. Before it, nothing happens.
    package func finish(_ upload: inout Upload) async throws -> Progress {
        guard upload.received == upload.size else { return Progress(received: upload.received, isComplete: false) }
        try await reserve(&upload)
        if !upload.isStored {
            try await store.finish(upload.address)
            if let stored = try await store.size(of: upload.address), stored != upload.size {
                throw StoreRules.otherSize(stored)
            }
        }
        try await items.finishBlob(upload.address.hash, size: upload.size, of: upload.account)
        return Progress(received: upload.size, isComplete: true)
    }

    /// Forgets an upload that failed, unless some of it is kept: then it may go on, or is collected one day.
    /// - Returns: how much of it is kept, as far as that is known.
    @discardableResult
    package func abandon(_ upload: Upload, after error: any Error) async -> UInt64 {
        let reason = (error as? BatonError)?.reason
        // After these errors another call has the upload, and takes care of it.
        guard upload.isReserved, reason != BlobFailure.busy.reason, reason != BlobFailure.wrongOffset(0).reason else {
            return 0
        }
        // Runs even when the caller has gone away and its call is cancelled. A later collection removes the rest.
        let kept = await Task {
            let kept = try await received(upload.address)
            guard kept == 0, try await store.size(of: upload.address) == nil,
                try await items.cancelBlob(upload.address.hash, size: upload.size, of: upload.account)
            else { return kept }
            // Another node may have added bytes since the size was read.
            try await store.dropUpload(upload.address)
            return 0
        }.result
        return (try? kept.get()) ?? 0
    }

    // MARK: Downloading

    /// - Throws: `not_found`.
    package func size(of hash: BlobHash, of account: AccountID) async throws -> UInt64 {
        guard let blob = try await items.blobs([hash], of: account)[hash], blob.standing == .complete else {
            throw BlobFailure.unknown
        }
        return blob.size
    }

    package func read(_ hash: BlobHash, in space: BlobSpace, range: Range<UInt64>) async throws -> Data {
        try await store.read(BlobAddress(space: space, hash: hash), range: range)
    }

    // MARK: Collecting

    private static let patience = Duration.seconds(600)

    /// Gives up those of these that no item names now. They are collected next.
    /// - Returns: how many bytes they have.
    package func release(_ hashes: [BlobHash], of account: AccountID) async throws -> UInt64 {
        let bytes = try await items.releaseBlobs(hashes, of: account)
        released.send()
        return bytes
    }

    /// Removes some blobs that nothing names.
    /// - Returns: how many.
    package func collect(limit: Int) async throws -> Int {
        let addresses = try await items.giveUpBlobs(limit: limit)
        var removed: [BlobAddress] = []
        let start = ContinuousClock.now
        // Another node collects what this one does not finish in time, see ``PostgreSQLItemStore/collecting``.
        for address in addresses where start.duration(to: .now) < Self.patience {
            do {
                try await store.remove(address)
                removed.append(address)
            } catch let error as BatonError where error.reason == BlobFailure.busy.reason {
                // An upload is in progress; it will be refused at its end.
            }
        }
        try await items.forgetBlobs(removed)
        return removed.count
    }
}
