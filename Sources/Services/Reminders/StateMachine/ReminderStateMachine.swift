package import BatonConcurrency
package import BatonCore
package import ICalendar

/// The machine's knowledge of one reminder. It is replaced at each change.
package struct ReminderSchedule: Hashable, Sendable {
    package var id: String
    package var title: String
    package var lines: [String] = []
    package var canOpen = false
    /// Milliseconds since 1970, in order.
    package var moments: [UInt64] = []
    /// Where further moments come from once these have passed, if it repeats.
    package var repetition: ReminderRepetition?
    package var events: [CalendarAlarm.Trigger] = []
    package var isOver = false
    /// Notices due until then were answered, here or elsewhere.
    package var handled: UInt64 = 0
    package var snoozedUntil: UInt64?

    package init(id: String, title: String) {
        self.id = id
        self.title = title
    }

    /// - Parameter app: the name of one that says that the person contacted them.
    fileprivate func naming(_ app: String?) -> Self {
        guard let app else { return self }
        var schedule = self
        schedule.lines.append("\(app) says that you contacted them.")
        return schedule
    }
}

package enum ReminderInput: Hashable, Sendable {
    /// New or changed.
    case scheduled([ReminderSchedule])
    case removed([String])
    /// The notice that this device had shown before the daemon started: until when, and whether it was still open.
    case restored(id: String, shown: UInt64, isOpen: Bool)
    /// Something happened that reminders may wait for.
    case happened(ContextEvent)
    /// The person closed the notice, without an answer.
    case closed(id: String)
    /// Whether notices are wanted at all.
    case allowed(Bool)
}

package enum ReminderOutput: Hashable, Sendable {
    /// A notice, new or in place of that reminder's.
    case show(ReminderSchedule, occurrence: UInt64, isMissed: Bool)
    case close(id: String)
    /// The values for ``ReminderInput/restored(id:shown:isOpen:)`` after a restart.
    case keep(id: String, shown: UInt64, isOpen: Bool)
}

