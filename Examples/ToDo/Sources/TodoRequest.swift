import Foundation

/// A task in a URL: `todolist://new?Buy%20milk#202612241800`.
///
/// The query is the task's name. The fragment is when it is due, as `yyyymmddhhmm` in 24 hours: missing or `today` means
/// now. Digits of another calendar than the Gregorian one follow its name: `#buddhist:256912241800`.
struct TodoRequest: Equatable {
    static let scheme = "todolist"

    var name: String
    var due: Date

    init(name: String, due: Date) {
        self.name = name
        self.due = due
    }

    /// - Returns: nil for everything that is not such a URL: whatever comes from outside is checked (U-17).
    init?(_ url: URL, now: Date, timeZone: TimeZone) {
        guard url.scheme?.lowercased() == Self.scheme else { return nil }
        let components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        guard let query = components?.percentEncodedQuery, let name = query.removingPercentEncoding,
            !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        guard let due = Self.due(components?.percentEncodedFragment, now: now, timeZone: timeZone) else { return nil }
        self.name = name
        self.due = due
    }

    private static func due(_ fragment: String?, now: Date, timeZone: TimeZone) -> Date? {
        guard let fragment, fragment != "today" else { return now }
        let parts = fragment.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let digits = parts.last, parts.count <= 2 else { return nil }
        guard var calendar = calendar(parts.count == 2 ? parts[0] : "gregorian") else { return nil }
        calendar.timeZone = timeZone
        guard digits.utf8.count == 12, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        // By fixed positions: 0-3, 4-5, 6-7, 8-9, 10-11.
        func number(_ range: Range<Int>) -> Int? {
            Int(digits.dropFirst(range.lowerBound).prefix(range.count))
        }
        var components = DateComponents()
        components.year = number(0..<4)
        components.month = number(4..<6)
        components.day = number(6..<8)
        components.hour = number(8..<10)
        components.minute = number(10..<12)
        guard let date = calendar.date(from: components) else { return nil }
        // A calendar takes the 31st of February for a day of March.
        let read = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        guard read.year == components.year, read.month == components.month, read.day == components.day,
            read.hour == components.hour, read.minute == components.minute
        else { return nil }
        return date
    }

    private static func calendar(_ name: String) -> Calendar? {
        switch name {
        case "gregorian": Calendar(identifier: .gregorian)
        case "buddhist": Calendar(identifier: .buddhist)
        case "hebrew": Calendar(identifier: .hebrew)
        case "islamic": Calendar(identifier: .islamic)
        case "japanese": Calendar(identifier: .japanese)
        case "persian": Calendar(identifier: .persian)
        default: nil
        }
    }
}
