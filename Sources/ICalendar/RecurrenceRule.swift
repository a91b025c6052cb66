/// RRULE with MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY, INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYHOUR,
/// BYMINUTE, BYSETPOS and WKST. All of it is by the clock of the start's zone.
package struct RecurrenceRule: Hashable, Sendable {
    package enum Frequency: String, Hashable, Sendable {
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// A weekday, perhaps only the nth of its month or year, from the end where that is negative.
    package struct Day: Hashable, Sendable {
        /// 0 for Monday.
        package var weekday: Int
        package var nth: Int?
    }

    package var frequency: Frequency
    package var interval = 1
    package var count: Int?
    package var until: CalendarDate?
    package var days: [Day] = []
    package var monthDays: [Int] = []
    package var months: [Int] = []
    package var hours: [Int] = []
    package var minutes: [Int] = []
    /// Which of a period's dates count, from the end where negative: “the last of the working days”. Empty for all.
    package var positions: [Int] = []
    /// The first day of a week, 0 for Monday.
    package var weekStart = 0
    /// As it was read, without a COUNT that counts.
    private var others: [String] = []

    /// Policy: a rule that has no occurrence within so many periods has none.
    private static let maximumPeriods = 20_000
    private static let maximumList = 64
    /// Policy: a rule that comes more often than each quarter of an hour, all day, is not followed by a reminder.
    private static let maximumTimesADay = 96
    /// Policy: of a rule that chooses by position, fewer, as all of its times in a year are made for it.
    private static let maximumChosenADay = 4
    /// Policy: one that comes more often than this in all has no end: to count so many takes as long as to wait for none.
    private static let maximumCount = 10_000
    private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    package init(_ frequency: Frequency, interval: Int = 1) {
        self.frequency = frequency
        self.interval = interval
        others = ["FREQ=\(frequency.rawValue)"] + (interval > 1 ? ["INTERVAL=\(interval)"] : [])
    }

    /// Nil for a rule with parts that are not known: rather no occurrence than a wrong one.
    package init?(_ text: String) {
        guard text.utf8.count <= 4096 else { return nil }
        var frequency: Frequency?
        var rest: [(String, String)] = []
        for part in text.split(separator: ";") {
            guard let equals = part.firstIndex(of: "=") else { return nil }
            let (key, value) = (part[..<equals].uppercased(), String(part[part.index(after: equals)...]))
            if key == "FREQ" { frequency = Frequency(rawValue: value.uppercased()) } else { rest.append((key, value)) }
            if key != "COUNT" || Int(value).map({ $0 > Self.maximumCount }) ?? false { others.append(String(part)) }
        }
        // A part that comes twice says two things.
        guard let frequency, Set(rest.map(\.0)).count == rest.count else { return nil }
        self.frequency = frequency
        for (key, value) in rest {
            switch key {
            case "INTERVAL":
                guard let number = Int(value), (1...10_000).contains(number) else { return nil }
                interval = number
            case "COUNT":
                guard let number = Int(value), number > 0 else { return nil }
                if number <= Self.maximumCount { count = number }
            case "UNTIL":
                guard let date = CalendarDate(value, zone: nil) else { return nil }
                until = date
            case "BYDAY":
                let parsed = value.split(separator: ",").map { Self.day($0) }
                guard (1...Self.maximumList).contains(parsed.count), parsed.allSatisfy({ $0 != nil }) else {
                    return nil
                }
                // A day that is named again adds only work.
                for day in parsed.compactMap(\.self) where !days.contains(day) { days.append(day) }
            case "BYMONTHDAY":
                guard let list = Self.numbers(value, 1...31) else { return nil }
                monthDays = list
            case "BYMONTH":
                guard let list = Self.numbers(value, 1...12), list.allSatisfy({ $0 > 0 }) else { return nil }
                months = list
            case "BYHOUR":
                guard let list = Self.numbers(value, 0...23), list.allSatisfy({ $0 >= 0 }) else { return nil }
                hours = Set(list).sorted()
            case "BYMINUTE":
                guard let list = Self.numbers(value, 0...59), list.allSatisfy({ $0 >= 0 }) else { return nil }
                minutes = Set(list).sorted()
            case "BYSETPOS":
                guard let list = Self.numbers(value, 1...366) else { return nil }
                positions = list
            case "WKST":
                guard let start = Self.names.firstIndex(of: value.uppercased()) else { return nil }
                weekStart = start
            default:
                guard key.hasPrefix("X-") else { return nil }
            }
        }
        // A position is one among others.
        guard positions.isEmpty || !(days.isEmpty && monthDays.isEmpty && months.isEmpty) else { return nil }
        let maximum = positions.isEmpty ? Self.maximumTimesADay : Self.maximumChosenADay
        guard isMeaningful, timesADay <= maximum else { return nil }
    }

    /// Whether RFC 5545 lets these parts stand together: others mean nothing.
    private var isMeaningful: Bool {
        switch frequency {
        case .minutely, .hourly: positions.isEmpty && days.allSatisfy { $0.nth == nil }
        case .daily: days.allSatisfy { $0.nth == nil }
        case .weekly: monthDays.isEmpty && days.allSatisfy { $0.nth == nil }
        case .monthly, .yearly: true
        }
    }

    /// Whether it comes again within a day, and so needs a time of day.
    var isWithinDay: Bool { frequency == .minutely || frequency == .hourly }

    /// How often it comes in a day at most.
    var timesADay: Int {
        switch frequency {
        case .minutely:
            min(
                (1439 + interval) / interval,
                (hours.isEmpty ? 24 : hours.count) * (minutes.isEmpty ? 60 : minutes.count)
            )
        case .hourly:
            min((23 + interval) / interval, hours.isEmpty ? 24 : hours.count) * max(1, minutes.count)
        default: max(1, hours.count) * max(1, minutes.count)
        }
    }

    private static func day(_ text: Substring) -> Day? {
        guard let weekday = names.firstIndex(of: text.suffix(2).uppercased()) else { return nil }
        let number = text.dropLast(2)
        if number.isEmpty { return Day(weekday: weekday) }
        guard let nth = Int(number), nth != 0, nth.magnitude <= 53 else { return nil }
        return Day(weekday: weekday, nth: nth)
    }

    private static func numbers(_ text: String, _ range: ClosedRange<Int>) -> [Int]? {
        let list = text.split(separator: ",").map { Int($0) }
        // One that was cut short would be another rule.
        guard (1...maximumList).contains(list.count),
            list.allSatisfy({ $0.map { range.contains(Int(clamping: $0.magnitude)) } ?? false })
        else { return nil }
        return list.compactMap(\.self)
    }

    package var text: String { (others + (count.map { ["COUNT=\($0)"] } ?? [])).joined(separator: ";") }

    // MARK: Occurrences

    /// The first occurrence after a date, by the clock of the start's zone, and how many there are from the start up to it.
    /// - Parameters:
    ///   - start: the first occurrence, which always counts.
    /// - Returns: nil when the rule ends before, or has none within 20,000 periods.
    package func next(after date: CalendarDate, from start: CalendarDate) -> (date: CalendarDate, number: Int)? {
        var found: (date: CalendarDate, number: Int)?
        forEach(after: date, from: start) { date, number in
            found = (date, number)
            return false
        }
        return found
    }

    /// The occurrences after a date in order, in one walk.
    /// - Parameter body: returns whether it wants the next one, too.
    func forEach(
        after date: CalendarDate, from start: CalendarDate, _ body: (_ date: CalendarDate, _ number: Int) -> Bool
    ) {
        if date.isBefore(start), !body(start, 1) { return }
        var number = 1
        // Without COUNT no repetition needs to be counted: far rules begin near the date.
        var period = count == nil ? max(0, periods(from: start, to: date) - 1) : 0
        func goesOn(_ candidates: [CalendarDate]) -> Bool {
            for candidate in candidates where start.isBefore(candidate) {
                number += 1
                if let count, number > count { return false }
                guard allows(candidate) else { return false }
                if date.isBefore(candidate), !body(candidate, number) { return false }
            }
            return true
        }
        for _ in 0..<Self.maximumPeriods {
            if positions.isEmpty {
                // A day at a time: a year of quarters of an hour is not made at once.
                for day in dates(inPeriod: period, of: start) where count != nil || day.dayNumber >= date.dayNumber {
                    guard goesOn(times(on: day, of: start)) else { return }
                }
            } else {
                guard goesOn(candidates(inPeriod: period, of: start)) else { return }
            }
            period += 1
        }
    }

    /// The first date at or after one that the rule itself names: RFC 5545 counts a start that the rule does not name.
    /// - Returns: nil when there is none.
    package func first(from start: CalendarDate) -> CalendarDate? {
        for period in 0..<Self.maximumPeriods {
            guard let date = candidates(inPeriod: period, of: start).first(where: { !$0.isBefore(start) }) else {
                continue
            }
            return allows(date) ? date : nil
        }
        return nil
    }

    /// Whether UNTIL has not passed, as the clock of the start shows it.
    func allows(_ date: CalendarDate) -> Bool {
        guard let until else { return true }
        return until.form == .date ? date.dayNumber <= until.dayNumber : date.order <= until.order
    }

    private func periods(from start: CalendarDate, to date: CalendarDate) -> Int {
        let distance =
            switch frequency {
            // Each day is looked at, whatever the interval.
            case .minutely, .hourly: (date.dayNumber - start.dayNumber) * interval
            case .daily: date.dayNumber - start.dayNumber
            case .weekly: (date.dayNumber - start.dayNumber) / 7
            case .monthly: (date.year - start.year) * 12 + date.month - start.month
            case .yearly: date.year - start.year
            }
        return distance / interval
    }

    /// In order.
    private func candidates(inPeriod period: Int, of start: CalendarDate) -> [CalendarDate] {
        let all = dates(inPeriod: period, of: start).flatMap { times(on: $0, of: start) }
        guard !positions.isEmpty else { return all }
        return all.enumerated().filter { index, _ in
            positions.contains(index + 1) || positions.contains(index - all.count)
        }.map(\.element)
    }

    /// The times of a day, in order. A day without a time has one, and none that come more often.
    private func times(on day: CalendarDate, of start: CalendarDate) -> [CalendarDate] {
        guard start.form != .date else { return isWithinDay ? [] : [day] }
        guard isWithinDay || !hours.isEmpty || !minutes.isEmpty else { return [day] }
        let passed = (day.dayNumber - start.dayNumber) * 24 - start.hour
        let eachHour = isWithinDay ? Array(0..<24) : [start.hour]
        let eachMinute = frequency == .minutely ? Array(0..<60) : [start.minute]
        var times: [CalendarDate] = []
        for hour in hours.isEmpty ? eachHour : hours {
            if frequency == .hourly, !(passed + hour).isMultiple(of: interval) { continue }
            for minute in minutes.isEmpty ? eachMinute : minutes {
                if frequency == .minutely, !((passed + hour) * 60 + minute - start.minute).isMultiple(of: interval) {
                    continue
                }
                var time = day
                (time.hour, time.minute) = (hour, minute)
                times.append(time)
            }
        }
        return times
    }

    /// In order, and before some are chosen by their position.
    private func dates(inPeriod period: Int, of start: CalendarDate) -> [CalendarDate] {
        let step = period * interval
        switch frequency {
        case .minutely, .hourly, .daily:
            let date = start.withDay(number: start.dayNumber + (isWithinDay ? period : step))
            return matches(date) ? [date] : []
        case .weekly:
            let monday = start.dayNumber - (start.weekday - weekStart + 7) % 7 + step * 7
            let weekdays = days.isEmpty ? [start.weekday] : days.map(\.weekday)
            return Set(weekdays).map { monday + ($0 - weekStart + 7) % 7 }.sorted().map { start.withDay(number: $0) }
                .filter { months.isEmpty || months.contains($0.month) }
        case .monthly:
            let month = start.year * 12 + start.month - 1 + step
            guard month / 12 <= 9999, months.isEmpty || months.contains(month % 12 + 1) else { return [] }
            return dates(inMonth: month % 12 + 1, of: month / 12, like: start)
        case .yearly: return candidates(inYear: start.year + step, like: start)
        }
    }

    /// In order.
    func candidates(inYear year: Int, like start: CalendarDate) -> [CalendarDate] {
        guard (1...9999).contains(year) else { return [] }
        if months.isEmpty, monthDays.isEmpty, !days.isEmpty {
            var first = start
            (first.year, first.month, first.day) = (year, 1, 1)
            var last = first
            (last.month, last.day) = (12, 31)
            return Self.select(days, from: first, to: last)
        }
        let months = months.isEmpty ? (monthDays.isEmpty ? [start.month] : Array(1...12)) : months.sorted()
        return months.flatMap { dates(inMonth: $0, of: year, like: start) }
    }

    private func dates(inMonth month: Int, of year: Int, like start: CalendarDate) -> [CalendarDate] {
        let length = CalendarDate.days(in: month, of: year)
        var first = start
        (first.year, first.month, first.day) = (year, month, 1)
        if !days.isEmpty {
            var last = first
            last.day = length
            let chosen = Self.select(days, from: first, to: last)
            return monthDays.isEmpty ? chosen : chosen.filter { isMonthDay($0.day, length) }
        }
        guard !monthDays.isEmpty else {
            // The 31st has no place in a short month.
            guard start.day <= length else { return [] }
            first.day = start.day
            return [first]
        }
        return (1...length).filter { isMonthDay($0, length) }.map { day in
            var date = first
            date.day = day
            return date
        }
    }

    private func isMonthDay(_ day: Int, _ length: Int) -> Bool {
        monthDays.contains(day) || monthDays.contains(day - length - 1)
    }

    private func matches(_ date: CalendarDate) -> Bool {
        (days.isEmpty || days.contains { $0.weekday == date.weekday })
            && (monthDays.isEmpty || isMonthDay(date.day, CalendarDate.days(in: date.month, of: date.year)))
            && (months.isEmpty || months.contains(date.month))
    }

    private static func select(_ days: [Day], from first: CalendarDate, to last: CalendarDate) -> [CalendarDate] {
        let (start, end) = (first.dayNumber, last.dayNumber)
        var isChosen = [Bool](repeating: false, count: end - start + 1)
        for day in days {
            let begin = (day.weekday - first.weekday + 7) % 7
            guard let nth = day.nth else {
                for index in stride(from: begin, to: isChosen.count, by: 7) { isChosen[index] = true }
                continue
            }
            let count = (isChosen.count - begin + 6) / 7
            let index = begin + (nth > 0 ? nth - 1 : count + nth) * 7
            if index >= begin, index < isChosen.count { isChosen[index] = true }
        }
        return isChosen.indices.filter { isChosen[$0] }.map { first.withDay(number: start + $0) }
    }
}
