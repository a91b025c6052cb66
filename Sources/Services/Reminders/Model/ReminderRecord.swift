package import BatonCore
package import BatonWire
package import Foundation
package import ICalendar
import SwiftProtobuf

/// Which of two writings is the later one: the time, then the device, so that all devices agree.
package struct ReminderStamp: Hashable, Comparable, Sendable {
    package var time: HybridTimestamp
    package var device: String

    package init(_ time: HybridTimestamp = .zero, _ device: String = "") {
        self.time = time
        self.device = device
    }

    package static func < (left: Self, right: Self) -> Bool { (left.time, left.device) < (right.time, right.device) }
}

/// The activity that a reminder was made from.
package struct ReminderLink: Hashable, Sendable {
    /// Bytes of the encoded payload. Policy: a larger one is linked without its `userInfo`.
    package static let maximumPayload = 256 << 10

    package var app: AppIdentity
    package var appName: String
    package var payload: Baton_Value_V1_ActivityPayload

    package init(app: AppIdentity, appName: String, payload: Baton_Value_V1_ActivityPayload) {
        self.app = app
        self.appName = String(appName.prefix(100))
        var payload = payload
        // The object that could have answered is gone by then.
        payload.description_p.supportsContinuationStreams = false
        // It stays on the device, as in Handoff.
        payload.clearContentAttributes()
        let size = (try? payload.serializedBytes() as [UInt8])?.count ?? .max
        if size > Self.maximumPayload {
            payload = .with { [description = payload.description_p] in
                $0.description_p = description
                $0.userInfo = .with { $0.dictionary = .init() }
            }
        }
        self.payload = payload
    }

    package var title: String { payload.description_p.title }
    /// For its notice. Where the page leads is known before it is opened.
    package var lines: [String] {
        [title.isEmpty ? "From \(appName)." : "\(appName): \(title)"]
            + (page.map { ["Its page is at \($0.shownHost)."] } ?? [])
    }
    /// Nil for none that could be opened.
    package var page: WebPage? {
        payload.description_p.hasWebpageURL ? try? WebPage(payload.description_p.webpageURL) : nil
    }

    /// - Throws: `failed_precondition` (`nothing_to_open`) where neither the app, as it describes itself now, nor a page opens it.
    func checkOpens(in apps: any ReminderApps) throws(BatonError) {
        guard page == nil, !apps.continues(payload.description_p.activityType, app) else { return }
        throw BatonError(
            .failedPrecondition, reason: "nothing_to_open",
            "\(appName) does not say that it opens again what it shows, and that has no page. A reminder could not lead back. "
                + "Make one without it.")
    }
}

