import BatonCore
import BatonTransport
import BatonWire
import Foundation
import HTTPTypes
import NIOCore

/// `PUT` and `GET` of `/v1/blobs/HASH`: bytes of blobs as plain HTTP bodies.
struct BlobResource: Sendable {
    let blobs: CloudBlobs
    let authorizer: RequestAuthorizer
    let hub: ChangeHub

    /// Bytes read from or written to the disk at once.
    private static let partSize = 256 << 10

    func register(on router: inout ConnectRouter) {
        router.resource(CloudPaths.blobPath) { call in try await respond(to: call) }
    }

    private func respond(to call: ResourceCall) async throws {
        let name = call.method == .put ? "PutBlob" : "GetBlob"
        try await authorizer.metrics.measure(name) {
            guard let hash = BlobHash(hexadecimal: call.path) else {
                throw BatonError(
                    .invalidArgument, reason: "malformed_name",
                    "A blob is named by 64 hexadecimal digits in lower case.")
            }
            let (caller, space) = try await authorizer.admit(call.context)
            let share = authorizer.budgets.share(of: caller)
            defer { share.end() }
            // An interrupted transfer continues where it was.
            share.mayGiveWay(call.context.abandon)
            try share.hold(Self.partSize)
            let end = TransferEnd()
            defer { end.over() }
            try await hub.transfer(caller, cancel: { end.come(to: call, with: $0) }) {
                switch call.method {
                case .put: try await put(hash, caller, space, call, end)
                case .get, .head: try await get(hash, caller, space, call)
                default:
                    throw call.refusal(
                        .methodNotAllowed, [.allow: "GET, HEAD, PUT"],
                        BatonError(
                            .unimplemented, reason: "method_not_allowed",
                            "A blob is written with PUT and read with GET."))
                }
            }
        }
    }

    // MARK: Uploading

    private func put(
        _ hash: BlobHash, _ caller: CloudCaller, _ space: BlobSpace, _ call: ResourceCall, _ end: TransferEnd
    ) async throws {
        let (size, offset) = try Self.place(call.query)
        guard var upload = try await blobs.begin(hash, size: size, at: offset, of: caller.account, in: space) else {
            // The blob is there already, so the body is ignored.
            try await call.read { _ in try end.check() }
            return try await answer(CloudBlobs.Progress(received: size, isComplete: true), call)
        }
        if let length = call.length, length > size - offset { throw BlobFailure.tooManyBytes }
        let progress: CloudBlobs.Progress
        do {
            try await receive(call, &upload, end)
            // Time has passed since the beginning.
            try await authorizer.accounts.check(caller)
            progress = try await blobs.finish(&upload)
        } catch {
            let kept = await blobs.abandon(upload, after: error)
            throw Self.told(error, kept: kept)
        }
        try await answer(progress, call)
    }

    /// Parses the query `size=TOTAL` with an optional `offset=N` (default 0): each at most once, in digits.
    static func place(_ query: String) throws(BatonError) -> (size: UInt64, offset: UInt64) {
        var numbers: [Substring: UInt64] = ["offset": 0]
        var seen: Set<Substring> = []
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard ["size", "offset"].contains(pair[0]) else { continue }
            guard pair.count == 2, seen.insert(pair[0]).inserted,
                pair[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = UInt64(pair[1])
            else { throw malformed }
            numbers[pair[0]] = number
        }
        guard let size = numbers["size"], let offset = numbers["offset"] else { throw malformed }
        return (size, offset)
    }

    private static let malformed = BatonError(
        .invalidArgument, reason: "malformed_query",
        "Say the blob's whole size and the offset of what is sent, each once and in digits: ?offset=0&size=1000. Without "
            + "an offset it is 0.")

    /// The error to send when the disk became full during an upload.
    /// - Parameter kept: bytes of the blob.
    private static func told(_ error: any Error, kept: UInt64) -> any Error {
        guard let full = error as? BatonError, full.reason == "disk_full", kept > 0 else { return error }
        return BatonError(
            full.code, reason: full.reason,
            "The server's disk is full. The \(kept) bytes of the blob that have come are kept and count: go on from there "
                + "when there is room; else they are removed in time.", cause: full.cause)
    }

    private func receive(_ call: ResourceCall, _ upload: inout CloudBlobs.Upload, _ end: TransferEnd) async throws {
        var part = ByteBuffer()
        try await call.read { bytes in
            try end.check()
            // It counts from here on, though the first bytes are still to be kept.
            try await blobs.reserve(&upload)
            part.writeImmutableBuffer(bytes)
            guard part.readableBytes >= Self.partSize else { return }
            try await blobs.append(Data(part.readableBytesView), to: &upload)
            authorizer.metrics.count(bytesIn: part.readableBytes)
            part.clear()
        }
        if part.readableBytes > 0 {
            try await blobs.append(Data(part.readableBytesView), to: &upload)
            authorizer.metrics.count(bytesIn: part.readableBytes)
        }
    }

    private func answer(_ progress: CloudBlobs.Progress, _ call: ResourceCall) async throws {
        try await call.respond(
            .ok, contentType: "application/json",
            #"{"complete":\#(progress.isComplete),"received":\#(progress.received)}"#)
    }

    // MARK: Downloading

    private func get(_ hash: BlobHash, _ caller: CloudCaller, _ space: BlobSpace, _ call: ResourceCall) async throws {
        let size = try await blobs.size(of: hash, of: caller.account)
        var fields: HTTPFields = [.contentType: "application/octet-stream", .acceptRanges: "bytes"]
        var range = 0..<size
        var status = HTTPResponse.Status.ok
        if let text = call.headers[.range] {
            guard let part = Self.range(text, of: size) else {
                throw call.refusal(
                    .rangeNotSatisfiable, [.contentRange: "bytes */\(size)"],
                    BatonError(
                        .outOfRange, reason: "range_not_satisfiable",
                        "The blob has \(size) bytes, and nothing of it is in “\(text.prefix(100))”. Ask for one range of them."
                    ))
            }
            range = part
            status = .partialContent
            fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        }
        fields[.contentLength] = String(range.count)
        // The first bytes before the head, so that a missing blob can be reported.
        var bytes = try await part(of: hash, space, &range)
        try await call.begin(status, fields)
        if call.method == .head { return try await call.end() }
        while !bytes.isEmpty {
            try await call.write(ByteBuffer(bytes: bytes))
            authorizer.metrics.count(bytesOut: bytes.count)
            bytes = try await part(of: hash, space, &range)
        }
        try await call.end()
    }

    private func part(of hash: BlobHash, _ space: BlobSpace, _ range: inout Range<UInt64>) async throws -> Data {
        guard !range.isEmpty else { return Data() }
        let end = min(range.upperBound, range.lowerBound + UInt64(Self.partSize))
        defer { range = end..<range.upperBound }
        return try await blobs.read(hash, in: space, range: range.lowerBound..<end)
    }

    /// One range of RFC 9110, section 14: `bytes=A-B`, `bytes=A-` or `bytes=-N`. Nil when nothing of the blob is in it.
    static func range(_ text: String, of size: UInt64) -> Range<UInt64>? {
        guard text.hasPrefix("bytes=") else { return nil }
        let parts = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[0].isEmpty {
            guard let count = UInt64(parts[1]), count > 0, size > 0 else { return nil }
            return size - min(count, size)..<size
        }
        guard let first = UInt64(parts[0]), first < size else { return nil }
        if parts[1].isEmpty { return first..<size }
        guard let last = UInt64(parts[1]), last >= first else { return nil }
        return first..<min(last, size - 1) + 1
    }
}
