import BatonConcurrency
package import BatonCore
package import Foundation
import NIOHTTP1
import Synchronization

/// Stores blobs as objects of an S3-compatible store: `blobs/SPACE/HH/HASH`, and unfinished uploads in pieces,
/// `uploads/SPACE/HASH/OFFSET-NODE`, so that any node can continue an upload that another began, and none overwrites
/// the pieces of another.
///
/// An object gets a blob's name only after all of its bytes were read back and checked. Later reads are checked again,
/// as a whole, before any byte is returned; so wrong bytes of the store never pass for a blob's.
package final class S3BlobStore: BlobStore {
    /// Blobs that are held in memory whole, at once, while they are checked. Policy: more wait for their turn.
    private static let maximumWhole = 8
    /// The largest blob.
    private static let maximumBytes = 64 << 20
    /// The largest number of pieces of an upload. Policy: beyond it, pieces are joined.
    private static let maximumPieces = 200
    /// The largest body of one request; larger objects are stored in parts.
    private static let partSize = 8 << 20
    /// How often a blob is read that is not what it should be.
    private static let maximumReadings = 3

    private struct Piece: Sendable {
        /// Within the store's prefix.
        var key: String
        var offset: UInt64
        var size: UInt64
        var end: UInt64 { offset + size }
    }

    private let client: S3Client
    /// Distinguishes this node's pieces from others'.
    private let node = StoreRules.systemRandom(8).hexadecimal
    private let turns = AsyncSemaphore(S3BlobStore.maximumWhole)
    private let cache = Mutex(BlobCache())
    /// Uploads that something is added to or that are being finished.
    private let busy = Mutex<Set<BlobAddress>>([])
    /// Progress and number of pieces of uploads through this node. Policy: at the bound all are forgotten, and read
    /// again from the store.
    private let progress = Mutex<[BlobAddress: (received: UInt64, pieces: Int)]>([:])

    package init(_ location: S3Location, _ credentials: S3Credentials, clock: WallClock = .system) {
        client = S3Client(location, credentials, clock: clock)
    }

    package func close() async { await client.close() }

    /// Writes and removes an object, so that a wrong name or secret is noticed when the server starts.
    /// - Parameters:
    ///   - deadline: how long the store may take, a little more than which this takes at most.
    ///   - patience: after which `waiting` is called.
    /// - Throws: `failed_precondition` `bucket_refused`, which says what the store said; `unavailable`
    ///   `bucket_unreachable` when it does not answer.
    package func check(
        within deadline: Duration = .seconds(9), patience: Duration = .milliseconds(1500),
        waiting: @escaping @Sendable () -> Void = {}
    ) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await self.tryObject()
                return true
            }
            group.addTask {
                try await Task.sleep(for: patience)
                waiting()
                try await Task.sleep(for: deadline - patience)
                throw S3Client.Failure(status: 0, code: "no answer").atStart
            }
            _ = try await group.next()
            group.cancelAll()
        }
    }

    private func tryObject() async throws {
        let key = "check/" + StoreRules.systemRandom(8).hexadecimal
        do {
            _ = try await client.send(S3Client.Request(method: .PUT, key: key, body: Data("ok".utf8), isStoring: true))
            try await delete(key)
        } catch let error as BatonError {
            throw (error.cause as? S3Client.Failure)?.atStart ?? error
        }
    }

    // MARK: Uploading

    package func received(_ address: BlobAddress) async throws -> UInt64 {
        let pieces = try await pieces(of: address)
        let received = pieces.last?.end ?? 0
        remember(received, pieces.count, address)
        return received
    }

    package func append(_ bytes: Data, to address: BlobAddress, at offset: UInt64) async throws {
        try await alone(with: address) {
            var known = progress.withLock { $0[address] }
            if known == nil || known?.received != offset {
                _ = try await received(address)
                known = progress.withLock { $0[address] }
            }
            guard let known, known.received == offset else { throw BlobFailure.wrongOffset(known?.received ?? 0) }
            guard !bytes.isEmpty else { return }
            forget(address)
            try await put(Data(bytes), pieceKey(address, offset))
            var pieces = known.pieces + 1
            if pieces > Self.maximumPieces {
                try await join(address)
                pieces = 1
            }
            remember(offset + UInt64(bytes.count), pieces, address)
        }
    }

    package func finish(_ address: BlobAddress) async throws {
        try await alone(with: address) {
            defer { forget(address) }
            if try await size(of: address) != nil { return try await dropPieces(of: address) }
            try await turns.withPermit {
                guard let content = try await assembled(address) else {
                    try await dropPieces(of: address)
                    throw BlobFailure.mismatch
                }
                try await store(content, blobKey(address))
            }
            // Pieces left by a failure here are removed with the blob.
            try? await dropPieces(of: address)
        }
    }

    package func dropUpload(_ address: BlobAddress) async throws {
        try await alone(with: address) {
            forget(address)
            try await dropPieces(of: address)
        }
    }

    /// Nil when the bytes that came are not what the name says, however often they are read.
    private func assembled(_ address: BlobAddress) async throws -> Data? {
        for _ in 0..<Self.maximumReadings {
            let content = try await joined(address)
            if BlobHash(of: content) == address.hash { return content }
            if content.isEmpty { return nil }
        }
        return nil
    }

    private func joined(_ address: BlobAddress) async throws -> Data {
        let pieces = try await pieces(of: address)
        guard (pieces.last?.end ?? 0) <= Self.maximumBytes else { throw Self.tooLarge }
        var content = Data(capacity: Int(pieces.last?.end ?? 0))
        for piece in pieces {
            // One that ends too early leaves a gap; then the whole is not what the name says, and is read again.
            let overlap = content.count - Int(piece.offset)
            guard overlap >= 0 else { break }
            content += (try await fetch(piece.key) ?? Data()).dropFirst(overlap)
        }
        return content
    }

    /// Joins many pieces into one: the others are ignored once it is there.
    private func join(_ address: BlobAddress) async throws {
        try await turns.withPermit {
            let pieces = try await pieces(of: address)
            try await store(try await joined(address), pieceKey(address, 0))
            for piece in pieces where piece.offset > 0 { try await delete(piece.key) }
        }
    }

    /// As few as cover the most from the start on. Two nodes that brought the same bytes at the same time may have cut them
    /// differently.
    private func pieces(of address: BlobAddress) async throws -> [Piece] {
        let all = try await list(address)
        var pieces: [Piece] = []
        var end: UInt64 = 0
        while let next = all.filter({ $0.offset <= end && $0.end > end }).max(by: { $0.end < $1.end }) {
            pieces.append(next)
            end = next.end
        }
        return pieces
    }

    private func list(_ address: BlobAddress) async throws -> [Piece] {
        let folder = "uploads/\(address.space.name)/\(address.hash.hexadecimal)/"
        var pieces: [Piece] = []
        var token: String?
        repeat {
            let (keys, sizes, next) = try await page(folder, token)
            for (key, size) in zip(keys, sizes) {
                guard let name = key.split(separator: "/").last, let size = UInt64(size),
                    let offset = name.split(separator: "-").first.flatMap({ UInt64($0) })
                else { continue }
                pieces.append(Piece(key: folder + name, offset: offset, size: size))
            }
            token = next
        } while token != nil
        return pieces
    }

    private func page(
        _ prefix: String, _ token: String?
    ) async throws -> (keys: [String], sizes: [String], next: String?) {
        var query = [("list-type", "2"), ("prefix", client.prefix + prefix)]
        if let token { query.append(("continuation-token", token)) }
        let text = try await client.send(S3Client.Request(method: .GET, query: query, limit: 4 << 20)).text
        let isTruncated = S3Document.first("IsTruncated", in: text) == "true"
        return (
            S3Document.all("Key", in: text), S3Document.all("Size", in: text),
            isTruncated ? S3Document.first("NextContinuationToken", in: text) : nil
        )
    }

    private func dropPieces(of address: BlobAddress) async throws {
        for piece in try await list(address) { try await delete(piece.key) }
    }

    // MARK: Blobs

    package func size(of address: BlobAddress) async throws -> UInt64? {
        let answer = try await client.send(
            S3Client.Request(method: .HEAD, key: blobKey(address)), accepted: [200, 404])
        guard answer.status == 200 else { return nil }
        return answer.headers.first(name: "content-length").flatMap { UInt64($0) }
    }

    package func read(_ address: BlobAddress, range: Range<UInt64>) async throws -> Data {
        let blob = try await whole(address)
        guard range.upperBound <= blob.count else { throw BlobFailure.unknown }
        return blob.subdata(in: Int(range.lowerBound)..<Int(range.upperBound))
    }

    private func whole(_ address: BlobAddress) async throws -> Data {
        if let blob = cache.withLock({ $0[address] }) { return blob }
        return try await turns.withPermit {
            // The previous holder of the permit may have fetched it.
            if let blob = cache.withLock({ $0[address] }) { return blob }
            for _ in 0..<Self.maximumReadings {
                guard let blob = try await fetch(blobKey(address)) else { throw BlobFailure.unknown }
                guard BlobHash(of: blob) == address.hash else { continue }
                cache.withLock { $0.add(blob, address) }
                return blob
            }
            throw BatonError(
                .dataLoss, reason: "blob_damaged", "The stored bytes of a blob have changed since the upload."
            )
        }
    }

    package func remove(_ address: BlobAddress) async throws {
        try await alone(with: address) {
            forget(address)
            cache.withLock { $0.remove(address) }
            try await delete(blobKey(address))
            try await dropPieces(of: address)
        }
    }

    /// Whether a blob's bytes are what its name says.
    package func isWhole(_ address: BlobAddress, size: UInt64) async throws -> Bool {
        let blob = try await fetch(blobKey(address))
        return blob.map { UInt64($0.count) == size && BlobHash(of: $0) == address.hash } ?? false
    }

    // MARK: Objects

    private func blobKey(_ address: BlobAddress) -> String {
        let name = address.hash.hexadecimal
        return "blobs/\(address.space.name)/\(name.prefix(2))/\(name)"
    }

    /// The offset with leading zeros, so that the keys' order is that of the offsets.
    private func pieceKey(_ address: BlobAddress, _ offset: UInt64) -> String {
        let digits = String(offset)
        return "uploads/\(address.space.name)/\(address.hash.hexadecimal)/"
            + String(repeating: "0", count: max(0, 20 - digits.count)) + digits + "-" + node
    }

    private func put(_ bytes: Data, _ key: String) async throws {
        _ = try await client.send(S3Client.Request(method: .PUT, key: key, body: bytes, isStoring: true))
    }

    private func delete(_ key: String) async throws {
        _ = try await client.send(S3Client.Request(method: .DELETE, key: key), accepted: [200, 204, 404])
    }

    private func store(_ content: Data, _ key: String) async throws {
        guard content.count > Self.partSize else { return try await put(content, key) }
        try await S3Multipart(client: client, key: key, partSize: Self.partSize).store(content)
    }

    /// In ranges, so that one that fails is all that is asked for again.
    /// - Returns: nil when there is no such object.
    private func fetch(_ key: String) async throws -> Data? {
        var content = Data()
        var total = 1
        while content.count < total {
            let end = content.count + Self.partSize - 1
            let answer = try await client.send(
                S3Client.Request(
                    method: .GET, key: key, headers: [("range", "bytes=\(content.count)-\(end)")],
                    limit: Self.maximumBytes),
                accepted: [200, 206, 404, 416])
            switch answer.status {
            case 404: return nil
            // The object is empty, or shorter than it was a moment ago.
            case 416: return content
            // The store does not know ranges.
            case 200: return answer.body
            default:
                let text = answer.headers.first(name: "content-range")?.split(separator: "/").last
                guard let size = text.flatMap({ Int($0) }), !answer.body.isEmpty else {
                    throw S3Client.Failure(status: answer.status, code: "a part without bytes").meaning
                }
                guard size <= Self.maximumBytes else { throw Self.tooLarge }
                content += answer.body
                total = size
            }
        }
        return content
    }

    private static let tooLarge = BatonError(
        .dataLoss, reason: "blob_damaged", "A blob is larger than any that was stored.")

    // MARK: State

    private func remember(_ received: UInt64, _ pieces: Int, _ address: BlobAddress) {
        progress.withLock { progress in
            if progress.count > 10_000 { progress = [:] }
            progress[address] = (received, pieces)
        }
    }

    private func forget(_ address: BlobAddress) { progress.withLock { $0[address] = nil } }

    private func alone(with address: BlobAddress, _ body: () async throws -> Void) async throws {
        guard busy.withLock({ $0.insert(address).inserted }) else { throw BlobFailure.busy }
        defer { _ = busy.withLock { $0.remove(address) } }
        try await body()
    }
}
