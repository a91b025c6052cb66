import BatonCore
import Foundation
import SearchText

/// The order of results: how well the words fit, then what says that a person wants it.
extension SearchEngine {
    /// Half of what newness gives is left after so long.
    private static let halfLife = 30.0 * 86_400_000

    func weighted(_ item: FoundItem, complete: Set<Int64>, words: [[UInt8]], now: UInt64) -> FoundItem {
        var item = item
        item.isRelated = !complete.contains(item.stored.id)
        let stored = item.stored
        let last = max(stored.item.time, stored.lastUsed, lastUsedDate(stored.item))
        let age = Double(now > last ? now - last : 0)
        let recency = 0.7 + 0.3 * exp2(-age / Self.halfLife)
        let use = 1 + 0.2 * log(1 + Double(stored.uses))
        var hint = 1.0
        if case .integer(let value)? = stored.item.attributes["rankingHint"] {
            // It orders items of one app, so it may not lift any above another's by much.
            hint = 1 + 0.001 * Double(min(max(value, 0), 100) - 50)
        }
        for (name, factor) in [("newness", recency), ("use", use), ("ranking hint", hint)] {
            item.parts.append(.init(name: name, value: item.score * (factor - 1)))
            item.score *= factor
        }
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
