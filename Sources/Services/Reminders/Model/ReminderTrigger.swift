package import BatonCore
package import Foundation
package import ICalendar

/// The event that a reminder waits for, as it was requested.
package enum ReminderTrigger: Hashable, Sendable {
    case time(Date, RecurrenceRule? = nil)
    /// The name of a place, such as “home”.
    case arriving(String)
    case leaving(String)
    /// The name of a device; “car” and “headphones” stand for any.
    case connected(String)
    case disconnected(String)
    case appOpened(AppIdentity)
    /// One of the handles of a person's card: a message to them or a call.
    case personContacted(String)
    case personMessaged(String)
    case personCalled(String)

    /// The event around the person that must happen; nil for a time.
    package var awaited: ContextEvent? {
        switch self {
        case .time: nil
        case .arriving(let place): .arrived(place: place)
        case .leaving(let place): .left(place: place)
        case .connected(let device): .device(connected: true, name: device)
        case .disconnected(let device): .device(connected: false, name: device)
        case .appOpened(let app): .appOpened(app)
        case .personContacted(let handle): .personContacted(handle: handle)
        case .personMessaged(let handle): .personContacted(handle: handle, by: .message)
        case .personCalled(let handle): .personContacted(handle: handle, by: .call)
        }
    }
}

/// A requested reminder.
package struct ReminderDraft: Sendable {
    package var subject: String
    /// Nil: it is only listed.
    package var trigger: ReminderTrigger?
    /// The activity that it leads back to.
    package var activity: ReminderLink?

    package init(subject: String, trigger: ReminderTrigger? = nil, activity: ReminderLink? = nil) {
        self.subject = subject
        self.trigger = trigger
        self.activity = activity
    }
}

extension CalendarAlarm.Trigger {
    /// Whether what happened is what it waits for. A name counts without regard to case.
    package func matches(_ event: ContextEvent) -> Bool {
        switch (self, event) {
        case (.arriving(let place, _), .arrived(let name)), (.leaving(let place, _), .left(let name)):
            Self.isSame(place, name)
        case (.connected(let device), .headphones(true, let name)):
            Self.isSame(device, name) || Self.isSame(device, "headphones")
        case (.connected(let device), .car(true, let name)): Self.isSame(device, name) || Self.isSame(device, "car")
        case (.connected(let device), .device(true, let name)): Self.isSame(device, name)
        case (.disconnected(let device), .headphones(false, let name)):
            Self.isSame(device, name) || Self.isSame(device, "headphones")
        case (.disconnected(let device), .car(false, let name)): Self.isSame(device, name) || Self.isSame(device, "car")
        case (.disconnected(let device), .device(false, let name)): Self.isSame(device, name)
        case (.appOpened(let app), .appOpened(let opened)): app == opened.bundleID.rawValue
        case (.personContacted(let handle), .personContacted(let other, _, _)): Self.isSamePerson(handle, other)
        case (.personMessaged(let handle), .personContacted(let other, let contact, _)):
            contact != .call && Self.isSamePerson(handle, other)
        case (.personCalled(let handle), .personContacted(let other, let contact, _)):
            contact != .message && Self.isSamePerson(handle, other)
        default: false
        }
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        !left.isEmpty && left.compare(right, options: [.caseInsensitive, .diacriticInsensitive]) == .orderedSame
    }

    /// Two telephone numbers are one when their digits are, or one ends in the other's seven or more.
    private static func isSamePerson(_ left: String, _ right: String) -> Bool {
        if isSame(left, right) { return true }
        guard !left.contains("@"), !right.contains("@") else { return false }
        let (first, second) = (left.filter(\.isWholeNumber), right.filter(\.isWholeNumber))
        let (short, long) = first.count <= second.count ? (first, second) : (second, first)
        return short.count >= 7 && long.hasSuffix(short) || short == long && !short.isEmpty
    }

    /// The number or address of the person that it waits for; nil for anything else.
    package var handle: String? {
        switch self {
        case .personContacted(let handle), .personMessaged(let handle), .personCalled(let handle): handle
        default: nil
        }
    }

    /// For a person.
    /// - Parameter name: who has a number or an address; nil where that is not clear.
    package func text(naming name: (String) -> String?) -> String {
        let person = handle.map { name($0) ?? $0 } ?? ""
        return switch self {
        case .absolute(let date): "at \(date.text)"
        case .relative(let seconds, _):
            seconds <= 0 ? "\(-seconds / 60) minutes before" : "\(seconds / 60) minutes after"
        case .arriving(let place, _): "when you arrive at \(place)"
        case .leaving(let place, _): "when you leave \(place)"
        case .connected(let device): "when \(device) is connected"
        case .disconnected(let device): "when \(device) is disconnected"
        case .appOpened(let app): "when \(app) is opened"
        case .personContacted: "when you contact \(person)"
        case .personMessaged: "when you message \(person)"
        case .personCalled: "when you call \(person)"
        }
    }
}
