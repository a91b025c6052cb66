package import Foundation

/// Times as people read them.
package enum Moment {
    /// `14:02:03.123`, with the date in front when it is not the day of `now`.
    package static func clockTime(microseconds: UInt64, now: Date, timeZone: TimeZone) -> String {
        let date = Date(timeIntervalSince1970: Double(microseconds / 1000) / 1000)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let time = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let clock =
            digits(time.hour, 2) + ":" + digits(time.minute, 2) + ":" + digits(time.second, 2) + "."
            + digits(Int(microseconds / 1000 % 1000), 3)
        guard !calendar.isDate(date, inSameDayAs: now) else { return clock }
        return digits(time.year, 4) + "-" + digits(time.month, 2) + "-" + digits(time.day, 2) + " " + clock
    }

    /// `3 min ago`; `never` for 0.
    package static func age(milliseconds: UInt64, now: Date) -> String {
        guard milliseconds > 0 else { return "never" }
        let seconds = Int(max(0, now.timeIntervalSince1970 - Double(milliseconds) / 1000))
        switch seconds {
        case ..<5: return "just now"
        case ..<60: return "\(seconds) s ago"
        case ..<3600: return "\(seconds / 60) min ago"
        case ..<86_400: return "\(seconds / 3600) h ago"
        default: return "\(seconds / 86_400) d ago"
        }
    }

    /// `12.3 ms`
    package static func milliseconds(microseconds: UInt64) -> String {
        "\(microseconds / 1000).\(microseconds % 1000 / 100) ms"
    }

    private static func digits(_ number: Int?, _ count: Int) -> String {
        let text = String(number ?? 0)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
