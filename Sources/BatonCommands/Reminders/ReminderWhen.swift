import BatonWire
import Foundation
import SwiftProtobuf

/// The plain forms of `--when`. Other words are read by the daemon.
enum ReminderWhen {
    /// Nil for what has none of the forms.
    static func trigger(_ text: String, now: Date, zone: TimeZone) -> Baton_Control_V1_ReminderTrigger? {
        if let colon = text.firstIndex(of: ":") {
            let name = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            switch text[..<colon].lowercased() {
            case "arriving": return .with { $0.arriving = name }
            case "leaving": return .with { $0.leaving = name }
            case "connected": return .with { $0.connected = name }
            case "disconnected": return .with { $0.disconnected = name }
            case "opened": return .with { $0.appOpened = name }
            case "person": return .with { $0.personContacted = name }
            case "messaged": return .with { $0.personMessaged = name }
            case "called": return .with { $0.personCalled = name }
            default: break
            }
        }
        guard let date = date(text, now: now, zone: zone), date.timeIntervalSince1970 >= 0 else { return nil }
        return .with { $0.time = .with { $0.time = UInt64(date.timeIntervalSince1970 * 1000) } }
    }

    /// As RFC 5545 writes it; what it does not know is left to the daemon.
    static func rule(_ text: String) -> String {
        let word = text.uppercased()
        return ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].contains(word) ? "FREQ=\(word)" : text
    }

    /// A time without a day that has passed today is tomorrow's; a day without a time means 9:00.
    static func date(_ text: String, now: Date, zone: TimeZone) -> Date? {
        guard text.utf8.count <= 100 else { return nil }
        if let date = moment(text) { return date }
        var words = text.lowercased().split(separator: " ").map(String.init)
        if let first = words.first, first.contains("-"), let t = first.firstIndex(of: "t") {
            // 2026-12-24T18:00
            words.replaceSubrange(0..<1, with: [String(first[..<t]), String(first[first.index(after: t)...])])
        }
        if words.first == "in" { return relative(Array(words.dropFirst()), now: now) }
        if words.last != nil { words.removeAll { $0 == "at" } }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var day: DateComponents?
        var isNamed = true
        if let first = words.first {
            switch first {
            case "today": day = calendar.dateComponents([.year, .month, .day], from: now)
            case "tomorrow":
                guard let next = calendar.date(byAdding: .day, value: 1, to: now) else { return nil }
                day = calendar.dateComponents([.year, .month, .day], from: next)
            default: day = dayOfYear(first)
            }
        }
        if day != nil {
            words.removeFirst()
        } else {
            day = calendar.dateComponents([.year, .month, .day], from: now)
            isNamed = false
        }
        guard var parts = day, words.count <= 1 else { return nil }
        let time: (Int, Int, Int)? = if let word = words.first { clock(word) } else { isNamed ? (9, 0, 0) : nil }
        guard let time else { return nil }
        (parts.hour, parts.minute, parts.second) = time
        guard let date = calendar.date(from: parts) else { return nil }
        return isNamed || date > now ? date : calendar.date(byAdding: .day, value: 1, to: date)
    }

    /// With an offset: 2026-12-24T18:00:00Z.
    private static func moment(_ text: String) -> Date? {
        guard CalendarText.isPossible(text) else { return nil }
        return try? Date(text, strategy: .iso8601)
    }

    /// As in 20 minutes, an hour, 2 days.
    private static func relative(_ words: [String], now: Date) -> Date? {
        guard words.count == 2 else { return nil }
        let count = ["a": 1, "an": 1, "one": 1][words[0]] ?? Int(words[0])
        guard let count, (1...100_000).contains(count) else { return nil }
        let unit = words[1].hasSuffix("s") ? String(words[1].dropLast()) : words[1]
        guard let seconds = ["second": 1, "minute": 60, "min": 60, "hour": 3600, "day": 86_400, "week": 604_800][unit]
        else {
            return nil
        }
        return now.addingTimeInterval(Double(count * seconds))
    }

    private static func dayOfYear(_ text: String) -> DateComponents? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2]), CalendarText.isPossible(text + "T00:00:00")
        else { return nil }
        return DateComponents(year: year, month: month, day: day)
    }

    private static func clock(_ text: String) -> (Int, Int, Int)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let hour = Int(parts[0]), let minute = Int(parts[1]),
            parts[1].count == 2, let second = parts.count == 3 ? Int(parts[2]) : 0, parts.last?.count == 2,
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        return (hour, minute, second)
    }
}
