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
            cells.append(Cell(item: item, count: 1))
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

    /// What has faded to this counts as never seen of late.
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
            cells.append(Cell(item: item, count: 1, recent: 1))
        }
    }
}

/// The last item, the one before it, and one that came after both.
struct PredictionTriple: Hashable, Sendable {
    private let key: UInt64

    init(last: UInt32, before: UInt32, next: UInt16) {
        key = UInt64(last & 0xffff) << 32 | UInt64(before & 0xffff) << 16 | UInt64(next)
    }
}

/// What was counted of items under one condition, to be read.
struct PredictionCounts: Sendable {
    var cells: [(item: UInt32, count: Double)] = []

    var sum: Double { cells.reduce(0) { $0 + $1.count } }

    func count(of item: UInt32) -> Double { cells.first { $0.item == item }?.count ?? 0 }
}
