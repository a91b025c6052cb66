import BatonCore
package import Foundation

/// A device that is near and has a blob.
package protocol BlobHolder: Sendable {
    /// - Parameter range: of sealed bytes; not empty, at most 1 MiB.
    /// - Throws: anything: another source is then asked for the rest.
    func bytes(_ range: Range<UInt64>, of blob: BlobID) async throws -> Data
}

/// Sources of a blob besides the cloud.
package struct NearBlobs: Sendable {
    /// They are asked one after the other, and the cloud for what none of them gives. So no byte comes from two.
    package var holders: [any BlobHolder]
    /// The cloud is not known to have the blob: what came from them is kept until an item that names it was written there.
    package var isOnlyHere: Bool

    package init(holders: [any BlobHolder] = [], isOnlyHere: Bool = false) {
        self.holders = holders
        self.isOnlyHere = isOnlyHere
    }
}

/// Fetching blobs: from devices that are near, and from the cloud.
extension BlobService {
    /// How a fetch went that got all bytes.
    private struct Outcome {
        /// Numbers of the holders that brought something.
        var used: Set<Int> = []
        /// The cloud brought something.
        var usedCloud = false
        /// Some bytes were here before.
        var wasBegun = false
        var isWhole = false
    }

    /// It is here, with its hash, when this returns.
    func fetch(_ reference: BlobReference, _ near: NearBlobs, _ progress: @Sendable (BlobProgress) -> Void) async throws
    {
        var holders = near.holders
        while true {
            let outcome = try await fetch(reference, from: holders, progress)
            if outcome.isWhole {
                let isOwn = near.isOnlyHere && !outcome.usedCloud
                try await catalog.add(
                    reference.id, .init(size: reference.sealedSize, isOwn: isOwn, used: clock.milliseconds))
                return
            }
            // The source of the earlier bytes is not known, and they are gone: once more, from any source.
            if outcome.wasBegun { continue }
            // Those that brought what is damaged are asked no more, so this ends.
            holders = holders.enumerated().filter { !outcome.used.contains($0.offset) }.map(\.element)
            if outcome.used.isEmpty || (holders.isEmpty && cloud == nil) { throw Self.damaged }
        }
    }

    private func fetch(
        _ reference: BlobReference, from holders: [any BlobHolder], _ progress: @Sendable (BlobProgress) -> Void
    ) async throws -> Outcome {
        guard !holders.isEmpty || cloud != nil else { throw Self.away }
        let (blob, total, directory) = (reference.id, reference.sealedSize, directory)
        let part = try await directory.run { try directory.partial(blob) }
        var done = try await directory.run { try part.size }
        if done > total { done = 0 }
        var outcome = Outcome(wasBegun: done > 0)
        var holder = 0
        progress(BlobProgress(done: done, total: total))
        while done < total {
            try Task.checkCancellation()
            let range = done..<min(total, done + UInt64(Self.partSize))
            var bytes: Data?
            while bytes == nil, holder < holders.count {
                bytes = try? await holders[holder].bytes(range, of: blob)
                try Task.checkCancellation()
                if bytes?.count == range.count {
                    outcome.used.insert(holder)
                } else {
                    (bytes, holder) = (nil, holder + 1)
                }
            }
            if bytes == nil {
                guard let cloud else { throw Self.away }
                bytes = try await cloud.bytes(range, of: blob)
                outcome.usedCloud = true
            }
            guard let bytes, bytes.count == range.count else { throw Self.damaged }
            let offset = done
            try await directory.run { try part.write(bytes, at: offset) }
            done = range.upperBound
            progress(BlobProgress(done: done, total: total))
        }
        outcome.isWhole = try await directory.run {
            guard try part.size == total, try directory.hash(of: part) == blob.bytes else {
                part.remove()
                return false
            }
            try directory.keep(part, as: blob)
            return true
        }
        return outcome
    }

    // MARK: For others

    /// A part of the sealed bytes of a blob that is here, for a device that is near.
    /// - Throws: `not_found` (`blob_not_here`).
    package func sealedBytes(_ range: Range<UInt64>, of blob: BlobID) async throws -> Data {
        guard try await catalog.entry(blob) != nil else { throw Self.notHere }
        return try await directory.run { [directory] in
            guard let file = try? directory.open(blob) else { throw Self.notHere }
            return try file.read(range.count, at: range.lowerBound)
        }
    }

    /// Whether the cloud can be asked now.
    package var isConnected: Bool { cloud != nil }

    private static let notHere = BatonError(
        .notFound, reason: "blob_not_here", "The contents are not on this device. Ask another device.")
}
