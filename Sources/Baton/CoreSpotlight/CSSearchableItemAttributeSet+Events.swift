public import Foundation

/// The metadata of events and tasks.
extension CSSearchableItemAttributeSet {
    /// When it is due.
    public var dueDate: Date? {
        get { store.date("dueDate") }
        set { store.set("dueDate", newValue) }
    }

    /// When it was completed.
    public var completionDate: Date? {
        get { store.date("completionDate") }
        set { store.set("completionDate", newValue) }
    }

    /// When it begins.
    public var startDate: Date? {
        get { store.date("startDate") }
        set { store.set("startDate", newValue) }
    }

    /// When it ends.
    public var endDate: Date? {
        get { store.date("endDate") }
        set { store.set("endDate", newValue) }
    }

    /// Dates that matter to it.
    public var importantDates: [Date]? {
        get { store.dates("importantDates") }
        set { store.set("importantDates", newValue) }
    }

    /// Whether it takes the whole day.
    public var allDay: NSNumber? {
        get { store.number("allDay") }
        set { store.set("allDay", newValue) }
    }
}
