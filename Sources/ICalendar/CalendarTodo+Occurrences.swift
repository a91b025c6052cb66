import Foundation

extension CalendarTodo {
    /// A time that it comes.
    struct Occurrence {
        /// As the clock of its start shows it.
        var date: CalendarDate
        /// How many the rule has had up to it; nil for one that RDATE names.
        var number: Int?
    }

    /// The occurrences after a date in order, those of the rule and of RDATE, without regard to EXDATE.
    /// - Parameters:
    ///   - anchor: the start, or when it is due where it has none.
    ///   - body: returns whether it wants the next one, too.
    func forEachOccurrence(
        after date: CalendarDate, from anchor: CalendarDate, local: TimeZone, _ body: (Occurrence) -> Bool
    ) {
        var added = added(like: anchor, local: local).filter { date.isBefore($0) }[...]
        var isOpen = true
        func offer(_ date: CalendarDate, _ number: Int) -> Bool {
            while isOpen, let first = added.first, !date.isBefore(first) {
                added.removeFirst()
                // One that the rule names, too, is one.
                if first.isBefore(date) { isOpen = body(Occurrence(date: first)) }
            }
            if isOpen { isOpen = body(Occurrence(date: date, number: number)) }
            return isOpen
        }
        if let rule = rule(from: anchor, local: local) {
            rule.forEach(after: date, from: anchor, offer)
        } else if date.isBefore(anchor) {
            _ = offer(anchor, 1)
        }
        while isOpen, let first = added.popFirst() { isOpen = body(Occurrence(date: first)) }
    }

    /// The occurrences that EXDATE takes out, found once for many.
    struct Exclusions {
        fileprivate var days: Set<Int> = []
        fileprivate var wholeDays: Set<Int> = []
        fileprivate var moments: Set<Date> = []
        fileprivate let moment: (CalendarDate) -> Date?

        /// Whether it names this occurrence: its moment, or its day where either is a date.
        func contains(_ date: CalendarDate) -> Bool {
            if date.form == .date { return days.contains(date.dayNumber) }
            if wholeDays.contains(date.dayNumber) { return true }
            return !moments.isEmpty && moment(date).map(moments.contains) ?? false
        }
    }

    func excluded(local: TimeZone) -> Exclusions {
        var excluded = Exclusions { [zones] in $0.moment(in: zones, local: local) }
        for exception in exceptions {
            excluded.days.insert(exception.dayNumber)
            if exception.form == .date {
                excluded.wholeDays.insert(exception.dayNumber)
            } else if let moment = excluded.moment(exception) {
                excluded.moments.insert(moment)
            }
        }
        return excluded
    }

    /// The rule with UNTIL as the clock of the start shows it.
    private func rule(from anchor: CalendarDate, local: TimeZone) -> RecurrenceRule? {
        guard var rule, let until = rule.until, until.form == .utc, anchor.form != .utc, anchor.form != .date,
            let moment = until.moment(in: .gmt)
        else { return rule }
        rule.until = wall(of: moment, like: anchor, local: local)
        return rule
    }

    /// The dates of RDATE as the clock of the start shows them, in order; a date without a time has the start's.
    private func added(like anchor: CalendarDate, local: TimeZone) -> [CalendarDate] {
        var seen: Set<Int> = []
        return additions.compactMap { addition -> CalendarDate? in
            if addition.form == .date || anchor.form == .date {
                var date = anchor
                (date.year, date.month, date.day) = (addition.year, addition.month, addition.day)
                return date
            }
            if addition.form == anchor.form { return addition }
            return addition.moment(in: zones, local: local).map { wall(of: $0, like: anchor, local: local) }
        }.filter { date in
            // One in front of the start was left when the start moved on: it has yet to come where it lies behind that change.
            guard date.isBefore(anchor) else { return true }
            guard let moment = date.moment(in: zones, local: local) else { return false }
            return moment.timeIntervalSince1970 * 1000 > Double(lastModified) && lastModified > 0
        }.filter { seen.insert($0.order).inserted }.sorted { $0.order < $1.order }
    }

    /// A moment as the clock of a date's zone shows it.
    func wall(of moment: Date, like date: CalendarDate, local: TimeZone) -> CalendarDate {
        switch date.form {
        case .utc: return CalendarDate(moment, in: .gmt, form: .utc)
        case .zone(let name):
            if let known = CalendarZones.known(name) { return CalendarDate(moment, in: known, form: date.form) }
            return zones.wall(of: moment, in: name) ?? CalendarDate(moment, in: local, form: date.form)
        case .date, .local: return CalendarDate(moment, in: local, form: date.form)
        }
    }
}
