/// The rules of merging. Tests leave one out, to see that it is missed.
package struct RecordRules: Sendable {
    package enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Rule 1: a save adds a dot.
        case dot
        /// Rule 1: only changed fields are stamped.
        case changedOnly
        /// Rule 1: a deletion removes only what its author's copy had.
        case seenOnly
        /// Rule 1: quiet columns add no dot.
        case quiet
        /// Rule 2: what a visible row needs is visible.
        case need
        /// Rule 2: the need goes on from row to row.
        case needOfNeed
        /// Rule 2: a column whose target is not there is shown empty, and keeps its value.
        case emptied
        /// Rule 2: what a foreign key's action wrote into columns is not written into records.
        case consequence
        /// Rule 3: a row whose target is not known is held.
        case held
        /// Rule 4: rows of one unique value become one.
        case merge
        /// Rule 4: references follow.
        case follow
        /// Rule 4: rows of one unique value keep it in one row only.
        case clear
        /// Rule 4: only at the end of an exchange or a page.
        case atEnd
        /// Rule 5: the lesser name stays.
        case lesser
        /// Rule 7: earlier rows have the least stamp.
        case least
    }

    package var leftOut: Set<Rule>

    package init(leftOut: Set<Rule> = []) { self.leftOut = leftOut }

    package static let all = RecordRules()

    func has(_ rule: Rule) -> Bool { !leftOut.contains(rule) }
}
