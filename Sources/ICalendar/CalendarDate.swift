package import Foundation

/// A date, or a date with a time of day: local wherever one is, in UTC, or in a named zone.
package struct CalendarDate: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        case date
        /// “Floating”: the same time of day in each zone.
        case local
        case utc
        case zone(String)
    }

    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0
    package var form: Form

    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, form: Form) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
        self.form = form
    }

    /// A moment, as the clocks of a zone show it.
    package init(_ date: Date, in zone: TimeZone, form: Form) {
        let parts = Calendar.gregorian(zone).dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        self.init(
            year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1, hour: parts.hour ?? 0,
            minute: parts.minute ?? 0, second: parts.second ?? 0, form: form)
        if form == .date { (hour, minute, second) = (0, 0, 0) }
    }

    /// As `20261126`, `20261126T090000` or `20261126T090000Z`.
    /// - Parameter zone: of the parameter TZID.
    package init?(_ text: String, zone: String?) {
        let bytes = Array(text.utf8)
        func number(_ start: Int, _ count: Int) -> Int? {
            var value = 0
            for byte in bytes[start..<(start + count)] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        guard bytes.count == 8 || bytes.count == 15 || bytes.count == 16, let year = number(0, 4),
            let month = number(4, 2), let day = number(6, 2), (1...12).contains(month), (1601...9999).contains(year),
            day >= 1, day <= Self.days(in: month, of: year)
        else { return nil }
        guard bytes.count > 8 else {
            self.init(year: year, month: month, day: day, form: .date)
            return
        }
        guard bytes[8] == UInt8(ascii: "T"), let hour = number(9, 2), let minute = number(11, 2),
            let second = number(13, 2), hour < 24, minute < 60, second <= 60,
            bytes.count == 15 || bytes[15] == UInt8(ascii: "Z")
        else { return nil }
        self.init(
            // A leap second is the one before.
            year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59),
            form: bytes.count == 16 ? .utc : zone.map(Form.zone) ?? .local)
    }

    package init?(_ line: ContentLine) {
        self.init(line.value.trimmingCharacters(in: .whitespaces), zone: line.parameter("TZID"))
    }

    /// - Parameter name: of the property.
    package func line(_ name: String) -> ContentLine {
        let parameters: [(String, String)] =
            switch form {
            case .date: [("VALUE", "DATE")]
            case .zone(let zone): [("TZID", zone)]
            case .local, .utc: []
            }
        return ContentLine(name, parameters, value: text)
    }

    package var text: String {
        let date = Self.digits(year, 4) + Self.digits(month, 2) + Self.digits(day, 2)
        guard form != .date else { return date }
        let time = Self.digits(hour, 2) + Self.digits(minute, 2) + Self.digits(second, 2)
        return date + "T" + time + (form == .utc ? "Z" : "")
    }

    /// - Parameters:
    ///   - zones: that the file brings.
    ///   - local: where the person is.
    ///   - dayHour: the hour that a date without a time means.
    /// - Returns: the moment. A time that clocks leap over is that much later; of one that comes twice, the first.
    package func moment(in zones: CalendarZones, local: TimeZone, dayHour: Int = 0) -> Date? {
        switch form {
        case .date:
            var noon = self
            noon.hour = dayHour
            return noon.moment(in: local)
        case .local: return moment(in: local)
        case .utc: return moment(in: .gmt)
        case .zone(let name):
            if let known = CalendarZones.known(name) { return moment(in: known) }
            // Without a zone that anybody knows it is taken as local.
            return zones.moment(of: self, in: name) ?? moment(in: local)
        }
    }

    func moment(in zone: TimeZone) -> Date? {
        Calendar.gregorian(zone).date(
            from: DateComponents(year: year, month: month, day: day, hour: hour, minute: minute, second: second))
    }

    package static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        default: 31
        }
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(max(0, number))
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension CalendarDate {
    /// Days since 1 March of the year 0, for comparing and counting.
    var dayNumber: Int {
        let (y, m) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1
    }

    /// The date that many days after 1 March of the year 0; time and form are this one's.
    func withDay(number: Int) -> CalendarDate {
        let era = number / 146_097
        let ofEra = number % 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let dayOfYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let m = (5 * dayOfYear + 2) / 153
        var result = self
        result.day = dayOfYear - (153 * m + 2) / 5 + 1
        result.month = m < 10 ? m + 3 : m - 9
        result.year = yearOfEra + 400 * era + (result.month <= 2 ? 1 : 0)
        return result
    }

    /// That much later by the clock; a date by its days.
    func moved(seconds: Int) -> CalendarDate {
        let order = max(0, order + seconds)
        var result = withDay(number: order / 86_400)
        guard form != .date else { return result }
        (result.hour, result.minute, result.second) = (order / 3600 % 24, order / 60 % 60, order % 60)
        return result
    }

    /// 0 for Monday.
    var weekday: Int { (dayNumber + 2) % 7 }

    /// By what the clock shows, whatever the zone.
    func isBefore(_ other: CalendarDate) -> Bool { order < other.order }

    var order: Int { dayNumber * 86_400 + hour * 3600 + minute * 60 + second }
}

extension Calendar {
    static func gregorian(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
