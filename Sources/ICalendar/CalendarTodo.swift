package import Foundation

/// The contents of a VTODO, for reminders.
package struct CalendarTodo: Hashable, Sendable {
    package enum Status: String, Hashable, Sendable {
        case needsAction = "NEEDS-ACTION"
        case inProcess = "IN-PROCESS"
        case completed = "COMPLETED"
        case cancelled = "CANCELLED"

        package var isOver: Bool { self == .completed || self == .cancelled }
    }

    /// Alarms of one to-do. Policy: of more the first are considered, and of one that comes several times a day as many as make
    /// no more than 96 of them in a day.
    package static let maximumAlarms = 64
    private static let maximumAlarmsADay = 96
    private static let maximumExceptions = 1000
    private static let maximumAdditions = 1000
    private static let maximumOverrides = 1000
    private static let maximumChanged = 64

    package var uid: String
    package var summary: String
    package var status: Status
    package var start: CalendarDate?
    package var due: CalendarDate?
    package var rule: RecurrenceRule?
    /// EXDATE: occurrences that do not count. Policy: of more than 1,000 the first are considered.
    package var exceptions: [CalendarDate] = []
    /// RDATE: occurrences besides those of the rule. Policy: of more than 1,000 the first are considered.
    package var additions: [CalendarDate] = []
    /// Occurrences that were changed by themselves and are not over. Policy: of more than 64 the last of the file are considered.
    package var changed: [CalendarTodo] = []
    /// Whether it has a rule by which it would come again, and which is not understood: it comes once.
    package var hasUnknownRule = false
    package var url: String?
    /// Milliseconds since 1970; 0 where it is not said.
    package var lastModified: UInt64
    package var alarms: [CalendarAlarm]
    package var zones: CalendarZones

    /// Nil without a UID, which a to-do must have.
    /// - Parameter overrides: what the file says of its single occurrences. Policy: of more than 1,000 the last are considered.
    package init?(_ component: CalendarComponent, zones: CalendarZones, overrides: [CalendarComponent] = []) {
        guard component.name == "VTODO",
            let uid = component.line("UID")?.value.trimmingCharacters(in: .whitespaces), !uid.isEmpty
        else { return nil }
        self.uid = uid
        self.zones = zones
        summary = component.line("SUMMARY")?.text ?? ""
        let status = component.line("STATUS").flatMap { Status(rawValue: $0.trimmed.uppercased()) }
        let isComplete = component.line("COMPLETED") != nil || component.line("PERCENT-COMPLETE")?.trimmed == "100"
        self.status = status ?? (isComplete ? .completed : .needsAction)
        start = component.line("DTSTART").flatMap { CalendarDate($0) }
        due = component.line("DUE").flatMap { CalendarDate($0) }
        if due == nil, let start, let duration = component.line("DURATION").flatMap({ CalendarDuration($0.value) }),
            let moment = start.moment(in: .gmt)
        {
            due = CalendarDate(moment.addingTimeInterval(Double(duration.seconds)), in: .gmt, form: start.form)
        }
        let ruleLine = component.line("RRULE")
        // A rule of exceptions is not understood. Without it excluded occurrences would come.
        if component.line("EXRULE") == nil { rule = ruleLine.flatMap { RecurrenceRule($0.trimmed) } }
        url = component.line("URL")?.value
        let modified = component.line("LAST-MODIFIED") ?? component.line("DTSTAMP")
        lastModified =
            modified.flatMap { CalendarDate($0) }?.moment(in: zones, local: .gmt).map {
                UInt64(max(0, $0.timeIntervalSince1970 * 1000))
            } ?? 0
        alarms = []
        let limit = min(Self.maximumAlarms, max(1, Self.maximumAlarmsADay / (rule?.timesADay ?? 1)))
        for alarm in component.components where alarm.name == "VALARM" {
            guard alarms.count < limit else { break }
            if let alarm = CalendarAlarm(alarm) { alarms.append(alarm) }
        }
        // Thunderbird notes for all of them together that the person saw them.
        if let seen = component.line("X-MOZ-LASTACK").flatMap({ CalendarDate($0) }) {
            for index in alarms.indices where alarms[index].acknowledged == nil { alarms[index].acknowledged = seen }
        }
        if let rule, !isWithinReach(rule) { self.rule = nil }
        // With a rule that is not understood nothing is known of when it comes again.
        hasUnknownRule = rule == nil && ruleLine != nil
        if !hasUnknownRule {
            additions = Self.dates("RDATE", in: component, limit: Self.maximumAdditions)
            exceptions = Self.dates("EXDATE", in: component, limit: Self.maximumExceptions)
        }
        guard repeats else { return }
        for override in overrides.suffix(Self.maximumOverrides) {
            // One for all later occurrences, too, is not understood.
            guard let line = override.line("RECURRENCE-ID"), line.parameter("RANGE") == nil,
                let date = CalendarDate(line), let todo = CalendarTodo(override, zones: zones)
            else { continue }
            exceptions.append(date)
            if !todo.status.isOver { changed.append(todo) }
        }
        changed = changed.suffix(Self.maximumChanged)
    }

    private static func dates(_ name: String, in component: CalendarComponent, limit: Int) -> [CalendarDate] {
        var dates: [CalendarDate] = []
        for line in component.lines where line.name == name {
            dates += line.value.split(separator: ",").prefix(limit - dates.count).compactMap { value in
                // A period counts by its beginning.
                let first = value.prefix { $0 != "/" }
                return CalendarDate(first.trimmingCharacters(in: .whitespaces), zone: line.parameter("TZID"))
            }
        }
        return dates
    }

    /// Whether it comes again, by a rule that is understood or on dates with names.
    package var repeats: Bool { (start ?? due) != nil && (rule != nil || !additions.isEmpty) }

    /// Whether one that comes more than once a day is looked through up to its next time, with its alarms. Days without a time
    /// have no hours.
    private func isWithinReach(_ rule: RecurrenceRule) -> Bool {
        guard rule.timesADay > 1 || rule.isWithinDay, let anchor = start ?? due else { return true }
        guard anchor.form != .date else { return !rule.isWithinDay }
        let alarms = alarms.map { if case .relative(let seconds, _) = $0.trigger { abs(seconds) } else { 0 } }
        let lead = abs((due ?? anchor).dayNumber - anchor.dayNumber) * 86_400 + (alarms.max() ?? 0)
        return lead / 86_400 <= Self.maximumReach / rule.timesADay
    }

    /// The moments of one that repeats which count at a moment: those of its own time, of the occurrences of the last nine days,
    /// and of those ahead up to the first moment that has yet to come. All moments where it does not repeat.
    /// - Parameter now: nothing ahead of it but one occurrence is looked at, so it is to be asked again once that has passed.
    package func moments(around now: Date, local: TimeZone, dayHour: Int) -> [Date] {
        let own = moments(local: local, dayHour: dayHour)
        guard repeats, let anchor = start ?? due, !status.isOver else { return own }
        let wall = wall(of: now, like: anchor, local: local)
        // How many days what is due is behind what the rule counts.
        let lead = max(0, min(Self.maximumLead, (due ?? anchor).dayNumber - anchor.dayNumber))
        let timesADay = (rule?.timesADay ?? 1) * max(1, alarms.count)
        let lookBack = max(1, min(Self.lookBack, Self.maximumReach / timesADay))
        let first = anchor.withDay(number: max(1, wall.dayNumber - lookBack - lead))
        let excluded = excluded(local: local)
        var moments = excluded.contains(anchor) ? [] : Set(own)
        var rest = Self.maximumOccurrences
        forEachOccurrence(after: first, from: anchor, local: local) { occurrence in
            rest -= 1
            guard !excluded.contains(occurrence.date) else { return rest > 0 }
            let todo = moved(seconds: occurrence.date.order - anchor.order)
            if todo.alarms.isEmpty, !alarms.isEmpty { return false }
            let found = todo.moments(local: local, dayHour: dayHour)
            moments.formUnion(found)
            return rest > 0 && !found.contains { $0 > now }
        }
        // Behind the next time they are asked for later.
        let end = moments.filter { $0 > now }.min() ?? .distantFuture
        for todo in changed { moments.formUnion(todo.moments(local: local, dayHour: dayHour).filter { $0 <= end }) }
        return moments.sorted()
    }

    /// One of its other times.
    private func moved(seconds: Int) -> CalendarTodo {
        guard seconds != 0 else { return self }
        var result = self
        result.start = start?.moved(seconds: seconds)
        result.due = due?.moved(seconds: seconds)
        // An alarm at a moment of its own does not repeat.
        result.alarms = alarms.filter { if case .absolute = $0.trigger { false } else { true } }
        return result
    }

    /// Days behind now: older ones are not shown.
    private static let lookBack = 9
    private static let maximumLead = 366
    /// Days ahead and behind that are looked at, divided by how often it comes, or reminds, in a day.
    private static let maximumReach = 240
    /// Looked at in one walk.
    private static let maximumOccurrences = 800

    /// The moments at which it reminds, in order, without repetition. Without alarms it is when it is due; a date without a
    /// time means `dayHour`.
    /// - Parameter local: where the person is.
    package func moments(local: TimeZone, dayHour: Int) -> [Date] {
        let due = due?.moment(in: zones, local: local, dayHour: dayHour)
        var moments: Set<Date> = []
        var hasEvents = false
        for alarm in alarms {
            let moment: Date?
            switch alarm.trigger {
            case .absolute(let date): moment = date.moment(in: zones, local: local, dayHour: dayHour)
            case .relative(let seconds, let isFromEnd):
                let dates = isFromEnd ? [self.due, self.start] : [self.start, self.due]
                let base = dates.lazy.compactMap(\.self).first
                // RFC 5545 counts from the beginning of a day without a time; whole days before it are meant for when it is shown.
                let hour = seconds % 86_400 == 0 ? dayHour : 0
                moment = base?.moment(in: zones, local: local, dayHour: hour)?.addingTimeInterval(Double(seconds))
            default:
                hasEvents = true
                moment = nil
            }
            guard let moment else { continue }
            if let seen = alarm.acknowledged?.moment(in: zones, local: local), seen >= moment { continue }
            moments.insert(moment)
        }
        if alarms.isEmpty || moments.isEmpty && !hasEvents && alarms.allSatisfy({ $0.acknowledged == nil }), let due {
            moments.insert(due)
        }
        return moments.sorted()
    }

    /// The events for which it waits.
    package var events: [CalendarAlarm.Trigger] { alarms.map(\.trigger).filter(\.isEvent) }
}

