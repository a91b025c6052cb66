package import Foundation

/// What a VTODO says, for whoever reminds of it.
package struct CalendarTodo: Hashable, Sendable {
    package enum Status: String, Hashable, Sendable {
        case needsAction = "NEEDS-ACTION"
        case inProcess = "IN-PROCESS"
        case completed = "COMPLETED"
        case cancelled = "CANCELLED"

        package var isOver: Bool { self == .completed || self == .cancelled }
    }

    /// Alarms of one to-do. Policy: of more the first are considered.
    package static let maximumAlarms = 64
    private static let maximumExceptions = 1000

    package var uid: String
    package var summary: String
    package var status: Status
    package var start: CalendarDate?
    package var due: CalendarDate?
    package var rule: RecurrenceRule?
    /// EXDATE: occurrences that do not count. Policy: of more than 1,000 the first are considered.
    package var exceptions: [CalendarDate] = []
    package var url: String?
    /// Milliseconds since 1970; 0 where it is not said.
    package var lastModified: UInt64
    package var alarms: [CalendarAlarm]
    package var zones: CalendarZones

    /// Nil without a UID, which a to-do must have.
    package init?(_ component: CalendarComponent, zones: CalendarZones) {
        guard component.name == "VTODO",
            let uid = component.line("UID")?.value.trimmingCharacters(in: .whitespaces), !uid.isEmpty
        else { return nil }
        self.uid = uid
        self.zones = zones
        summary = component.line("SUMMARY")?.text ?? ""
        let status = component.line("STATUS").flatMap { Status(rawValue: $0.value.uppercased()) }
        let isComplete = component.line("COMPLETED") != nil || component.line("PERCENT-COMPLETE")?.value == "100"
        self.status = status ?? (isComplete ? .completed : .needsAction)
        start = component.line("DTSTART").flatMap { CalendarDate($0) }
        due = component.line("DUE").flatMap { CalendarDate($0) }
        if due == nil, let start, let duration = component.line("DURATION").flatMap({ CalendarDuration($0.value) }),
            let moment = start.moment(in: .gmt)
        {
            due = CalendarDate(moment.addingTimeInterval(Double(duration.seconds)), in: .gmt, form: start.form)
        }
        rule = component.line("RRULE").flatMap { RecurrenceRule($0.value) }
        if rule != nil {
            for line in component.lines where line.name == "EXDATE" {
                let room = Self.maximumExceptions - exceptions.count
                exceptions += line.value.split(separator: ",").prefix(room).compactMap {
                    CalendarDate($0.trimmingCharacters(in: .whitespaces), zone: line.parameter("TZID"))
                }
            }
        }
        url = component.line("URL")?.value
        let modified = component.line("LAST-MODIFIED") ?? component.line("DTSTAMP")
        lastModified =
            modified.flatMap { CalendarDate($0) }?.moment(in: zones, local: .gmt).map {
                UInt64(max(0, $0.timeIntervalSince1970 * 1000))
            } ?? 0
        alarms = []
        for alarm in component.components where alarm.name == "VALARM" {
            guard alarms.count < Self.maximumAlarms else { break }
            if let alarm = CalendarAlarm(alarm) { alarms.append(alarm) }
        }
    }

    /// Whether EXDATE names this occurrence: its moment, or its day where that is a date.
    func excludes(_ date: CalendarDate, local: TimeZone) -> Bool {
        guard !exceptions.isEmpty else { return false }
        let moment = date.moment(in: zones, local: local)
        return exceptions.contains { exception in
            exception.form == .date || date.form == .date
                ? exception.dayNumber == date.dayNumber : exception.moment(in: zones, local: local) == moment
        }
    }

    /// The moments of one that repeats which count at a moment: those of its own time, of the occurrences of the last nine days,
    /// and of those ahead up to the first moment that has yet to come. All moments where it does not repeat.
    /// - Parameter now: nothing ahead of it but one occurrence is looked at, so it is to be asked again once that has passed.
    package func moments(around now: Date, local: TimeZone, dayHour: Int) -> [Date] {
        let own = moments(local: local, dayHour: dayHour)
        guard let rule, let anchor = start ?? due, !status.isOver else { return own }
        let wall = CalendarComponent.wall(of: now, like: anchor, zones: zones, local: local, dayHour: dayHour)
        // How many days what is due is behind what the rule counts.
        let lead = max(0, min(Self.maximumLead, (due ?? anchor).dayNumber - anchor.dayNumber))
        let first = anchor.withDay(number: max(1, wall.dayNumber - Self.lookBack - lead))
        var moments = excludes(anchor, local: local) ? [] : Set(own)
        var rest = Self.maximumOccurrences
        rule.forEach(after: first, from: anchor) { date, _ in
            rest -= 1
            guard !excludes(date, local: local) else { return rest > 0 }
            let days = date.dayNumber - anchor.dayNumber
            var occurrence = self
            occurrence.start = start.map { $0.withDay(number: $0.dayNumber + days) }
            occurrence.due = due.map { $0.withDay(number: $0.dayNumber + days) }
            // An alarm at a moment of its own does not repeat.
            if days != 0 {
                occurrence.alarms = alarms.filter { if case .absolute = $0.trigger { false } else { true } }
                if occurrence.alarms.isEmpty, !alarms.isEmpty { return false }
            }
            let found = occurrence.moments(local: local, dayHour: dayHour)
            moments.formUnion(found)
            return rest > 0 && !found.contains { $0 > now }
        }
        return moments.sorted()
    }

    /// Days behind now: longer ago nobody is reminded.
    private static let lookBack = 9
    private static let maximumLead = 366
    /// Looked at in one walk.
    private static let maximumOccurrences = 400

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
    package mutating func advance(after moment: Date, zones: CalendarZones, local: TimeZone, dayHour: Int) -> Bool {
        guard let todo = CalendarTodo(self, zones: zones), let rule = todo.rule, let due = todo.due ?? todo.start else {
            return false
        }
        let anchor = todo.start ?? due
        // How far the due moment is behind the one that the rule counts.
        let shift = due.order - anchor.order
        let after = Self.wall(of: moment, like: due, zones: zones, local: local, dayHour: dayHour)
        let last = max(due.order, after.order) - shift
        var threshold = anchor.withDay(number: max(0, last) / 86_400)
        let seconds = max(0, last) % 86_400
        (threshold.hour, threshold.minute, threshold.second) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        var found: (date: CalendarDate, number: Int)?
        rule.forEach(after: threshold, from: anchor) { date, number in
            guard todo.excludes(date, local: local) else {
                found = (date, number)
                return false
            }
            return true
        }
        guard let next = found else { return false }
        let days = next.date.dayNumber - anchor.dayNumber
        if todo.start != nil { set(next.date.line("DTSTART"), for: "DTSTART") }
        if line("DUE") != nil { set(due.withDay(number: due.dayNumber + days).line("DUE"), for: "DUE") }
        if let count = rule.count {
            var rest = rule
            rest.count = max(1, count - next.number + 1)
            set(ContentLine("RRULE", value: rest.text), for: "RRULE")
        }
        set(ContentLine("STATUS", value: CalendarTodo.Status.needsAction.rawValue), for: "STATUS")
        set(nil, for: "COMPLETED")
        set(nil, for: "PERCENT-COMPLETE")
        return true
    }

    fileprivate static func wall(
        of moment: Date, like date: CalendarDate, zones: CalendarZones, local: TimeZone, dayHour: Int
    ) -> CalendarDate {
        let zone: TimeZone =
            switch date.form {
            case .utc: .gmt
            case .zone(let name): CalendarZones.known(name) ?? local
            case .date, .local: local
            }
        return CalendarDate(moment, in: zone, form: date.form)
    }
}
