/// Ranges that another device named: one that comes again, or lies in another one of them, counts once. Looking up an item costs the
/// same however many there are.
package struct ItemRanges: Sendable {
    /// None has an item of another one.
    package private(set) var all: [ItemRange] = []
    /// By the depth.
    private var starts: [Set<UInt64>] = Array(repeating: [], count: ItemRange.maximumDepth + 1)

    package init(_ ranges: [ItemRange]) {
        for range in ranges.sorted(by: { $0.depth < $1.depth }) where !contains(place: range.start, upTo: range.depth) {
            starts[range.depth].insert(range.start)
            all.append(range)
        }
    }

    package func contains(_ name: String) -> Bool {
        contains(place: ItemRange.place(of: name), upTo: ItemRange.maximumDepth)
    }

    private func contains(place: UInt64, upTo depth: Int) -> Bool {
        (0...depth).contains { !starts[$0].isEmpty && starts[$0].contains(place & ItemRange.mask($0)) }
    }
}
