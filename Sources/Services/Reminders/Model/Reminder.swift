package import ICalendar

/// A reminder, as it is listed.
package struct Reminder: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// It waits.
        case scheduled
        /// Its time has come, and there is no notice of it any more, or not yet.
        case due
        /// There is a notice of it.
        case shown
        case snoozed
        case done
    }

    /// The UID of its VTODO.
    package var id: String
    package var subject: String
    package var state: State
    /// When it is shown next, or was last; milliseconds since 1970. Nil where it has no time.
    package var time: UInt64?
    package var triggers: [CalendarAlarm.Trigger]
    /// A rule of RFC 5545.
    package var recurrence: String?
    package var link: ReminderLink?
    /// The name of its file.
    package var file: String?
}
