import Foundation

/// Makes a moment of what was said of one. A time that has passed today means tomorrow.
struct TimeResolver {
    let slots: Slots
    let now: Date
    private let calendar: Calendar
    private let has24Hours: Bool

    /// Where the person names a day and no time.
    private static let defaultHour = 9
    private static let maximumYears = 100
    /// Minutes since midnight at which people get up, and a little later.
    private static let (early, rising) = (300..<420, 420..<600)
    private static let daily: Set<String> = ["day", "workday"]
    /// As often as a reminder may come.
    private static let minimumMinutes = 15

    init(slots: Slots, now: Date, timeZone: TimeZone, has24Hours: Bool) {
        self.slots = slots
        self.now = now
        self.has24Hours = has24Hours
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    /// Nil where nothing is said of a time.
    func time() throws(MeaningError) -> RequestTime? {
        let time = try plainTime()
        guard let time, slots.number("early") != nil else { return time }
        // “Before 5” and “before Friday” leave time to do it: where less than that is left, half of it.
        let early = try moved(time.date, time.hasTimeOfDay ? .minute : .day, time.hasTimeOfDay ? -30 : -1)
        if early > now { return RequestTime(early, hasTimeOfDay: time.hasTimeOfDay, repetition: time.repetition) }
        let half = try moved(time.date, .minute, -Int(time.date.timeIntervalSince(now)) / 120)
        return RequestTime(half, hasTimeOfDay: true, repetition: time.repetition)
    }

    private func plainTime() throws(MeaningError) -> RequestTime? {
        if slots.number("thishour") != nil { return try pastHour() }
        if let unit = slots.symbol("repeat") { return try repeating(unit) }
        if let offset = offset() { return try relative(offset) }
        let hours = try hours()
        if let nth = slots.number("nth") {
            let minutes = usual(hours ?? [Self.defaultHour * 60])
            return RequestTime(try weekday(nth, minutes), hasTimeOfDay: hours != nil)
        }
        if let day = try day(for: hours) { return try at(hours, on: day) }
        guard let hours else { return nil }
        return RequestTime(try next(hours), hasTimeOfDay: true)
    }

    // MARK: Time of day

    /// Minutes since midnight that may be meant: two where it may be morning or evening. Nil where none is said.
    private func hours() throws(MeaningError) -> [Int]? {
        guard let hour = slots.number("hour") else { return slots.number("parthour").map { [$0 * 60] } }
        let minute = (slots.number("minute") ?? 0) + (slots.number("after") ?? 0) - (slots.number("before") ?? 0)
        guard (0...24).contains(hour), (-59...59).contains(minute) else {
            throw MeaningError(sentence: "There is no such time of day.")
        }
        func whole(_ hour: Int) -> Int { (hour * 60 + minute + 1440) % 1440 }
        switch slots.symbol("half") {
        case "am" where hour <= 12: return [whole(hour % 12)]
        // Twelve at night is the end of the evening.
        case "pm" where hour <= 12: return [whole(hour % 12 + 12)]
        case "night" where hour <= 12: return [whole(hour == 12 ? 0 : hour < 6 ? hour : hour + 12)]
        default:
            let isExact = hour == 0 || hour > 12 || hour == 12 && has24Hours || slots.number("exact") != nil
            if isExact { return [whole(hour % 24)] }
            // People are woken in the evening only where they say so.
            if slots.symbol("usually") == "am" { return [whole(hour % 12)] }
            // An alarm clock that is set by day for these hours is for the next morning.
            let isAlarm = slots.symbol("usually") == "day" && slots.number("days") != 0
            // Where the evening is at 19, seven is in the morning, too.
            let mornings = has24Hours ? Self.early.lowerBound..<Self.rising.upperBound : Self.early
            if isAlarm, mornings.contains(whole(hour % 12)) { return [whole(hour % 12)] }
            return [whole(hour % 12), whole(hour % 12 + 12)]
        }
    }

    /// The next time that it is one of these.
    private func next(_ hours: [Int]) throws(MeaningError) -> Date {
        for day in 0...1 {
            let start = try moved(calendar.startOfDay(for: now), .day, day)
            for minutes in hours.sorted() {
                let date = try moment(start, minutes)
                guard date > now else { continue }
                try checkAlarm(hours, next: minutes)
                return date
            }
        }
        throw Self.impossible
    }

    /// By day “an alarm for 7” is this evening's as well as the next morning's: no guess lets a person sleep on.
    private func checkAlarm(_ hours: [Int], next minutes: Int) throws(MeaningError) {
        guard slots.symbol("usually") == "day", hours.count == 2, let morning = hours.min(), minutes > morning,
            Self.rising.contains(morning)
        else { return }
        throw MeaningError(
            sentence: "Say whether the alarm is for this evening or for the morning: “pm” or “am”. None was set.")
    }

    /// On a day that is not today, 1 to 6 is in the afternoon, and 7 to 11 in the morning. With 24 hours it is as written, but
    /// for hours that are spoken, as “um 3” and “halb drei”: then 1 to 5 is in the afternoon.
    private func usual(_ hours: [Int]) -> Int {
        guard hours.count == 2, !has24Hours || slots.number("spoken") != nil else { return hours[0] }
        let morning = hours.min() ?? 0
        // An alarm clock rings in the morning.
        if slots.symbol("usually") == "day" { return morning }
        // So does what begins each day, or each working day.
        if let unit = slots.symbol("repeat"), Self.daily.contains(unit), Self.early.contains(morning) { return morning }
        return morning >= (has24Hours ? 360 : 420) ? morning : morning + 720
    }

    // MARK: Days

    private struct Day {
        var start: Date
        /// Where the moment has passed, this much later is meant.
        var again: (Calendar.Component, Int)?
        /// Or this day: months and years that lack a day are left out.
        var later: Date?
    }

    private func day(for hours: [Int]?) throws(MeaningError) -> Day? {
        let today = calendar.startOfDay(for: now)
        if let days = slots.number("days") {
            return Day(start: try moved(today, .day, days), again: days == 0 && isNightly(hours) ? (.day, 1) : nil)
        }
        if let weekday = slots.number("weekday") {
            let behind = weekday - self.weekday(of: today)
            if let weeks = ["next": 1, "afternext": 2][slots.symbol("which") ?? ""] {
                return Day(start: try moved(today, .day, behind + 7 * weeks))
            }
            // A week or two after the coming one.
            if let weeks = ["after": 1, "afterthat": 2][slots.symbol("which") ?? ""] {
                return Day(start: try moved(today, .day, (behind + 6) % 7 + 1 + 7 * weeks), again: nil)
            }
            return Day(start: try moved(today, .day, (behind + 7) % 7), again: (.day, 7))
        }
        if let month = slots.number("month"), let day = slots.number("day") { return try date(day, month, today) }
        if let day = slots.number("day") {
            return slots.symbol("next") == "month" ? try dayOfNextMonth(day, today) : try dayOfMonth(day, today)
        }
        if let end = slots.symbol("end") { return try self.end(of: end, today) }
        switch slots.symbol("next") {
        case "week": return Day(start: try moved(today, .day, 8 - weekday(of: today)), again: nil)
        case "weekafter": return Day(start: try moved(today, .day, 15 - weekday(of: today)), again: nil)
        case "month": return Day(start: try moved(try first(of: .month, today), .month, 1), again: nil)
        case "year": return Day(start: try moved(try first(of: .year, today), .year, 1), again: nil)
        case "weekend":
            let saturday = Day(start: try moved(today, .day, (6 - weekday(of: today) + 7) % 7), again: (.day, 7))
            guard weekday(of: today) >= 6 else { return saturday }
            // Within a weekend, “next” is another one, and of “this” its rest is left.
            switch slots.symbol("which") {
            case "next": return Day(start: try moved(today, .day, 13 - weekday(of: today)))
            case "this": return Day(start: today, later: weekday(of: today) == 6 ? try moved(today, .day, 1) : nil)
            default: return saturday
            }
        default: break
        }
        if let month = slots.number("month") { return try date(1, month, today) }
        return nil
    }

    /// “Today at midnight” is the coming one: the night of a day goes on after it. A time of the day that has passed is over.
    private func isNightly(_ hours: [Int]?) -> Bool {
        let isMorning = slots.symbol("half") == "am" && slots.number("parthour") != nil
        return !isMorning && hours?.allSatisfy { $0 < Self.early.lowerBound } == true
    }

    private func date(_ day: Int, _ month: Int, _ today: Date) throws(MeaningError) -> Day {
        let year = calendar.component(.year, from: today)
        let wanted = slots.number("year")
        var found: Day?
        // A 29 February is in one of the next eight years.
        for candidate in wanted.map({ $0...$0 }) ?? year...year + 16 {
            let parts = DateComponents(year: candidate, month: month, day: day)
            guard abs(candidate - year) <= Self.maximumYears, let date = calendar.date(from: parts),
                calendar.component(.day, from: date) == day, calendar.component(.month, from: date) == month,
                wanted != nil || date >= today
            else { continue }
            if let named = slots.number("named"), weekday(of: date) != named {
                throw MeaningError(sentence: "That day is another weekday. Say the date, or the weekday.")
            }
            // One with its weekday is that one alone.
            if slots.number("named") != nil { return Day(start: date) }
            if let found { return Day(start: found.start, later: date) }
            found = Day(start: date)
        }
        guard let found else { throw Self.impossible }
        return found
    }

    private func dayOfNextMonth(_ day: Int, _ today: Date) throws(MeaningError) -> Day {
        let month = try moved(try first(of: .month, today), .month, 1)
        guard calendar.range(of: .day, in: .month, for: month)?.contains(day) == true else { throw Self.impossible }
        return Day(start: try moved(month, .day, day - 1), again: nil)
    }

    /// The next time that it is the how manyth of these weekdays in its month: -1 is the last.
    private func weekday(_ nth: Int, _ minutes: Int) throws(MeaningError) -> Date {
        guard let weekday = slots.number("weekday") else { throw Self.impossible }
        let first = try first(of: .month, calendar.startOfDay(for: now))
        let isNext = slots.symbol("next") == "month"
        for months in (isNext ? 1...1 : 0...13) {
            let month = try moved(first, .month, months)
            if let wanted = slots.number("month"), calendar.component(.month, from: month) != wanted { continue }
            guard let count = calendar.range(of: .day, in: .month, for: month)?.count else { continue }
            let day = (weekday - self.weekday(of: month) + 7) % 7
            let date = day + 7 * (nth > 0 ? nth - 1 : (count - 1 - day) / 7)
            guard date < count else { continue }
            let moment = try moment(try moved(month, .day, date), minutes)
            if moment > now { return moment }
        }
        throw Self.impossible
    }

    private func dayOfMonth(_ day: Int, _ today: Date) throws(MeaningError) -> Day {
        let first = try first(of: .month, today)
        var found: Date?
        // Friday the 13th may be more than a year away.
        for months in 0...36 {
            let month = try moved(first, .month, months)
            guard let days = calendar.range(of: .day, in: .month, for: month), days.contains(day) else { continue }
            let date = try moved(month, .day, day - 1)
            if let named = slots.number("named"), weekday(of: date) != named { continue }
            guard date >= today else { continue }
            // Today's counts as the next month's once its time has passed.
            if let found { return Day(start: found, later: date) }
            found = date
        }
        guard let found else { throw Self.impossible }
        return Day(start: found)
    }

    private func end(of unit: String, _ today: Date) throws(MeaningError) -> Day {
        switch unit {
        case "day": return Day(start: today, again: (.day, 1))
        case "week": return Day(start: try moved(today, .day, 7 - weekday(of: today)), again: (.day, 7))
        case "year":
            let next = try moved(try first(of: .year, today), .year, 1)
            return Day(start: try moved(next, .day, -1), again: (.year, 1))
        default:
            let months = slots.symbol("next") == "month" ? 2 : 1
            let next = try moved(try first(of: .month, today), .month, months)
            return Day(start: try moved(next, .day, -1), again: (.month, 1))
        }
    }

    private func at(_ hours: [Int]?, on evening: Day) throws(MeaningError) -> RequestTime {
        var day = evening
        // The night of a day goes on after midnight. Within it “tonight” is the one that is there.
        let isNight = calendar.isDate(evening.start, inSameDayAs: now) && calendar.component(.hour, from: now) < 6
        if slots.symbol("half") == "night", slots.number("hour") != nil, !isNight, let hours,
            hours.allSatisfy({ $0 < 360 })
        {
            day.start = try moved(evening.start, .day, 1)
        }
        let isToday = calendar.isDate(day.start, inSameDayAs: now)
        let choices = hours ?? [Self.defaultHour * 60]
        if isToday {
            for minutes in choices.sorted() {
                let date = try moment(day.start, minutes)
                guard date > now else { continue }
                // “Donnerstag 10 Uhr” on a Thursday at noon is this evening's, or the next week's.
                let isOfWeekday = slots.number("weekday") != nil && slots.symbol("half") == nil
                if has24Hours, isOfWeekday, minutes > usual(choices) { throw Self.whichWeek }
                return RequestTime(date, hasTimeOfDay: hours != nil)
            }
        }
        // A day without a time that is today still lies ahead, and so does the part of it that is there.
        if isToday, slots.number("days") == 0, isWithinPart {
            return RequestTime(try moved(now, .hour, 1), hasTimeOfDay: true)
        }
        let isOpen = day.later == nil && (slots.number("days") == 0 || slots.symbol("which") == "this")
        if isToday, hours == nil, isOpen { return RequestTime(try moved(now, .hour, 1), hasTimeOfDay: false) }
        var date = try moment(day.start, usual(choices))
        if date <= now {
            if let later = day.later {
                return RequestTime(try moment(later, usual(choices)), hasTimeOfDay: hours != nil)
            }
            guard let (unit, count) = day.again else { throw passed }
            // Months have different ends: the first day after this one is moved.
            let isEnd = slots.symbol("end") == "month"
            let again = try moved(try moved(day.start, .day, isEnd ? 1 : 0), unit, count)
            date = try moment(try moved(again, .day, isEnd ? -1 : 0), usual(choices))
        }
        return RequestTime(date, hasTimeOfDay: hours != nil)
    }

    /// Whether only a part of the day was named, and it is not over.
    private var isWithinPart: Bool {
        guard slots.number("hour") == nil, let part = slots.number("parthour") else { return false }
        // An evening, and “tonight”, last until midnight: at ten “tonight” is not tomorrow.
        let end = part < 12 ? 12 : part == 12 ? 14 : part < 18 ? 18 : 24
        return calendar.component(.hour, from: now) < end
    }

    // MARK: Relative times

    private static let units: [(slot: String, unit: Calendar.Component)] = [
        ("inseconds", .second), ("inminutes", .minute), ("inhours", .hour), ("indays", .day), ("inweeks", .weekOfYear),
        ("inmonths", .month), ("inyears", .year),
    ]

    func offset() -> [(unit: Calendar.Component, count: Int)]? {
        let parts = Self.units.compactMap { slot, unit in slots.number(slot).map { (unit: unit, count: $0) } }
        return parts.isEmpty ? nil : parts
    }

    private func relative(_ offset: [(unit: Calendar.Component, count: Int)]) throws(MeaningError) -> RequestTime {
        var date = now
        for (unit, count) in offset { date = try moved(date, unit, count) }
        guard date > now else { throw Self.impossible }
        let isOfDays = offset.allSatisfy { [.day, .weekOfYear, .month, .year].contains($0.unit) }
        guard isOfDays, let hours = try hours() else { return RequestTime(date, hasTimeOfDay: true) }
        return RequestTime(try moment(calendar.startOfDay(for: date), usual(hours)), hasTimeOfDay: true)
    }

    // MARK: Repeating times

    private func repeating(_ name: String) throws(MeaningError) -> RequestTime {
        let interval = slots.number("interval") ?? 1
        guard (1...999).contains(interval) else { throw Self.impossible }
        var weekdays = ["weekday", "weekday2", "weekday3", "weekday4", "weekday5", "weekday6"].compactMap(slots.number)
        if name == "workday" { weekdays = [1, 2, 3, 4, 5] }
        if name == "weekend" { weekdays = [6, 7] }
        let hours = try hours()
        let ordinal = name == "month" ? slots.number("nth") ?? (slots.symbol("end") == "month" ? -1 : nil) : nil
        guard let unit = RequestTime.Unit(rawValue: weekdays.isEmpty || ordinal != nil ? name : "week") else {
            throw Self.impossible
        }
        let repetition = RequestTime.Repetition(
            unit, interval: interval, weekdays: Set(weekdays).sorted(), ordinal: ordinal)
        if unit == .minute, interval < Self.minimumMinutes {
            throw MeaningError(
                sentence: "A reminder comes each \(Self.minimumMinutes) minutes at most. Name a longer time.")
        }
        if unit == .minute || unit == .hour {
            let date = try moved(now, unit == .hour ? .hour : .minute, interval)
            return RequestTime(date, hasTimeOfDay: true, repetition: repetition)
        }
        let minutes = usual(hours ?? [Self.defaultHour * 60])
        let date: Date
        if let ordinal, !weekdays.isEmpty {
            date = try weekday(ordinal, minutes)
        } else if !weekdays.isEmpty {
            date = try first(minutes) { weekdays.contains(weekday(of: $0)) }
        } else if let day = try day(for: hours) {
            date = try at(hours, on: day).date
        } else {
            date = try first(minutes) { _ in true }
        }
        return RequestTime(date, hasTimeOfDay: hours != nil, repetition: repetition)
    }

    /// The first moment ahead at this time, on a day that fits. A day on which the clocks leave it out is not a beginning: it
    /// would come at the later time from then on.
    private func first(_ minutes: Int, _ fits: (Date) -> Bool) throws(MeaningError) -> Date {
        for offset in 0...14 {
            let day = try moved(calendar.startOfDay(for: now), .day, offset)
            let date = try moment(day, minutes)
            let parts = calendar.dateComponents([.hour, .minute], from: date)
            guard (parts.hour ?? 0) * 60 + (parts.minute ?? 0) == minutes % 1440 else { continue }
            if fits(day), date > now { return date }
        }
        throw Self.impossible
    }

    // MARK: The calendar

    static let impossible = MeaningError(sentence: "There is no such day or time.")

    /// 1 is Monday.
    private func weekday(of date: Date) -> Int { (calendar.component(.weekday, from: date) + 5) % 7 + 1 }

    func first(of unit: Calendar.Component, _ date: Date) throws(MeaningError) -> Date {
        guard let interval = calendar.dateInterval(of: unit, for: date) else { throw Self.impossible }
        return interval.start
    }

    func moved(_ date: Date, _ unit: Calendar.Component, _ count: Int) throws(MeaningError) -> Date {
        guard abs(count) < 1_000_000, let moved = calendar.date(byAdding: unit, value: count, to: date),
            abs(moved.timeIntervalSince(now)) <= Double(Self.maximumYears) * 366 * 86_400
        else { throw MeaningError(sentence: "That is more than \(Self.maximumYears) years away.") }
        return moved
    }

    /// A time that a change of clocks leaves out is the one after it.
    private func moment(_ day: Date, _ minutes: Int) throws(MeaningError) -> Date {
        var parts = calendar.dateComponents([.year, .month, .day], from: day)
        (parts.hour, parts.minute) = (minutes / 60, minutes % 60)
        guard let date = calendar.date(from: parts) else { throw Self.impossible }
        return date
    }
}