extension CalendarComponent {
    /// Marks a VTODO as done.
    package mutating func complete(at date: Date) {
        let stamp = CalendarDate(date, in: .gmt, form: .utc)
        set(ContentLine("STATUS", value: CalendarTodo.Status.completed.rawValue), for: "STATUS")
        set(stamp.line("COMPLETED"), for: "COMPLETED")
        set(ContentLine("PERCENT-COMPLETE", value: "100"), for: "PERCENT-COMPLETE")
        touch(at: date)
    }

    /// Says that it was changed.
    package mutating func touch(at date: Date) {
        let stamp = CalendarDate(date, in: .gmt, form: .utc)
        set(stamp.line("LAST-MODIFIED"), for: "LAST-MODIFIED")
        set(stamp.line("DTSTAMP"), for: "DTSTAMP")
        let sequence = line("SEQUENCE").flatMap { Int($0.value) } ?? 0
        set(
            ContentLine("SEQUENCE", value: String(sequence < Int(Int32.max) ? sequence + 1 : sequence)), for: "SEQUENCE"
        )
    }

    /// Moves a repeating VTODO to its first occurrence after a moment.
    /// - Returns: false when there is none: it is over.
    /// - Parameter overrides: what the file says of its single occurrences.
    package mutating func advance(
        after moment: Date, zones: CalendarZones, overrides: [CalendarComponent] = [], local: TimeZone, dayHour: Int
    ) -> Bool {
        guard let todo = CalendarTodo(self, zones: zones, overrides: overrides), todo.repeats,
            let due = todo.due ?? todo.start
        else { return false }
        let anchor = todo.start ?? due
        // How far the due moment is behind the one that the rule counts.
        let shift = due.order - anchor.order
        let after = todo.wall(of: moment, like: due, local: local)
        let threshold = anchor.moved(seconds: max(due.order, after.order) - shift - anchor.order)
        let excluded = todo.excluded(local: local)
        var named: CalendarTodo.Occurrence?
        var added: CalendarTodo.Occurrence?
        todo.forEachOccurrence(after: threshold, from: anchor, local: local) { occurrence in
            let again = due.moved(seconds: occurrence.date.order - anchor.order)
            // In an hour that comes twice the clock shows what has passed.
            guard !excluded.contains(occurrence.date),
                again.moment(in: zones, local: local, dayHour: dayHour).map({ $0 > moment }) ?? false
            else { return true }
            // A date besides the rule's stays where it is, in front of the next one of the rule, which counts from there.
            if occurrence.number == nil { added = added ?? occurrence } else { named = occurrence }
            return named == nil
        }
        guard let next = named ?? added else { return false }
        if todo.start != nil { set(next.date.line("DTSTART"), for: "DTSTART") }
        let again = due.moved(seconds: next.date.order - anchor.order)
        if line("DUE") != nil { set(again.line("DUE"), for: "DUE") }
        let passed = again.moment(in: zones, local: local).flatMap { moment in
            due.moment(in: zones, local: local).map { Int(moment.timeIntervalSince($0)) }
        }
        if let rule = todo.rule {
            var rest = rule
            if let count = rule.count, let number = next.number { rest.count = max(1, count - number + 1) }
            // It has ended, and does not begin again at a date besides.
            if next.number == nil {
                set(nil, for: "RRULE")
            } else if rule.count != nil {
                set(ContentLine("RRULE", value: rest.text), for: "RRULE")
            }
        }
        moveAlarms(seconds: next.date.order - anchor.order, passed: passed ?? 0)
        set(ContentLine("STATUS", value: CalendarTodo.Status.needsAction.rawValue), for: "STATUS")
        set(nil, for: "COMPLETED")
        set(nil, for: "PERCENT-COMPLETE")
        return true
    }

    /// Alarms at a moment of their own go with their to-do: left behind, they would be the last ones.
    /// - Parameters:
    ///   - seconds: by the clock.
    ///   - passed: in time, which is another where clocks change.
    private mutating func moveAlarms(seconds: Int, passed: Int) {
        for (index, item) in items.enumerated() {
            guard case .component(var alarm) = item, case .absolute(let date)? = CalendarAlarm(alarm)?.trigger else {
                continue
            }
            let line = date.moved(seconds: date.form == .utc ? passed : seconds).line("TRIGGER")
            let zone = line.parameter("TZID").map { [("TZID", $0)] } ?? []
            alarm.set(ContentLine("TRIGGER", [("VALUE", "DATE-TIME")] + zone, value: line.value), for: "TRIGGER")
            items[index] = .component(alarm)
        }
    }
}
