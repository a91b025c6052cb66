/// Counts of items, as seen under one condition. Few items have one: a search through them is short, and thousands of rows are small.
struct PredictionRow: Sendable {
    struct Cell: Sendable {
        var item: UInt16
        var count: UInt16
    }

    private(set) var cells: [Cell] = []

    mutating func add(_ item: UInt16) {
        if let place = cells.firstIndex(where: { $0.item == item }) {
            if cells[place].count < .max { cells[place].count += 1 }
        } else {
            cells.appendSparingly(Cell(item: item, count: 1))
        }
    }

    func count(of item: UInt32) -> Int { cells.first { UInt32($0.item) == item }.map { Int($0.count) } ?? 0 }
}

/// Counts of items that came after another one: at all, and of late.
struct PredictionFollowers: Sendable {
    struct Cell: Sendable {
        var item: UInt16
        var count: UInt16
        var recent: Float
    }

    /// A count that has faded to this counts as never seen of late.
    private static let faded: Float = 1e-6

    private(set) var cells: [Cell] = []

    /// - Parameter decay: what is counted as of late so far is multiplied with it.
    mutating func add(_ item: UInt16, decay: Float) {
        for place in cells.indices {
            let recent = cells[place].recent * decay
            cells[place].recent = recent < Self.faded ? 0 : recent
        }
        if let place = cells.firstIndex(where: { $0.item == item }) {
            if cells[place].count < .max { cells[place].count += 1 }
            cells[place].recent += 1
        } else {
            cells.appendSparingly(Cell(item: item, count: 1, recent: 1))
        }
    }
}

/// How often an item came after two others. There are nearly as many as events, so each takes 8 bytes, in order.
struct PredictionTriples: Sendable {
    /// From the highest bits: the last item, the one before it, the one that came after both, and how often.
    private var entries: [UInt64] = []

    private static func key(_ last: UInt32, _ before: UInt32, _ next: UInt16) -> UInt64 {
        UInt64(last & 0xffff) << 48 | UInt64(before & 0xffff) << 32 | UInt64(next) << 16
    }

    /// The first entry that is not before a key.
    private func place(of key: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func add(last: UInt32, before: UInt32, next: UInt16) {
        let key = Self.key(last, before, next)
        let place = self.place(of: key)
        if place < entries.count, entries[place] >> 16 == key >> 16 {
            if entries[place] & 0xffff < 0xffff { entries[place] += 1 }
            return
        }
        // To move 160 kB takes a few microseconds.
        if entries.count == entries.capacity { entries.reserveCapacity(entries.count + 1024) }
        entries.insert(key | 1, at: place)
    }

    func count(last: UInt32, before: UInt32, next: UInt16) -> Int {
        let key = Self.key(last, before, next)
        let place = self.place(of: key)
        return place < entries.count && entries[place] >> 16 == key >> 16 ? Int(entries[place] & 0xffff) : 0
    }
}

extension Array {
    /// An array of its own accord doubles its room, of which thousands of short ones leave much unused.
    fileprivate mutating func appendSparingly(_ element: Element) {
        if count == capacity { reserveCapacity(count + Swift.max(2, count / 8)) }
        append(element)
    }
}

/// The counts of items under one condition, to be read.
struct PredictionCounts: Sendable {
    var cells: [(item: UInt32, count: Double)] = []

    var sum: Double { cells.reduce(0) { $0 + $1.count } }

    func count(of item: UInt32) -> Double { cells.first { $0.item == item }?.count ?? 0 }
}
