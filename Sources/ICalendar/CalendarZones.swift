package import Foundation

/// The time zones that a file describes itself (VTIMEZONE), for names that the system does not know.
package struct CalendarZones: Hashable, Sendable {
    /// A change of the offset: since when by the earlier wall clock, how often, and to what.
    private struct Observance: Hashable, Sendable {
        var start: CalendarDate
        var rule: RecurrenceRule?
        /// Seconds east of UTC.
        var from: Int
        var to: Int
    }

    /// Policy: of more zones the first are used, and of a zone's first 256 observances the 16 that began last.
    private static let maximumZones = 64
    private static let maximumRead = 256
    private static let maximumObservances = 16

    private var zones: [String: [Observance]] = [:]

    package init(_ components: [CalendarComponent] = []) {
        for zone in components.prefix(Self.maximumZones) {
            guard let name = zone.line("TZID")?.value else { continue }
            let observances: [Observance] = zone.components.prefix(Self.maximumRead).compactMap { component in
                guard component.name == "STANDARD" || component.name == "DAYLIGHT",
                    let start = component.line("DTSTART").flatMap({ CalendarDate($0.value, zone: nil) }),
                    let from = component.line("TZOFFSETFROM").flatMap({ Self.offset($0.value) }),
                    let to = component.line("TZOFFSETTO").flatMap({ Self.offset($0.value) })
                else { return nil }
                // Clocks change on one day of a year. A rule of many days would be looked through at each moment.
                let rule = component.line("RRULE").flatMap { RecurrenceRule($0.trimmed) }
                let isPlain = rule.map { $0.days.count <= 1 && $0.months.count <= 1 } ?? true
                return Observance(start: start, rule: isPlain ? rule : nil, from: from, to: to)
            }
            zones[name] = observances.sorted { $0.start.order < $1.start.order }.suffix(Self.maximumObservances)
        }
    }

    /// A zone of the system's tables: `Europe/Berlin`, also as `/vendor/Europe/Berlin`, which some programs write, and by the name that
    /// Windows has for it.
    package static func known(_ name: String) -> TimeZone? {
        guard name.utf8.count <= 255 else { return nil }
        if name.contains("/") || name == "UTC" || name == "GMT", !name.hasPrefix("/"),
            let zone = TimeZone(identifier: name)
        {
            return zone
        }
        if let windows = WindowsZones.identifier(name) { return TimeZone(identifier: windows) }
        let parts = name.split(separator: "/")
        guard parts.count >= 2 else { return nil }
        for count in [3, 2] where parts.count >= count {
            if let zone = TimeZone(identifier: parts.suffix(count).joined(separator: "/")) { return zone }
        }
        return nil
    }

    /// Nil for a zone that the file does not describe.
    func moment(of date: CalendarDate, in name: String) -> Date? {
        guard let observances = zones[name], !observances.isEmpty,
            let utc = date.moment(in: .gmt)
        else { return nil }
        // The observance whose last onset, as clocks showed it, is the latest one before.
        var best: (onset: Int, offset: Int)?
        for observance in observances {
            guard let onset = Self.lastOnset(of: observance, notAfter: date) else { continue }
            if best.map({ onset.order > $0.onset }) ?? true { best = (onset.order, observance.to) }
        }
        let first = observances.min { $0.start.order < $1.start.order }
        return utc.addingTimeInterval(-Double(best?.offset ?? first?.from ?? 0))
    }

    /// A moment as the clocks of a zone of the file show it. Nil for a zone that it does not describe.
    func wall(of moment: Date, in name: String) -> CalendarDate? {
        let utc = CalendarDate(moment, in: .gmt, form: .zone(name))
        func offset(_ wall: CalendarDate) -> Int? {
            guard let seen = self.moment(of: wall, in: name), let plain = wall.moment(in: .gmt) else { return nil }
            return Int(plain.timeIntervalSince(seen))
        }
        // The offset at the moment itself, which near a change of clocks is another than at that time of day.
        guard let near = offset(utc), let exact = offset(utc.moved(seconds: near)) else { return nil }
        return utc.moved(seconds: exact)
    }

    private static func lastOnset(of observance: Observance, notAfter date: CalendarDate) -> CalendarDate? {
        guard !date.isBefore(observance.start) else { return nil }
        guard let rule = observance.rule else { return observance.start }
        // Rules of zones are yearly: this year's onset, or the last one's.
        guard rule.frequency == .yearly else { return observance.start }
        for year in [date.year, date.year - 1] where year >= observance.start.year {
            let last = rule.candidates(inYear: year, like: observance.start).last {
                !date.isBefore($0) && !$0.isBefore(observance.start) && rule.allows($0)
            }
            if let last { return last }
        }
        guard let until = rule.until, !date.isBefore(until) else { return observance.start }
        return rule.candidates(inYear: until.year, like: observance.start).last { rule.allows($0) }
            ?? rule.candidates(inYear: until.year - 1, like: observance.start).last ?? observance.start
    }

    /// As `+0100` or `-053000`.
    private static func offset(_ text: String) -> Int? {
        let digits = text.dropFirst()
        guard text.hasPrefix("+") || text.hasPrefix("-"), digits.count == 4 || digits.count == 6,
            digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits)
        else { return nil }
        let full = digits.count == 4 ? number * 100 : number
        let seconds = full / 10_000 * 3600 + full / 100 % 100 * 60 + full % 100
        guard seconds <= 18 * 3600 else { return nil }
        return text.hasPrefix("-") ? -seconds : seconds
    }
}