/// A reminder as the account has it: three registers that merge each by itself, in any order, to the same on all devices.
///
/// `text` is a file of one VTODO as the last one wrote it who changed it; `answer` is what the person last said to it. The file in
/// the folder is both together, ``rendered(local:dayHour:)``.
package struct ReminderRecord: Hashable, Sendable {
    package struct Answer: Hashable, Sendable {
        package var stamp = ReminderStamp()
        package var isDone = false
        /// Milliseconds since 1970.
        package var snoozedUntil: UInt64?

        package init() {}
    }

    /// The UID.
    package let id: String
    /// Empty: deleted.
    package var text: [UInt8]
    package var textStamp: ReminderStamp
    package var answer = Answer()
    /// Milliseconds since 1970: what was to be shown until then was answered.
    package var handled: UInt64 = 0
    package var link: ReminderLink?

    package init(id: String, text: [UInt8], stamp: ReminderStamp) {
        self.id = id
        self.text = text
        textStamp = stamp
    }

    package var isDeleted: Bool { text.isEmpty }

    // MARK: Merging

    /// - Returns: whether anything changed.
    @discardableResult
    package mutating func merge(_ other: ReminderRecord) -> Bool {
        let before = self
        if (other.textStamp, other.text.count) > (textStamp, text.count) {
            text = other.text
            textStamp = other.textStamp
        }
        if other.answer.stamp > answer.stamp { answer = other.answer }
        handled = max(handled, other.handled)
        link = Self.chosen(link, other.link)
        if isDeleted { link = nil }
        return self != before
    }

    /// There is one at most; of two forged ones all devices choose the same.
    private static func chosen(_ left: ReminderLink?, _ right: ReminderLink?) -> ReminderLink? {
        guard let left, let right, left != right else { return left ?? right }
        func bytes(_ link: ReminderLink) -> [UInt8] {
            Array(link.app.description.utf8) + Array(link.appName.utf8)
                + ((try? link.payload.serializedBytes() as [UInt8]) ?? [])
        }
        return bytes(left).lexicographicallyPrecedes(bytes(right)) ? right : left
    }

    // MARK: Changes here

    /// Another program wrote the file.
    /// - Parameters:
    ///   - former: the to-do that the file had before.
    package mutating func replace(_ text: [UInt8], by todo: CalendarTodo, former: CalendarTodo?, stamp: ReminderStamp) {
        self.text = text
        textStamp = stamp
        let isDone = todo.status.isOver
        if isDone != answer.isDone || answer.snoozedUntil != nil && todo.due != former?.due {
            answer.stamp = stamp
            answer.isDone = isDone
            answer.snoozedUntil = nil
        }
    }

    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - occurrence: of one that repeats, the one that is done, which may be before its time.
    package mutating func finish(shown: UInt64, now: UInt64, occurrence: UInt64? = nil, stamp: ReminderStamp) {
        answer.stamp = stamp
        answer.isDone = true
        answer.snoozedUntil = nil
        handled = max(handled, shown, now, occurrence ?? 0)
    }

    /// When one that repeats is due, which is what the person is done with; milliseconds since 1970.
    /// - Parameter open: of which time a notice is open. One of a former time answers that time only.
    package func occurrence(open: UInt64?, local: TimeZone, dayHour: Int) -> UInt64? {
        guard let todo = todo(local: local, dayHour: dayHour), todo.repeats,
            let due = (todo.due ?? todo.start)?.moment(in: todo.zones, local: local, dayHour: dayHour)
        else { return nil }
        func milliseconds(_ date: Date) -> UInt64 { UInt64(max(0, date.timeIntervalSince1970 * 1000)) }
        if let open, open != answer.snoozedUntil,
            !todo.moments(local: local, dayHour: dayHour).contains(where: { milliseconds($0) == open })
        {
            return nil
        }
        return milliseconds(due)
    }

    package mutating func snooze(shown: UInt64, now: UInt64, for time: UInt64, stamp: ReminderStamp) {
        answer.stamp = stamp
        answer.isDone = false
        answer.snoozedUntil = now + time
        handled = max(handled, shown, now)
    }

    // MARK: The file

    /// The file's contents in the folder: the text, in which the answer was noted. The same on every device but for dates
    /// without a zone.
    package func rendered(local: TimeZone, dayHour: Int) -> [UInt8] {
        guard answer.isDone, var file = try? CalendarFile(text) else { return text }
        let zones = file.zones
        let overrides = file.overrides
        guard let todo = file.todo, !todo.status.isOver else { return text }
        let answered = Date(timeIntervalSince1970: Double(answer.stamp.time.milliseconds) / 1000)
        let handled = Date(timeIntervalSince1970: Double(handled) / 1000)
        if todo.repeats, let due = todo.due?.moment(in: zones, local: local, dayHour: dayHour), due > handled {
            // It has moved on already.
            return text
        }
        file.changeTodo { component in
            let isAhead = component.advance(
                after: handled, zones: zones, overrides: overrides, local: local, dayHour: dayHour)
            if isAhead {
                component.touch(at: answered)
            } else {
                component.complete(at: answered)
            }
        }
        return file.bytes
    }

    /// Nil for a deleted one, and for an invalid text.
    package func todo(local: TimeZone, dayHour: Int) -> CalendarTodo? {
        isDeleted ? nil : (try? CalendarFile(rendered(local: local, dayHour: dayHour)))?.todo
    }
}
