import BatonConcurrency
package import BatonCore
package import BatonStore
import BatonWire
import Foundation
import ICalendar
import ServiceLifecycle
package import Sync
import Synchronization

/// Reminds the person, at a time or when something happens (P-15).
///
/// Each reminder is a file of one VTODO in a folder, which other programs read and change. All of them are in the daemon's
/// database too, with what each was made from and what was shown here, and sync with the account's other devices. Safe to use
/// from any task.
package final class Reminders: Service {
    /// How long “Snooze” is, in milliseconds.
    package static let snooze: UInt64 = 600_000
    /// From another program's change to the look at it: one look for many files.
    private static let patience = DispatchTimeInterval.milliseconds(300)
    /// Where the system has no watches left.
    private static let blindInterval = Duration.seconds(2)

    /// Migrations of this module's tables in the daemon's database.
    package static var migrations: [DaemonDatabase.Migration] { ReminderStorage.migrations }

    private struct Audience {
        var trigger: (any SyncTrigger)?
        var watcher: FolderWatcher?
        var zoneWatcher: FolderWatcher?
        var isScanning = false
        var zone = ""
    }

    let keeper: ReminderKeeper
    let queue = BlockingQueue("development.baton.reminders")
    private let driver: StateMachineDriver<ReminderStateMachine>
    private let audience = Mutex(Audience())
    let place: ReminderPlace
    let apps: any ReminderApps
    private let activities: any ReminderActivities
    private let notices: any ReminderNotices
    private let recorder: any EventRecorder
    private let folders: AsyncStream<String>
    /// A member's account; nil while this device has no account.
    private let account: @Sendable () -> String?

    /// - Parameters:
    ///   - database: opened with ``migrations``.
    ///   - folders: where the files are, each time that it changes; absolute paths.
    package init(
        database: DaemonDatabase, folders: AsyncStream<String>, apps: any ReminderApps,
        activities: any ReminderActivities, notices: any ReminderNotices, place: ReminderPlace = ReminderPlace(),
        device: @escaping @Sendable () -> String, account: @escaping @Sendable () -> String?,
        recorder: any EventRecorder
    ) {
        keeper = ReminderKeeper(database: database, place: place, device: device)
        driver = StateMachineDriver(ReminderStateMachine(), clock: MomentClock(wall: place.clock))
        self.place = place
        self.apps = apps
        self.activities = activities
        self.notices = notices
        self.recorder = recorder
        self.folders = folders
        self.account = account
        driver.connect { [weak self] action in self?.perform(action) }
    }

    /// Reads what is kept. Before anything else is called.
    package func start() async throws {
        try await queue.run { [self] in
            try keeper.load()
            for kept in keeper.all where kept.shown > 0 {
                driver.input(.restored(id: kept.record.id, shown: kept.shown, isOpen: kept.isOpen))
            }
        }
    }

    /// Follows the folder and the clock, until it is cancelled or shut down gracefully.
    package func run() async throws {
        watchZone()
        await queue.run { [self] in tell(Set(keeper.all.map(\.record.id))) }
        driver.start { [self] in
            for await folder in folders {
                await use(folder)
                // Without watches it is looked for now and then.
                while !Task.isCancelled, audience.withLock({ $0.watcher == nil }) {
                    try? await Task.sleep(for: Self.blindInterval)
                    await rescan()
                    if await isWatching() { break }
                }
            }
        }
        try await driver.run()
        audience.withLock {
            $0.watcher = nil
            $0.zoneWatcher = nil
        }
    }

    // MARK: The folder

    private func use(_ folder: String) async {
        await queue.run { [self] in
            keeper.use(folder: folder)
            // Watched before it is read, so that nothing is missed in between.
            try? ReminderFolder(path: folder).prepare()
            watch(folder)
            scan()
        }
    }

    private func isWatching() async -> Bool {
        await queue.run { [self] in
            watch(keeper.folder)
            return audience.withLock { $0.watcher != nil }
        }
    }

    private func watch(_ folder: String) {
        let watcher = FolderWatcher(folder, queue: queue.queue) { [weak self] in self?.scanSoon() }
        audience.withLock { $0.watcher = watcher }
    }

    private func scanSoon() {
        let mustScan = audience.withLock { audience in
            defer { audience.isScanning = true }
            return !audience.isScanning
        }
        guard mustScan else { return }
        queue.queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
            guard let self else { return }
            audience.withLock { $0.isScanning = false }
            // Another one may stand where it stood.
            try? ReminderFolder(path: keeper.folder).prepare()
            watch(keeper.folder)
            scan()
        }
    }

    private func rescan() async { await queue.run { [self] in scan() } }

    /// On the queue.
    private func scan() {
        let before = keeper.problems
        do {
            changed(try keeper.scan())
            try keeper.prune()
        } catch {
            recorder.record("reminders", "not_read", "The folder of reminders could not be read: \(error)", [:])
        }
        for problem in keeper.problems.prefix(100) where !before.contains(problem) {
            recorder.record("reminders", "problem", problem, [:])
        }
    }

    // MARK: The clock

    /// People travel: dates without a zone are computed anew.
    private func watchZone() {
        let watcher = FolderWatcher("/etc", queue: queue.queue) { [weak self] in self?.checkZone() }
        audience.withLock {
            $0.zoneWatcher = watcher
            $0.zone = place.zone().identifier
        }
    }

    private func checkZone() {
        let zone = place.zone().identifier
        let isNew = audience.withLock { audience in
            defer { audience.zone = zone }
            return audience.zone != zone
        }
        if isNew { tell(Set(keeper.all.map(\.record.id))) }
    }

    // MARK: The machine

    /// On the queue: reminders changed, here or elsewhere.
    func changed(_ ids: Set<String>, pushes: Bool = true) {
        guard !ids.isEmpty else { return }
        tell(ids)
        if pushes { audience.withLock { $0.trigger }?.changed(ReminderZones.zone) }
    }

    private func tell(_ ids: Set<String>) {
        var schedules: [ReminderSchedule] = []
        var removed: [String] = []
        for id in ids.sorted() {
            if let kept = keeper.reminder(id), let schedule = schedule(kept) {
                schedules.append(schedule)
            } else {
                removed.append(id)
            }
        }
        driver.input(.removed(removed))
        driver.input(.scheduled(schedules))
    }

    /// Nil for one that is deleted.
    private func schedule(_ kept: KeptReminder) -> ReminderSchedule? {
        let record = kept.record
        guard let todo = keeper.todo(of: record) else { return nil }
        var schedule = ReminderSchedule(id: record.id, title: todo.summary.isEmpty ? "Reminder" : todo.summary)
        let zone = place.zone()
        schedule.repetition = ReminderRepetition(todo, zone: zone, dayHour: ReminderPlace.dayHour)
        if let repetition = schedule.repetition {
            schedule.moments = repetition.moments(around: place.clock.milliseconds)
        } else {
            let moments = todo.moments(local: zone, dayHour: ReminderPlace.dayHour)
            schedule.moments = moments.map { UInt64(max(0, $0.timeIntervalSince1970 * 1000)) }
        }
        schedule.events = todo.events
        schedule.isOver = todo.status.isOver
        schedule.handled = record.handled
        schedule.snoozedUntil = record.answer.snoozedUntil
        schedule.canOpen = record.link != nil
        // Where it repeats, this may be the time of an occurrence long ago.
        if !todo.repeats, let due = todo.due?.moment(in: todo.zones, local: zone) {
            schedule.lines.append("Due \(CalendarDate(due, in: zone, form: .local).readable).")
        }
        let event = todo.events.first?.text(naming: apps.name(of:))
        if let event { schedule.lines.append("You asked for it \(event).") }
        schedule.lines += record.link?.lines ?? []
        return schedule
    }

    private func perform(_ action: ReminderOutput) {
        switch action {
        case .show(let schedule, _, let isMissed):
            recorder.record(
                "reminders", isMissed ? "shown_late" : "shown", "A reminder is shown.", ["reminder_id": schedule.id])
            notices.show(schedule, isMissed: isMissed)
        case .close(let id):
            notices.close(id)
        case .keep(let id, let shown, let isOpen):
            queue.queue.async { [keeper, recorder] in
                do {
                    try keeper.keep(id, shown: shown, isOpen: isOpen)
                } catch {
                    recorder.record("reminders", "not_kept", "The shown reminders could not be noted: \(error)", [:])
                }
            }
        }
    }

    /// Something happened that reminders may wait for. Does not block.
    package func context(_ event: ContextEvent) { driver.input(.happened(event)) }

    /// Whether notices are shown at all. Does not block.
    package func allow(_ isAllowed: Bool) { driver.input(.allowed(isAllowed)) }

    /// The person closed the notice.
    package func closed(_ id: String) { driver.input(.closed(id: id)) }

    // MARK: People

    /// The next one first, those that are done last; of deleted ones none.
    package func list(all: Bool = false) async -> [Reminder] {
        await queue.run { [self] in
            keeper.all.compactMap { listed($0) }.filter { all || $0.state != .done }.sorted {
                ($0.state == .done ? 1 : 0, $0.time ?? .max, $0.subject, $0.id)
                    < ($1.state == .done ? 1 : 0, $1.time ?? .max, $1.subject, $1.id)
            }
        }
    }

    /// Problems that keep files from being reminders, as sentences.
    package func problems() async -> (folder: String, problems: [String]) {
        await queue.run { [self] in (keeper.folder, keeper.problems) }
    }

    private func listed(_ kept: KeptReminder) -> Reminder? {
        guard let todo = keeper.todo(of: kept.record) else { return nil }
        let now = place.clock.milliseconds
        let (state, time) = driver.read { $0.state(of: kept.record.id, now: now) }
        return Reminder(
            id: kept.record.id, subject: todo.summary, state: todo.status.isOver ? .done : state, time: time,
            triggers: todo.events, recurrence: todo.rule?.text, link: kept.record.link, file: kept.file)
    }

    /// Returns when the file and the database have it.
    /// - Throws: `invalid_argument`, `resource_exhausted`, `unavailable` where there is no folder.
    package func add(_ draft: ReminderDraft) async throws -> Reminder {
        try draft.activity?.checkOpens(in: apps)
        return try await queue.run { [self] in
            let kept = try keeper.add(draft)
            changed([kept.record.id])
            recorder.record("reminders", "added", "A reminder was made.", ["reminder_id": kept.record.id])
            return listed(kept)
        }.orThrow("The reminder could not be read back.")
    }

    /// The current activity of the app in front, for ``ReminderDraft/activity``.
    /// - Throws: `not_found` when there is none.
    package func current() async throws -> ReminderLink { try await activities.current() }

    /// Done; a repeating one moves on, also before its time.
    package func finish(_ id: String) async throws -> Reminder {
        let (shown, open) = driver.read { ($0.shown(id), $0.open(id)) }
        let zone = place.zone()
        return try await change(id) {
            let occurrence = $0.occurrence(open: open, local: zone, dayHour: ReminderPlace.dayHour)
            $0.finish(shown: shown, now: $2, occurrence: occurrence, stamp: $1)
        }
    }

    /// Shows it again in 10 minutes.
    package func snooze(_ id: String) async throws -> Reminder {
        let shown = driver.read { $0.shown(id) }
        return try await change(id) { $0.snooze(shown: shown, now: $2, for: Self.snooze, stamp: $1) }
    }

    private func change(
        _ id: String, _ body: @escaping @Sendable (inout ReminderRecord, ReminderStamp, UInt64) -> Void
    ) async throws -> Reminder {
        try await queue.run { [self] in
            guard let kept = try keeper.change(id, body) else { throw Self.unknown(id) }
            changed([id])
            return listed(kept)
        }.orThrow("The reminder could not be read back.")
    }

    /// - Returns: the reminder as it was.
    @discardableResult
    package func delete(_ id: String) async throws -> Reminder? {
        try await queue.run { [self] in
            let reminder = keeper.reminder(id).flatMap { listed($0) }
            guard try keeper.delete(id) else { throw Self.unknown(id) }
            changed([id])
            return reminder
        }
    }

    /// Opens what the reminder was made from: the activity in its app, else its page.
    /// - Returns: the app and its name, nil where the page was opened; and whether it was handled.
    /// - Throws: `not_found`, and `failed_precondition` where there is nothing to open.
    package func open(_ id: String) async throws -> (app: String?, bundleID: BundleID?, isHandled: Bool) {
        let kept = await queue.run { [self] in keeper.reminder(id) }
        guard let kept, !kept.record.isDeleted else { throw Self.unknown(id) }
        guard let link = kept.record.link else {
            throw BatonError(
                .failedPrecondition, reason: "nothing_to_open",
                "The reminder was made from nothing that could be opened.")
        }
        if apps.continues(link.payload.description_p.activityType, link.app) {
            return (link.appName, link.app.bundleID, try await apps.open(link.payload, with: link.app))
        }
        guard let page = link.page else {
            throw BatonError(
                .failedPrecondition, reason: "app_not_installed",
                "\(link.appName) is not here, or does not continue what it showed, and that has no page.")
        }
        try await apps.open(page: page)
        return (nil, nil, true)
    }

    static func unknown(_ id: String) -> BatonError {
        BatonError(
            .notFound, reason: "no_such_reminder",
            "There is no reminder “\(id.prefix(40))”. “baton reminders” lists them.")
    }

    // MARK: Sync

    /// Sets the trigger that is notified when something waits to be synchronised.
    package func connect(to trigger: any SyncTrigger) { audience.withLock { $0.trigger = trigger } }

    /// The account that is there; nil for none, and for a revoked device.
    var presentAccount: String? { account() }
}

extension Optional {
    fileprivate func orThrow(_ message: String) throws(BatonError) -> Wrapped {
        guard let self else { throw BatonError(.internal, reason: "reminder_lost", message) }
        return self
    }
}

extension CalendarDate {
    /// As in `2026-11-26 09:00`.
    fileprivate var readable: String {
        let text = text
        let date = "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.dropFirst(6).prefix(2))"
        guard form != .date else { return date }
        return date + " \(text.dropFirst(9).prefix(2)):\(text.dropFirst(11).prefix(2))"
    }
}
