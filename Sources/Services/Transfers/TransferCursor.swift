package import BatonCore
import Foundation

/// Checks that the parts of a transfer come in their order, whole and unchanged. A value without I/O.
package struct TransferCursor: Sendable {
    private let manifest: TransferManifest
    /// The place of the next part. After the last file its entry is the number of entries.
    package private(set) var place: TransferPlace

    package init(_ manifest: TransferManifest) {
        self.manifest = manifest
        place = TransferPlace()
        skipWhole()
    }

    package var isAtEnd: Bool { place.entry >= manifest.entries.count }
    package var progress: TransferProgress { manifest.progress(at: place) }

    /// Takes one part; a part that is refused changes nothing.
    /// - Parameter tags: with the key that the sender got for these parts.
    /// - Throws: `data_loss` with reason `damaged_part`; `invalid_argument` with reason `unexpected_part`.
    package mutating func take(_ part: TransferPart, _ tags: inout PartTags) throws(BatonError) {
        guard !isAtEnd, part.entry == place.entry, part.offset == place.offset, !part.data.isEmpty,
            UInt64(part.data.count) <= manifest.entries[place.entry].size - place.offset
        else {
            throw BatonError(
                .invalidArgument, reason: "unexpected_part", "The sender sent bytes that were not asked for.")
        }
        guard try tags.next(for: part.data) == part.tag else {
            throw BatonError(.dataLoss, reason: "damaged_part", "Bytes were damaged on their way.")
        }
        place.offset += UInt64(part.data.count)
        skipWhole()
    }

    /// To the next file with bytes that are missing.
    private mutating func skipWhole() {
        while !isAtEnd, place.offset >= manifest.entries[place.entry].size {
            place = TransferPlace(entry: place.entry + 1)
        }
    }
}
