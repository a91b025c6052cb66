package import Foundation
package import ICalendar

/// Computes the times of a reminder that repeats, for as long as it is not answered.
package struct ReminderRepetition: Hashable, Sendable {
    private let todo: CalendarTodo
    private let zone: TimeZone
    private let dayHour: Int

    /// Nil for a to-do that does not repeat.
    /// - Parameter zone: where the person is.
    package init?(_ todo: CalendarTodo, zone: TimeZone, dayHour: Int) {
        guard todo.repeats else { return nil }
        self.todo = todo
        self.zone = zone
        self.dayHour = dayHour
    }

    /// Milliseconds since 1970, in order: what passed of late, and the next one.
    package func moments(around now: UInt64) -> [UInt64] {
        todo.moments(around: Date(timeIntervalSince1970: Double(now) / 1000), local: zone, dayHour: dayHour)
            .map { UInt64(max(0, $0.timeIntervalSince1970 * 1000)) }
    }
}
