import BatonCore
import Foundation
import GRDB
import SearchText

/// The order of results: how well the words fit, then what says that a person wants it.
extension SearchEngine {
    /// The best of them, those whose title the words may be in any case.
    func best(_ ranked: [RankedItem], words: Int, count: Int, now: UInt64) -> [RankedItem] {
        guard ranked.count > count else { return ranked }
        var best: [Place] = []
        best.reserveCapacity(2 * count)
        // The last of the best so far: most are behind it, and need no sorting.
        var last: Place?
        for (index, item) in ranked.enumerated() {
            let factors = item.factors(now: now)
            // Related ones last, what may be a title first.
            let kind = item.isRelated ? 2 : item.mayBeTitle(of: words) ? 0 : 1
            let place = Place(
                kind: kind, score: item.score * factors.newness * factors.use, id: item.id, index: index)
            if let last, last < place { continue }
            best.append(place)
            guard best.count == 2 * count else { continue }
            best.sort()
            best.removeLast(count)
            last = best.last
        }
        return best.sorted().prefix(count).map { ranked[$0.index] }
    }

    private struct Place: Comparable {
        var kind: Int
        var score: Double
        var id: Int64
        var index: Int

        static func < (left: Place, right: Place) -> Bool {
            if left.kind != right.kind { return left.kind < right.kind }
            return left.score != right.score ? left.score > right.score : left.id > right.id
        }
    }

    /// The items themselves, in this order. An app says itself how large its items are, so that those of one app are bounded
    /// together.
    func read(_ ranked: [RankedItem], _ findings: inout SearchFindings) throws -> [(RankedItem, StoredItem)] {
        let identifiers = "[" + ranked.map { "\($0.id)" }.joined(separator: ",") + "]"
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(StoredItem.columns) FROM json_each(?) AS found JOIN item ON item.id = found.value
                ORDER BY found.key
                """)
        let rows = try Row.fetchCursor(statement, arguments: [identifiers])
        let places = Dictionary(ranked.map { ($0.id, $0) }) { first, _ in first }
        var items: [(RankedItem, StoredItem)] = []
        var bytes: [Data: Int] = [:]
        while let row = try rows.next() {
            guard let ranked = places[row[0]] else { continue }
            if ranked.candidate.source == .item {
                let owner = (row[2] as Data) + Data((row[3] as String).utf8)
                // Before its attributes are read.
                guard bytes[owner, default: 0] < maximumBytes else {
                    findings.isTruncated = true
                    continue
                }
                bytes[owner, default: 0] += row[9] as Int
            }
            items.append((ranked, StoredItem(row)))
        }
        return items
    }

    func weighted(_ found: (ranked: RankedItem, stored: StoredItem), words: [[UInt8]], now: UInt64) -> FoundItem {
        let (ranked, stored) = found
        var item = FoundItem(
            stored: stored, parts: ranked.parts, score: ranked.score, isRelated: ranked.isRelated, isExactTitle: false)
        let factors = ranked.factors(now: now, lastUsed: lastUsedDate(stored.item))
        var hint = 1.0
        if case .integer(let value)? = stored.item.attributes["rankingHint"] {
            // It orders items of one app, so it may not lift any above another's by much.
            hint = 1 + 0.001 * Double(min(max(value, 0), 100) - 50)
        }
        for (name, factor) in [("newness", factors.newness), ("use", factors.use), ("ranking hint", hint)] {
            item.parts.append(.init(name: name, value: item.score * (factor - 1)))
            item.score *= factor
        }
        guard ranked.candidate.nameTerms > 0 else { return item }
        var tokenizer = WordTokenizer()
        item.isExactTitle = names(stored.item).contains { name in
            let title = tokenizer.words(of: name).filter { $0.kind != .part }.map(\.bytes)
            return !title.isEmpty && Set(title) == Set(words)
        }
        return item
    }

    /// The title; of a document with and without its ending.
    private func names(_ item: IndexedItem) -> [String] {
        let title = String(item.title.unicodeScalars.prefix(400))
        guard item.source == .document, let point = title.lastIndex(of: "."), point > title.startIndex else {
            return [title]
        }
        return [title, String(title[..<point])]
    }

    private func lastUsedDate(_ item: IndexedItem) -> UInt64 {
        guard case .date(let date)? = item.attributes["lastUsedDate"] else { return 0 }
        return UInt64(clamping: Int64((date.timeIntervalSince1970 * 1000).clamped(to: 0...9e15)))
    }

    /// A total order.
    static func ordered(_ found: [FoundItem]) -> [FoundItem] {
        found.sorted { left, right in
            if left.isRelated != right.isRelated { return !left.isRelated }
            if left.isExactTitle != right.isExactTitle { return left.isExactTitle }
            return left.score != right.score ? left.score > right.score : left.stored.id > right.stored.id
        }
    }

    /// A container that is found stands before what it holds.
    static func putContainersFirst(_ findings: inout SearchFindings) {
        struct Name: Hashable {
            var owner: ItemOwner
            var key: String
        }
        var places: [Name: Int] = [:]
        for (index, item) in findings.found.enumerated() where item.stored.item.source == .item {
            places[Name(owner: item.stored.item.owner, key: item.stored.item.key)] = index
        }
        var moves: [(container: Int, before: Int)] = []
        for (index, item) in findings.found.enumerated() {
            guard let container = item.stored.item.text("containerIdentifier"),
                let place = places[Name(owner: item.stored.item.owner, key: container)], place > index,
                !moves.contains(where: { $0.container == place })
            else { continue }
            moves.append((place, index))
        }
        guard !moves.isEmpty else { return }
        findings.below = moves.count
        let before = Dictionary(grouping: moves, by: \.before)
        let moved = Set(moves.map(\.container))
        var result: [FoundItem] = []
        for (index, item) in findings.found.enumerated() {
            for move in before[index] ?? [] {
                var container = findings.found[move.container]
                container.isRelated = container.isRelated && item.isRelated
                result.append(container)
            }
            if !moved.contains(index) { result.append(item) }
        }
        findings.found = result
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
