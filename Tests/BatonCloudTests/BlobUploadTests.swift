import BatonCore
import BatonTestSupport
import CloudConformance
import Foundation
import Testing

@testable import BatonCloud

/// The quota of an account while uploads arrive, fail and are repeated, from several callers at once.
@Suite("Uploads of blobs") struct BlobUploadTests {
    private let account = AccountID(unchecked: String(repeating: "A", count: 26))
    private let items: MemoryItemStore
    private let store = MemoryBlobStore()
    private let blobs: CloudBlobs
    private let content = Data((0..<190_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    private let space: BlobSpace
    private var hash: BlobHash { BlobHash(of: content) }
    private var address: BlobAddress { BlobAddress(space: space, hash: hash) }

    init() async throws {
        var rules = StoreRules(clock: ManualClock().clock)
        rules.quota = 200_000
        items = MemoryItemStore(rules: rules)
        space = try await items.addAccount(account, rootKey: Data([4]), statements: [], invitation: nil).space
        blobs = CloudBlobs(items: items, store: store, limits: CloudLimits())
    }

    private func begin(size: UInt64 = 190_000, at offset: UInt64) async throws -> CloudBlobs.Upload? {
        try await blobs.begin(hash, size: size, at: offset, of: account, in: space)
    }

    private var blobBytes: Int { get async throws { try await items.usage(of: account).blobBytes } }

    /// As a call does it: what fails is abandoned.
    private func upload(_ bytes: Data, size: UInt64, at offset: UInt64) async throws -> CloudBlobs.Progress {
        guard var upload = try await begin(size: size, at: offset) else {
            return CloudBlobs.Progress(received: size, isComplete: true)
        }
        do {
            if !bytes.isEmpty { try await blobs.append(bytes, to: &upload) }
            return try await blobs.finish(&upload)
        } catch {
            await blobs.abandon(upload, after: error)
            throw error
        }
    }

    @Test("A refused part with another size leaves what counts, and the blob comes whole")
    func anotherSize() async throws {
        _ = try await upload(content.prefix(150_000), size: 190_000, at: 0)
        for (offset, size) in [(150_000, 1), (189_999, 1), (0, 1), (150_000, 150_000), (150_000, 1 << 20)] {
            await expectRefusal("other_size", .failedPrecondition) {
                _ = try await upload(Data(), size: UInt64(size), at: UInt64(offset))
            }
            #expect(try await blobBytes == 190_000)
        }
        let end = try await upload(content.dropFirst(150_000), size: 190_000, at: 150_000)
        #expect(end.isComplete)
        #expect(try await blobs.size(of: hash, of: account) == 190_000)
        await expectRefusal("other_size", .failedPrecondition) { _ = try await upload(Data(), size: 7, at: 7) }
    }

    @Test("An upload of which nothing is kept does not count, whatever it failed of")
    func refused() async throws {
        await expectRefusal("wrong_offset", .failedPrecondition) { _ = try await upload(content, size: 190_000, at: 1) }
        await expectRefusal("too_many_bytes", .invalidArgument) { _ = try await upload(content, size: 1000, at: 0) }
        await expectRefusal("blob_mismatch", .invalidArgument) { _ = try await upload(Data([1]), size: 1, at: 0) }
        await expectRefusal("blob_mismatch", .invalidArgument) { _ = try await upload(Data(), size: 0, at: 0) }
        await expectRefusal("quota_exceeded", .resourceExhausted) {
            _ = try await upload(content, size: 200_001, at: 0)
        }
        #expect(try await items.usage(of: account) == Usage())
        // One that ends before it brought anything has not begun.
        let progress = try await upload(Data(), size: 190_000, at: 0)
        #expect(!progress.isComplete && progress.received == 0)
        #expect(try await items.usage(of: account) == Usage())
        // Kept bytes count, though the rest failed, until they are dropped.
        _ = try await upload(content.prefix(1000), size: 190_000, at: 0)
        await expectRefusal("too_many_bytes", .invalidArgument) {
            _ = try await upload(content, size: 190_000, at: 1000)
        }
        #expect(try await blobBytes == 190_000)
        await expectRefusal("blob_mismatch", .invalidArgument) {
            _ = try await upload(Data(count: 189_000), size: 190_000, at: 1000)
        }
        #expect(try await items.usage(of: account) == Usage())
    }

    @Test("Bytes that come while another call gives the upload up are not kept without counting")
    func together() async throws {
        var (first, second) = (try #require(try await begin(at: 0)), try #require(try await begin(at: 0)))
        try await blobs.reserve(&first)
        try await blobs.reserve(&second)
        #expect(try await blobBytes == 190_000)
        await blobs.abandon(first, after: CancellationError())
        #expect(try await blobBytes == 0)
        await expectRefusal("blob_busy", .aborted) { try await blobs.append(content.prefix(1000), to: &second) }
        #expect(try await store.received(address) == 0)
        // Begun anew, and with another size: what the second would end is not what counts.
        var third = try #require(try await begin(at: 0))
        try await blobs.append(content, to: &third)
        #expect(try await items.cancelBlob(hash, size: 190_000, of: account))
        _ = try await items.beginBlob(hash, size: 1, of: account)
        await expectRefusal("other_size", .failedPrecondition) { _ = try await blobs.finish(&third) }
        #expect(try await items.blobs([hash], of: account)[hash]?.standing == .uploading)
    }

    @Test("Bytes that no account counts are dropped by the next upload, and a blob that none counts is taken over")
    func leftovers() async throws {
        try await store.append(content.prefix(5000), to: address, at: 0)
        #expect(try await blobs.missing([hash], of: account, in: space).map(\.received) == [0])
        await expectRefusal("wrong_offset", .failedPrecondition) { _ = try await begin(at: 5000) }
        let first = try await upload(content.prefix(1000), size: 190_000, at: 0)
        #expect(first.received == 1000)
        #expect(try await store.received(address) == 1000)
        try await store.append(content.dropFirst(1000), to: address, at: 1000)
        try await store.finish(address)
        #expect(try await items.cancelBlob(hash, size: 190_000, of: account))
        await expectRefusal("other_size", .failedPrecondition) { _ = try await begin(size: 3, at: 0) }
        #expect(try await begin(at: 0) == nil)
        #expect(try await blobs.size(of: hash, of: account) == 190_000)
        #expect(try await blobBytes == 190_000)
    }
}
