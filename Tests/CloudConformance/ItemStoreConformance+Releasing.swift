import BatonCloud
import BatonCore
import BatonWire
import Foundation

extension ItemStoreConformance {
    /// How a full account gets room.
    static let releasing: [Rule] = [
        Rule("A blob that is released is collected at once, unless an item names it or it is another account's") {
            bench in
            let (named, unnamed) = (try await bench.upload("named"), try await bench.upload("unnamed"))
            try await bench.put(1, "a", blobs: [named])
            let unknown = BlobHash(of: Data("unknown".utf8))
            let (account, all) = (ItemStoreBench.account, [named, unnamed, unknown])
            try requireEqual(try await bench.store.releaseBlobs(all, of: ItemStoreBench.other), 0, "of another's")
            try requireEqual(try await bench.collect(), [], "before it is released")
            try requireEqual(try await bench.store.releaseBlobs(all, of: account), 7, "bytes that are given up")
            try await requireRefusal("blob_missing", .failedPrecondition, "named meanwhile") {
                try await bench.put(2, "b", blobs: [unnamed])
            }
            try requireEqual(try await bench.store.releaseBlobs(all, of: account), 0, "again")
            try requireEqual(try await bench.collect(), [unnamed], "collected")
            let usage = try await bench.store.usage(of: account)
            try require(usage.blobs == 1 && usage.blobBytes == 5, "what counts: \(usage)")
        },
        Rule("A full account can delete, also where what remembers the deletion is larger, and by a bound") { bench in
            let (item, answer) = (StoredItem.overhead, StoreRules.answerCost)
            try await bench.put(1, String(repeating: "x", count: (1 << 20) - 2 * item - 2 * answer - 1))
            try await bench.put(2, "a")
            let grave = String(repeating: "x", count: 1000)
            try await requireRefusal("quota_exceeded", .resourceExhausted, "without a deletion") {
                try await bench.put(3, grave)
            }
            _ = try await bench.write([ItemStoreBench.putting(3, grave), ItemStoreBench.deleting(2, replaces: 2)])
            let large = String(repeating: "x", count: StoreRules.removingOverQuota)
            try await requireRefusal("quota_exceeded", .resourceExhausted, "more than that") {
                _ = try await bench.write([
                    ItemStoreBench.putting(4, large), ItemStoreBench.deleting(3, replaces: 3),
                ])
            }
        },
    ]
}
