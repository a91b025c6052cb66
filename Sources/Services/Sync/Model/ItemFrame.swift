import BatonCore
import Foundation

/// The header before the content of each item of a kind that writes groups or keeps deletions, under the seal: one
/// byte, 1 for a deletion that is kept, else 0; then the item's place in its group, from 0, and the number of items in
/// the group (2 bytes each, big-endian).
struct ItemFrame: Hashable, Sendable {
    static let size = 5

    var isDeletion = false
    var index: UInt16 = 0
    var count: UInt16 = 1

    var isAlone: Bool { count == 1 }

    func framed(_ content: Data) -> Data {
        var bytes = Data(capacity: Self.size + content.count)
        bytes.append(isDeletion ? 1 : 0)
        for number in [index, count] {
            bytes.append(UInt8(truncatingIfNeeded: number >> 8))
            bytes.append(UInt8(truncatingIfNeeded: number))
        }
        return bytes + content
    }

    /// - Throws: `data_loss` for what no device writes.
    static func open(_ bytes: Data) throws(BatonError) -> (frame: ItemFrame, content: Data) {
        let head = Array(bytes.prefix(size))
        guard head.count == size, head[0] <= 1 else { throw damaged }
        let frame = ItemFrame(
            isDeletion: head[0] == 1, index: UInt16(head[1]) << 8 | UInt16(head[2]),
            count: UInt16(head[3]) << 8 | UInt16(head[4]))
        // A group that is not whole is held in memory: no device writes more together.
        guard frame.index < frame.count, Int(frame.count) <= ZoneTransfer.batchItems else { throw damaged }
        return (frame, Data(bytes.dropFirst(size)))
    }

    private static let damaged = BatonError(
        .dataLoss, reason: "item_damaged",
        "An item of the cloud is damaged, or not what a device of this account wrote.")
}
