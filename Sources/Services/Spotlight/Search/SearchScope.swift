import BatonCore
import Foundation
import GRDB

/// Which items a search may find.
struct SearchScope: Sendable {
    /// Items of this app only; nil for all.
    var owner: ItemOwner?
    /// Items of apps with this bundle identifier; nil for all.
    var bundleID: String?
    var sources = SearchSource.allCases
    var now: UInt64
    /// The device is locked: items of the class `.complete` are not found.
    var isLocked = false

    /// Only items of some owners or sources.
    var isRestricted: Bool { owner != nil || bundleID != nil || sources.count < SearchSource.allCases.count }

    /// Whether an item is neither expired nor locked.
    func mayFind(_ fact: ItemFacts.Fact) -> Bool {
        fact.expires > Int64(clamping: now) && !(isLocked && fact.isComplete)
    }

    /// The same text for each moment: statements are kept by their text.
    var condition: String {
        var condition = "item.expires > ?"
        if sources.count < SearchSource.allCases.count {
            condition += " AND item.source IN (\(sources.map { "\($0.rawValue)" }.joined(separator: ", ")))"
        }
        if isLocked { condition += " AND item.protection <> \(ItemProtection.complete.rawValue)" }
        if owner != nil { condition += " AND item.owner = \(ItemOwner.number)" }
        if bundleID != nil { condition += " AND item.owner IN (SELECT id FROM owner WHERE bundle_id = ?)" }
        return condition
    }

    var arguments: StatementArguments {
        var arguments: StatementArguments = [Int64(clamping: now)]
        if let owner { arguments += owner.columns }
        if let bundleID { arguments += [bundleID] }
        return arguments
    }
}
