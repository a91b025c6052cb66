package import BatonCore
package import Foundation

/// Keeps what the account knows of blobs and where their bytes are in step, whatever happens between two steps:
/// a blob is known before its first byte comes, and forgotten after its last byte is gone.
package final class CloudBlobs: Sendable {
    private let items: any ItemStore
    private let store: any BlobStore
    private let limits: CloudLimits

    package init(items: any ItemStore, store: any BlobStore, limits: CloudLimits) {
        self.items = items
        self.store = store
        self.limits = limits
    }

    package struct Progress: Sendable {
        package var received: UInt64
        package var isComplete: Bool
    }

    /// Those of `hashes` that are not there, and how far each has come.
    package func missing(
        _ hashes: [BlobHash], of account: AccountID, in space: BlobSpace
    ) async throws -> [(BlobHash, received: UInt64)] {
        let known = try await items.blobs(hashes, of: account)
        var missing: [(BlobHash, received: UInt64)] = []
        for hash in hashes where known[hash]?.standing != .complete {
            let received =
                known[hash]?.standing == .uploading
                ? try await received(BlobAddress(space: space, hash: hash)) : 0
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

    /// An upload that has room and may go on.
    package struct Upload: Sendable {
        package var address: BlobAddress
        package var account: AccountID
        package var size: UInt64
        package var received: UInt64
        fileprivate var isStored: Bool
    }

    /// - Returns: nil when the blob is there.
    package func begin(
        _ hash: BlobHash, size: UInt64, at offset: UInt64, of account: AccountID, in space: BlobSpace
    ) async throws -> Upload? {
        guard size <= limits.blobBytes else {
            throw BatonError(
                .resourceExhausted, reason: "blob_too_large",
                "A blob of \(size) bytes is over the limit of \(limits.blobBytes). Cut it up.")
        }
        guard try await items.beginBlob(hash, size: size, of: account) != .complete else { return nil }
        let address = BlobAddress(space: space, hash: hash)
        let stored = try await store.size(of: address)
        let come = try await store.received(address)
        let received = stored ?? come
        guard offset == received, offset <= size else { throw BlobFailure.wrongOffset(received) }
        return Upload(address: address, account: account, size: size, received: received, isStored: stored != nil)
    }

    package func append(_ bytes: Data, to upload: inout Upload) async throws {
        guard upload.received + UInt64(bytes.count) <= upload.size else {
            throw BatonError(
                .invalidArgument, reason: "too_many_bytes", "More bytes came than the blob was said to have.")
        }
        try await store.append(bytes, to: upload.address, at: upload.received)
        upload.received += UInt64(bytes.count)
    }

    /// After the last byte: checks the blob and makes it known. Before it, nothing happens.
    package func finish(_ upload: Upload) async throws -> Progress {
        guard upload.received == upload.size else { return Progress(received: upload.received, isComplete: false) }
        if !upload.isStored { try await store.finish(upload.address) }
        try await items.finishBlob(upload.address.hash, of: upload.account)
        return Progress(received: upload.size, isComplete: true)
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

    /// Removes some blobs that nothing names.
    /// - Returns: how many.
    package func collect(limit: Int) async throws -> Int {
        let addresses = try await items.giveUpBlobs(limit: limit)
        var removed: [BlobAddress] = []
        let start = ContinuousClock.now
        // What is not done in time is another node's, see ``PostgreSQLItemStore/collecting``.
        for address in addresses where start.duration(to: .now) < Self.patience {
            do {
                try await store.remove(address)
                removed.append(address)
            } catch let error as BatonError where error.reason == BlobFailure.busy.reason {
                // An upload that is under way; it will be refused at its end.
            }
        }
        try await items.forgetBlobs(removed)
        return removed.count
    }
}
