package import Foundation

/// The moment at which a query starts, in the person's calendar: what `$time` counts from.
package struct QueryTime: Sendable {
    package var now: Date
    package var calendar: Calendar

    package init(now: Date, calendar: Calendar) {
        self.now = now
        self.calendar = calendar
    }

    /// How far `$time` may lead, in units.
    private static let maximumOffset = 1_000_000_000

    /// Seconds since 2001; nil for a name that there is not, or a date that the calendar does not reach.
    func seconds(_ name: String, _ offset: Int?) -> Double? {
        let number = offset ?? 0
        guard number.magnitude <= Self.maximumOffset else { return nil }
        let date: Date?
        switch name {
        case "now": date = now.addingTimeInterval(Double(number))
        case "today": date = begin(.day, .day, number)
        case "yesterday": date = begin(.day, .day, number - 1)
        case "this_week": date = begin(.weekOfYear, .weekOfYear, number)
        case "last_week": date = begin(.weekOfYear, .weekOfYear, number - 1)
        case "this_month": date = begin(.month, .month, number)
        case "this_year": date = begin(.year, .year, number)
        default: date = nil
        }
        return date?.timeIntervalSinceReferenceDate
    }

    private func begin(_ unit: Calendar.Component, _ step: Calendar.Component, _ number: Int) -> Date? {
        // A calendar counts days one by one far away from now.
        guard abs(number) <= 100_000, let start = calendar.dateInterval(of: unit, for: now)?.start else { return nil }
        return calendar.date(byAdding: step, value: number, to: start)
    }

    /// - Parameter formatters: for the dates of one query, made with the first.
    func seconds(iso text: String, _ formatters: inout [ISO8601DateFormatter]) -> Double? {
        if formatters.isEmpty {
            let formats: [ISO8601DateFormatter.Options] = [
                .withInternetDateTime, [.withInternetDateTime, .withFractionalSeconds], [.withFullDate],
                [.withFullDate, .withTime, .withColonSeparatorInTime],
            ]
            formatters = formats.map { format in
                let formatter = ISO8601DateFormatter()
                formatter.timeZone = calendar.timeZone
                formatter.formatOptions = format
                return formatter
            }
        }
        return formatters.lazy.compactMap { $0.date(from: text) }.first?.timeIntervalSinceReferenceDate
    }
}
