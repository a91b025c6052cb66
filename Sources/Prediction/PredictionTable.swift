/// Counts of items, as seen under one condition.
struct PredictionRow: Sendable {
    /// Few: a search through them is short, and thousands of rows are small.
    struct Cell: Sendable {
        var item: UInt32
        var count: Float
    }

    private(set) var cells: [Cell] = []
    private(set) var sum = 0.0

    /// - Parameter decay: what the counts so far are multiplied with.
    mutating func add(_ item: UInt32, amount: Double = 1, decay: Double = 1) {
        if decay != 1 {
            for place in cells.indices { cells[place].count *= Float(decay) }
            // What has faded counts as never seen, so that a row stays small.
            cells.removeAll { $0.count < 1e-6 }
            sum = cells.reduce(0) { $0 + Double($1.count) }
        }
        if let place = cells.firstIndex(where: { $0.item == item }) {
            cells[place].count += Float(amount)
        } else {
            cells.append(Cell(item: item, count: Float(amount)))
        }
        sum += amount
    }

    func count(of item: UInt32) -> Double { cells.first { $0.item == item }.map { Double($0.count) } ?? 0 }
}

/// The last item and the one before it.
struct PredictionPair: Hashable, Sendable {
    let last: UInt32
    let before: UInt32
}
