import BatonConcurrency
import BatonCore
import Crypto
import Foundation
import RecordMerge
import Sync
import Synchronization

/// Assets that apps hand over in parts: kept as blobs of at most 8 MiB.
///
/// Bound: ``RecordsBounds/uploads`` at once, of which each has 10 MiB in memory, and
/// ``RecordsBounds/containerUploads`` of one container. Policy: for a new one the one is given up that was silent for longest, of the
/// container that has the most.
final class AssetUploads: Sendable {
    /// Milliseconds that an upload may be silent.
    private static let lifetime: UInt64 = 60 * 60 * 1000

    private final class Upload: Sendable {
        struct State {
            var done: UInt64 = 0
            var rest = Data()
            var hash = SHA256()
            var parts: [RecordAsset.Part] = []
            var asset: RecordAsset?
            var time: UInt64 = 0
        }

        let container: RecordContainer
        let kind: RecordAsset.Kind
        let turns = AsyncSemaphore(1)
        let state: Mutex<State>

        init(container: RecordContainer, kind: RecordAsset.Kind, time: UInt64) {
            self.container = container
            self.kind = kind
            var state = State()
            state.time = time
            self.state = Mutex(state)
        }

        /// When its last part came.
        var time: UInt64 { state.withLock { $0.time } }
    }

    private let put: @Sendable (Data) async throws -> BlobReference
    private let clock: WallClock
    private let uploads = Mutex<[Data: Upload]>([:])

    /// - Parameter put: keeps a blob durably.
    init(clock: WallClock, put: @escaping @Sendable (Data) async throws -> BlobReference) {
        self.put = put
        self.clock = clock
    }

    /// - Parameter id: empty for the first part.
    /// - Returns: the asset once the last part is there.
    /// - Throws: `not_found` (`unknown_upload`), `invalid_arguments`, `limit_exceeded`.
    func write(
        _ bytes: Data, at offset: UInt64, isLast: Bool, of id: Data, kind: RecordAsset.Kind,
        container: RecordContainer
    ) async throws -> (id: Data, asset: RecordAsset?) {
        guard bytes.count <= RecordsBounds.partBytes else {
            throw RecordsError.limit("A part of an asset has 2 MiB at most.")
        }
        let (id, upload) = try find(id, kind, container)
        return try await upload.turns.withPermit {
            let (done, finished) = upload.state.withLock { state in
                state.time = clock.milliseconds
                return (state.done, state.asset)
            }
            let (end, isOver) = offset.addingReportingOverflow(UInt64(bytes.count))
            if let finished {
                guard !isOver, end == done else { throw Self.gap }
                return (id, finished)
            }
            // The same part once more: it is in memory, but its blob may not have been kept.
            let isKnown = !isOver && offset < done && (isLast ? end == done : end <= done)
            guard isKnown || offset == done else { throw Self.gap }
            guard end <= RecordLimits.assetBytes else {
                throw RecordsError.limit("An asset has 2 GiB at most.")
            }
            try await keepBlobs(of: upload, all: false)
            if !isKnown {
                upload.state.withLock { state in
                    state.hash.update(data: bytes)
                    state.rest += bytes
                    state.done = end
                }
            }
            try await keepBlobs(of: upload, all: isLast)
            guard isLast else { return (id, nil) }
            return (id, try upload.state.withLock { state throws(BatonError) in try Self.finish(&state, upload.kind) })
        }
    }

    /// Blobs that cannot be kept stay in memory, and no part is taken until they are kept.
    private func keepBlobs(of upload: Upload, all: Bool) async throws {
        while let blob = upload.state.withLock({ Self.next($0, all: all) }) {
            let reference = try await put(blob)
            upload.state.withLock { state in
                state.rest = Data(state.rest.dropFirst(blob.count))
                state.parts.append(RecordAsset.Part(reference))
            }
        }
    }

    private static func next(_ state: Upload.State, all: Bool) -> Data? {
        guard state.rest.count >= Int(RecordLimits.blobBytes) || (all && !state.rest.isEmpty) else { return nil }
        return Data(state.rest.prefix(Int(RecordLimits.blobBytes)))
    }

    private static func finish(
        _ state: inout Upload.State, _ kind: RecordAsset.Kind
    ) throws(BatonError) -> RecordAsset {
        guard state.parts.reduce(0, { $0 + $1.size }) == state.done else {
            throw BatonError(.dataLoss, reason: "asset_damaged", "A part of the asset was lost. Hand it over again.")
        }
        let asset = RecordAsset(
            kind: kind, size: state.done, digest: Data(state.hash.finalize()), parts: state.parts)
        state.asset = asset
        return asset
    }

    private func find(
        _ id: Data, _ kind: RecordAsset.Kind, _ container: RecordContainer
    ) throws(BatonError) -> (Data, Upload) {
        let now = clock.milliseconds
        return try uploads.withLock { uploads throws(BatonError) -> (Data, Upload) in
            if !id.isEmpty {
                guard let upload = uploads[id], upload.container == container else {
                    throw BatonError(
                        .notFound, reason: "unknown_upload",
                        "The upload is not known (any more). Begin again with the first part.")
                }
                return (id, upload)
            }
            uploads = uploads.filter { now < $0.value.time + Self.lifetime }
            if let id = Self.tooMany(uploads, for: container) { uploads[id] = nil }
            let new = (RandomBytes.make(16), Upload(container: container, kind: kind, time: now))
            uploads[new.0] = new.1
            return new
        }
    }

    /// The upload that makes room for another one; nil: there is room.
    private static func tooMany(_ uploads: [Data: Upload], for container: RecordContainer) -> Data? {
        let counts = uploads.values.reduce(into: [:]) { $0[$1.container, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        let candidates: [Data: Upload]
        if counts[container, default: 0] >= RecordsBounds.containerUploads {
            candidates = uploads.filter { $0.value.container == container }
        } else if uploads.count >= RecordsBounds.uploads {
            // Its own, if it has as many as any other.
            let own = counts[container] == most
            candidates = uploads.filter { own ? $0.value.container == container : counts[$0.value.container] == most }
        } else {
            return nil
        }
        return candidates.mapValues(\.time).min { $0.value < $1.value }?.key
    }

    private static let gap = RecordsError.invalid("The parts of an asset follow each other without a gap.")
}

extension RecordAsset.Part {
    init(_ reference: BlobReference) {
        let bytes = reference.bytes
        self.init(blob: Data(bytes.prefix(32)), key: Data(bytes[32..<64]), size: reference.size)
    }

    /// - Throws: `data_loss` for what no device wrote.
    var reference: BlobReference {
        get throws(BatonError) {
            var bytes = blob + key
            withUnsafeBytes(of: size.bigEndian) { bytes.append(contentsOf: $0) }
            return try BlobReference(bytes)
        }
    }
}
