import BatonCore
import Foundation

/// A zone of ``MemoryItemStore``.
struct MemoryZone {
    let epoch: Data
    private(set) var head: UInt64 = 0
    /// Deletions up to this version were forgotten.
    private(set) var horizon: UInt64 = 0
    private var history = ZoneHistory()
    private(set) var items: [ItemID: StoredItem] = [:]
    /// Every change in order; superseded ones are skipped, and dropped when they are the greater part.
    private var order: [(version: UInt64, id: ItemID)] = []

    init(epoch: Data) { self.epoch = epoch }

    /// To be called before an incarnation writes.
    mutating func begin(_ rules: StoreRules) {
        if let start = history.begin(rules, head: head) { head = start }
    }

    mutating func put(_ write: ItemWrite, at time: UInt64) -> UInt64 {
        head += 1
        items[write.id] = StoredItem(
            id: write.id, version: head, content: write.content, tombstone: write.tombstone, written: time)
        order.append((head, write.id))
        if order.count > 2 * items.count + 16 { order = order.filter { items[$0.id]?.version == $0.version } }
        return head
    }

    func changes(after cursor: ZoneCursor?, limit: PageLimit) throws(BatonError) -> ChangePage {
        try cursor?.check(epoch: epoch, history: history, head: head, horizon: horizon)
        let start = cursor?.position ?? 0
        let floor = cursor?.floor ?? head
        var page = ChangePage(
            items: [], cursor: .init(epoch: epoch, position: head, floor: floor, incarnation: history.newest),
            hasMore: false)
        var bytes = 0
        for entry in order[place(after: start)...] {
            guard let item = items[entry.id], item.version == entry.version else { continue }
            bytes += item.cost
            if page.items.count == limit.items || bytes > limit.bytes, let last = page.items.last {
                page.hasMore = true
                page.cursor.position = last.version
                break
            }
            page.items.append(item)
        }
        return page
    }

    private func place(after version: UInt64) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle].version <= version { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Forgets deletions older than `cutoff`.
    /// - Returns: those that were forgotten.
    mutating func forget(before cutoff: UInt64) -> [StoredItem] {
        let forgotten = items.values.filter { $0.content == nil && $0.written < cutoff }
        for item in forgotten { items[item.id] = nil }
        horizon = max(horizon, forgotten.map(\.version).max() ?? 0)
        return forgotten
    }
}
