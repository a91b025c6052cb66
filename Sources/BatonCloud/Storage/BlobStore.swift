import BatonCore
package import Foundation

/// Stores the bytes of blobs. A blob under a name always has the contents that the name states, even after a crash.
package protocol BlobStore: Sendable {
    /// The received bytes of an incomplete blob; 0 for none.
    func received(_ address: BlobAddress) async throws -> UInt64
    /// Appends to the received bytes.
    /// - Throws: `failed_precondition` `wrong_offset` when `offset` is not how much has come; `aborted` `blob_busy`
    ///   when the same blob comes from elsewhere at this moment.
    func append(_ bytes: Data, to address: BlobAddress, at offset: UInt64) async throws
    /// Checks the received bytes, and makes them the blob, durably. Nothing happens when the blob is there already.
    /// - Throws: `invalid_argument` `blob_mismatch` when it is not what the name says; what has come is dropped then.
    func finish(_ address: BlobAddress) async throws
    /// Drops the received bytes of an incomplete blob; a complete one stays.
    /// - Throws: `aborted` `blob_busy` when the same blob comes from elsewhere at this moment.
    func dropUpload(_ address: BlobAddress) async throws
    /// Nil when the blob is not there.
    func size(of address: BlobAddress) async throws -> UInt64?
    /// - Parameter range: within the blob.
    /// - Throws: `not_found` when the blob is not there.
    func read(_ address: BlobAddress, range: Range<UInt64>) async throws -> Data
    /// Removes a blob or the received bytes of one; nothing happens when there is neither.
    func remove(_ address: BlobAddress) async throws
}

enum BlobFailure {
    static func wrongOffset(_ received: UInt64) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "wrong_offset",
            "\(received) bytes of the blob have come. Go on from there; FindMissingBlobs says how many.")
    }
    static let mismatch = BatonError(
        .invalidArgument, reason: "blob_mismatch",
        "The bytes do not match the blob's name; they were dropped. Upload the blob again from the start.")
    static let tooManyBytes = BatonError(
        .invalidArgument, reason: "too_many_bytes", "More bytes came than the blob was said to have.")
    static let busy = BatonError(
        .aborted, reason: "blob_busy", "The same blob is being uploaded elsewhere at this moment. Try again.")
    static let unknown = BatonError(.notFound, reason: "unknown_blob", "There is no such blob.")
}
