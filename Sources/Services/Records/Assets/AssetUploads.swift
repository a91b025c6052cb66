import BatonConcurrency
import BatonCore
import Crypto
import Foundation
import RecordMerge
import Sync
import Synchronization

/// Assets that apps hand over in parts: kept as blobs of at most 8 MiB.
///
/// Bound: ``RecordsBounds/uploads`` at once, of which each has 10 MiB in memory. Policy: the one that was silent for longest is
/// given up for a new one.
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

    private let blobs: BlobService
    private let clock: WallClock
    private let uploads = Mutex<[Data: Upload]>([:])

    init(blobs: BlobService, clock: WallClock) {
        self.blobs = blobs
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
            // The same part once more.
            if !isOver, end <= done, offset < done, !isLast { return (id, nil) }
            guard offset == done else { throw Self.gap }
            guard end <= RecordLimits.assetBytes else {
                throw RecordsError.limit("An asset has 2 GiB at most.")
            }
            upload.state.withLock { state in
                state.hash.update(data: bytes)
                state.rest += bytes
                state.done = end
            }
            while let blob = upload.state.withLock({ Self.take(&$0, all: isLast) }) {
                let reference = try await blobs.put(blob)
                upload.state.withLock { state in state.parts.append(RecordAsset.Part(reference)) }
            }
            guard isLast else { return (id, nil) }
            return (id, upload.state.withLock { Self.finish(&$0, upload.kind) })
        }
    }

    private static func take(_ state: inout Upload.State, all: Bool) -> Data? {
        guard state.rest.count >= Int(RecordLimits.blobBytes) || (all && !state.rest.isEmpty) else { return nil }
        let blob = Data(state.rest.prefix(Int(RecordLimits.blobBytes)))
        state.rest = Data(state.rest.dropFirst(blob.count))
        return blob
    }

    private static func finish(_ state: inout Upload.State, _ kind: RecordAsset.Kind) -> RecordAsset {
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
            if uploads.count >= RecordsBounds.uploads {
                let times = uploads.mapValues(\.time)
                if let oldest = times.min(by: { $0.value < $1.value })?.key { uploads[oldest] = nil }
            }
            let new = (RandomBytes.make(16), Upload(container: container, kind: kind, time: now))
            uploads[new.0] = new.1
            return new
        }
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