/// Decides which reminder is shown when, on one device.
///
/// | State | Next |
/// | --- | --- |
/// | scheduled | due, at its time or event |
/// | due | shown, as soon as fewer than 16 are |
/// | shown | done or snoozed, by an answer here or on another device; due again when the person closes the notice |
/// | snoozed | due, 10 minutes later, and not before, though its own time comes meanwhile |
/// | done | scheduled, when it repeats or is opened again |
///
/// One that repeats and is not answered is due again at its next time, with at most one notice.
///
/// Invariants (simulated): each time is shown unless it was answered before; a time that was shown and closed is not shown again;
/// of several that passed meanwhile only the last is shown. The wall clock may jump: what was shown is never shown again
/// though the clock is set back, and what a jump forward passed is shown once.
package struct ReminderStateMachine: StateMachine {
    /// Notices at once. Policy: further ones wait for room.
    package static let maximumOpen = 16
    /// Policy: what passed longer ago, in milliseconds, is listed as due and not shown.
    package static let maximumAge: UInt64 = 7 * 86_400_000
    /// Later than this, in milliseconds, it was missed.
    package static let missedAfter: UInt64 = 120_000
    /// A clock that was set is noticed within this time.
    private static let longestWait = Duration.seconds(30)

    private struct Entry: Sendable {
        var schedule: ReminderSchedule
        /// The last time that was shown here; milliseconds since 1970.
        var shown: UInt64 = 0
        var isOpen = false
        /// An event has come: since when it is to be shown.
        var event: UInt64?
        /// When an app's word set it off last.
        var claimed: Duration?
        /// Whose word the event is, for the notice.
        var claimant: String?
    }

    /// An app's word of a contact counts for a reminder this long after the last time again.
    package static let claimInterval = Duration.seconds(3600)

    /// Bounded by who keeps the reminders.
    private var entries: [String: Entry] = [:]
    /// Kept values of reminders that were not added yet.
    private var restored: [String: (shown: UInt64, isOpen: Bool)] = [:]
    private var isAllowed = true

    package init() {}

    package mutating func handle(_ input: ReminderInput, now: Timestamp) -> [ReminderOutput] {
        var actions: [ReminderOutput] = []
        switch input {
        case .scheduled(let schedules):
            for schedule in schedules { actions += update(schedule) }
        case .removed(let ids):
            for id in ids where entries.removeValue(forKey: id)?.isOpen == true { actions.append(.close(id: id)) }
        case .restored(let id, let shown, let isOpen):
            restored[id] = (shown, isOpen)
        case .happened(let event):
            for (id, entry) in entries where waits(entry, for: event, now.wall) {
                if case .personContacted(_, _, let app) = event, !app.isEmpty {
                    guard entry.claimed.map({ now.monotonic - $0 >= Self.claimInterval }) ?? true else { continue }
                    entries[id]?.claimed = now.monotonic
                    entries[id]?.claimant = app
                }
                // Later than what was shown before, wherever the clock was set to.
                let before = max(entry.shown, entry.schedule.handled)
                entries[id]?.event = max(now.wall, before < .max ? before + 1 : before)
            }
        case .closed(let id):
            renew(now: now.wall)
            if var entry = entries[id], entry.isOpen {
                entry.isOpen = false
                // A repetition that came due while its notice was there was seen with it.
                if entry.schedule.repetition != nil, let last = entry.schedule.moments.last(where: { $0 <= now.wall }) {
                    entry.shown = max(entry.shown, last)
                }
                entries[id] = entry
                actions.append(.keep(id: id, shown: entry.shown, isOpen: false))
            }
        case .allowed(let isAllowed):
            self.isAllowed = isAllowed
            // Those who want no notices have seen the ones that were there.
            for (id, entry) in entries where !isAllowed && entry.isOpen {
                entries[id]?.isOpen = false
                actions += [.close(id: id), .keep(id: id, shown: entry.shown, isOpen: false)]
            }
        }
        return actions + advance(now: now)
    }

    /// One that repeats comes again, also where it was not answered.
    private mutating func renew(now: UInt64) {
        for (id, entry) in entries {
            guard let repetition = entry.schedule.repetition, !entry.schedule.isOver,
                entry.schedule.moments.last.map({ $0 <= now }) ?? true
            else { continue }
            let moments = repetition.moments(around: now)
            entries[id]?.schedule.moments = moments
            // The rule has ended.
            if moments.last.map({ $0 <= now }) ?? true { entries[id]?.schedule.repetition = nil }
        }
    }

    private mutating func update(_ schedule: ReminderSchedule) -> [ReminderOutput] {
        let id = schedule.id
        var entry = entries[id] ?? Entry(schedule: schedule)
        let former = entry.schedule
        entry.schedule = schedule
        var actions: [ReminderOutput] = []
        if let kept = restored.removeValue(forKey: id) {
            // The notice ended with the daemon that showed it: it is shown again, for it was not answered.
            entry.shown = kept.isOpen && kept.shown > 0 ? kept.shown - 1 : kept.shown
            if kept.isOpen, !schedule.moments.contains(kept.shown), schedule.snoozedUntil != kept.shown {
                entry.event = kept.shown
            }
        }
        if entry.isOpen {
            // A snooze after an answer is the later word.
            if schedule.isOver || schedule.handled >= entry.shown && schedule.snoozedUntil != entry.shown {
                entry.isOpen = false
                actions += [.close(id: id), .keep(id: id, shown: entry.shown, isOpen: false)]
            } else if former.title != schedule.title || former.lines != schedule.lines {
                actions.append(.show(schedule, occurrence: entry.shown, isMissed: false))
            }
        }
        if schedule.isOver || entry.event.map({ $0 <= schedule.handled }) ?? false { entry.event = nil }
        entries[id] = entry
        return actions
    }

    private func waits(_ entry: Entry, for event: ContextEvent, _ now: UInt64) -> Bool {
        guard !entry.schedule.isOver, !entry.isOpen, entry.schedule.snoozedUntil.map({ $0 <= now }) ?? true else {
            return false
        }
        return entry.schedule.events.contains { $0.matches(event) }
    }

    // MARK: Time

    package mutating func advance(now: Timestamp) -> [ReminderOutput] {
        renew(now: now.wall)
        guard isAllowed else { return [] }
        var room = Self.maximumOpen - entries.values.count(where: \.isOpen)
        guard room > 0 else { return [] }
        var due: [(id: String, occurrence: UInt64)] = []
        for (id, entry) in entries where !entry.isOpen {
            if let occurrence = Self.occurrence(entry, now: now.wall) { due.append((id, occurrence)) }
        }
        var actions: [ReminderOutput] = []
        for (id, occurrence) in due.sorted(by: { ($0.occurrence, $0.id) < ($1.occurrence, $1.id) }) where room > 0 {
            guard var entry = entries[id] else { continue }
            room -= 1
            entry.shown = occurrence
            entry.isOpen = true
            let claimant = entry.event == occurrence ? entry.claimant : nil
            (entry.event, entry.claimant) = (nil, nil)
            entries[id] = entry
            let isMissed = now.wall > occurrence && now.wall - occurrence > Self.missedAfter
            actions += [
                .keep(id: id, shown: occurrence, isOpen: true),
                .show(entry.schedule.naming(claimant), occurrence: occurrence, isMissed: isMissed),
            ]
        }
        return actions
    }

    /// The time that is to be shown now; nil for none.
    private static func occurrence(_ entry: Entry, now: UInt64) -> UInt64? {
        let snoozed = entry.schedule.snoozedUntil
        guard !entry.schedule.isOver, snoozed.map({ $0 <= now }) ?? true else { return nil }
        let done = max(entry.shown, entry.schedule.handled)
        var times = [entry.schedule.moments.last { $0 <= now }, entry.event].compactMap(\.self).filter { $0 > done }
        // It was snoozed after what was handled, which may be a time that has yet to come.
        if let snoozed, snoozed > entry.shown { times.append(snoozed) }
        guard let last = times.max(), now <= last || now - last <= maximumAge else { return nil }
        return last
    }

    package mutating func nextDeadline(now: Timestamp) -> Duration? {
        guard isAllowed else { return nil }
        var next: UInt64?
        for entry in entries.values where !entry.schedule.isOver {
            let done = max(entry.shown, entry.schedule.handled)
            var time = entry.schedule.moments.first { $0 > now.wall && $0 > done }
            if let snoozed = entry.schedule.snoozedUntil, snoozed > now.wall { time = snoozed }
            if let time { next = min(next ?? time, time) }
        }
        guard let next else { return nil }
        return now.monotonic + min(Self.longestWait, .milliseconds(Int64(clamping: next - now.wall)))
    }

    // MARK: Reading

    /// - Parameter now: milliseconds since 1970.
    package func state(of id: String, now: UInt64) -> (state: Reminder.State, time: UInt64?) {
        guard let entry = entries[id] else { return (.scheduled, nil) }
        let schedule = entry.schedule
        if schedule.isOver { return (.done, schedule.moments.last) }
        if entry.isOpen { return (.shown, entry.shown) }
        if let snoozed = schedule.snoozedUntil, snoozed > now { return (.snoozed, snoozed) }
        if let next = schedule.moments.first(where: { $0 > now && $0 > schedule.handled }) { return (.scheduled, next) }
        guard let last = schedule.moments.last, last > schedule.handled else {
            return (entry.shown > schedule.handled ? .due : .scheduled, entry.shown > 0 ? entry.shown : nil)
        }
        return (last <= now ? .due : .scheduled, last)
    }

    /// The time of its notice that is open here; nil for none.
    package func open(_ id: String) -> UInt64? { entries[id].flatMap { $0.isOpen ? $0.shown : nil } }

    /// The last time that was shown here, 0 for none.
    package func shown(_ id: String) -> UInt64 { entries[id]?.shown ?? 0 }
}
