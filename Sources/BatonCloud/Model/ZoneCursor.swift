package import BatonCore
package import Foundation

/// A reader's position in a zone. Opaque to devices.
package struct ZoneCursor: Hashable, Sendable {
    /// The epoch of the zone that was read.
    package var epoch: Data
    /// The reader has everything up to this version.
    package var position: UInt64
    /// The zone's newest version when the reader began: it cannot have what was deleted before.
    package var floor: UInt64
    /// The incarnation that wrote last to the zone when the cursor was issued, see ``ZoneHistory``.
    package var incarnation: UInt64
    /// The newest version that the reader knows otherwise, by its own writes. Sent beside the cursor.
    package var known: UInt64 = 0

    package init(epoch: Data, position: UInt64, floor: UInt64, incarnation: UInt64) {
        self.epoch = epoch
        self.position = position
        self.floor = floor
        self.incarnation = incarnation
    }

    /// - Parameters:
    ///   - head: the zone's newest version.
    ///   - horizon: up to which version the zone's deletions were forgotten.
    /// - Throws: `out_of_range` for a cursor from which the zone cannot be read on.
    package func check(
        epoch: Data, history: ZoneHistory, head: UInt64, horizon: UInt64
    ) throws(BatonError) {
        guard epoch == self.epoch, let end = history.end(of: incarnation, head: head) else { throw Self.ofAnotherTime }
        guard position <= head, floor <= head else {
            throw BatonError(
                .outOfRange, reason: "cursor_from_the_future",
                "The cursor is ahead of the zone. Start over from the empty cursor.")
        }
        // Changes after the end are lost.
        guard max(position, floor) <= end, history.contains(known, head: head) else { throw Self.ofAnotherTime }
        guard horizon <= max(position, floor) else {
            throw BatonError(
                .outOfRange, reason: "cursor_expired",
                "Deletions after the cursor were forgotten. Start over from the empty cursor: missing items were deleted."
            )
        }
    }

    package static let ofAnotherTime = BatonError(
        .outOfRange, reason: "cursor_of_another_time",
        "The zone was deleted, or is as it was earlier. Start over from the empty cursor, and write again what is "
            + "not brought and was not deleted.")

    // MARK: On the wire

    private static let format: UInt8 = 2
    private static let byteCount = 41

    package var encoded: Data {
        var data = Data([Self.format]) + epoch
        for number in [position, floor, incarnation] {
            withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    /// - Throws: `invalid_argument` for bytes that no server gave out.
    package init(decoding data: Data) throws(BatonError) {
        let bytes = Array(data)
        guard bytes.count == Self.byteCount, bytes[0] == Self.format else {
            throw BatonError(
                .invalidArgument, reason: "malformed_cursor",
                "That cursor is not from this server. Send the one that the last answer gave, or none.")
        }
        epoch = Data(bytes[1..<17])
        position = Self.number(bytes[17..<25])
        floor = Self.number(bytes[25..<33])
        incarnation = Self.number(bytes[33..<41])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
