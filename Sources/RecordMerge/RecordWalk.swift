/// The findings so far of a walk along keys that follow from keys.
///
/// An answer that was cut, by a circle of keys or by ``RecordLimits/depth``, depends on where the walk began. It is kept until that
/// walk ends, so that each name is looked at once; without it two keys a row would double the work with each step.
///
/// Bound: ``limit`` answers that were cut in one update. Policy: after that nothing follows from a key. Only a hostile device or app
/// gets there.
struct RecordWalk {
    private static let limit = 300_000

    /// How often an answer was cut. An answer during which it did not grow is the same wherever a walk begins.
    private(set) var cuts = 0
    private var count = 0
    private var rowNames: [RecordName: RecordName] = [:]
    private var memberLists: [RecordName: [RecordName]] = [:]

    var isOver: Bool { count > Self.limit }

    mutating func cut() { cuts += 1 }

    mutating func rowName(of name: RecordName) -> RecordName? {
        guard let known = rowNames[name] else { return nil }
        cut()
        return known
    }

    mutating func members(of row: RecordName) -> [RecordName]? {
        guard let known = memberLists[row] else { return nil }
        cut()
        return known
    }

    mutating func keep(_ row: RecordName, of names: [RecordName]) {
        count += names.count
        for name in names { rowNames[name] = row }
    }

    mutating func keep(_ names: [RecordName], of row: RecordName) {
        count += 1
        memberLists[row] = names
    }

    /// The next walk begins elsewhere.
    mutating func end() {
        if !rowNames.isEmpty { rowNames = [:] }
        if !memberLists.isEmpty { memberLists = [:] }
    }
}
