import Foundation

/// Items that are kept back until the group that they were written with is there whole.
///
/// The cloud gives the items of a batch versions that follow each other, so the version of one says which ones the others have.
enum ItemGroups {
    /// An item as the cloud sent it.
    struct Told: Hashable, Sendable {
        var id: Data
        var item: IncomingItem
        var frame: ItemFrame
        /// The cloud has deleted it, and reports that once.
        var isGone = false

        /// The versions of its group; nil for one that cannot be.
        var span: ClosedRange<UInt64>? {
            let (first, isNegative) = item.version.subtractingReportingOverflow(UInt64(frame.index))
            let (last, isTooGreat) = first.addingReportingOverflow(UInt64(frame.count) - 1)
            return isNegative || isTooGreat ? nil : first...last
        }
    }

    /// Which of these may be given to the source, since their group is whole.
    static func split(_ items: [Told]) -> (whole: [Told], waiting: [Told]) {
        var found: [ClosedRange<UInt64>: Int] = [:]
        for item in items where !item.frame.isAlone {
            if let span = item.span { found[span, default: 0] += 1 }
        }
        var (whole, waiting): ([Told], [Told]) = ([], [])
        for item in items {
            let isWhole = item.frame.isAlone || item.span.map { found[$0] == Int(item.frame.count) } ?? true
            if isWhole { whole.append(item) } else { waiting.append(item) }
        }
        return (whole, waiting)
    }
}
