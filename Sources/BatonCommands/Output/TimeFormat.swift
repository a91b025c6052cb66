package import Foundation

/// Times as people read them.
package enum TimeFormat {
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
        let passed = seconds(since: milliseconds, now)
        return passed < 5 ? "just now" : "\(span(passed)) ago"
    }

    /// `3 min`, since then.
    package static func elapsed(milliseconds: UInt64, now: Date) -> String { span(seconds(since: milliseconds, now)) }

    /// `3 min`, until then.
    package static func remaining(milliseconds: UInt64, now: Date) -> String {
        span(Int(max(0, Double(milliseconds) / 1000 - now.timeIntervalSince1970)))
    }

    private static func seconds(since milliseconds: UInt64, _ now: Date) -> Int {
        Int(max(0, now.timeIntervalSince1970 - Double(milliseconds) / 1000))
    }

    private static func span(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
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
