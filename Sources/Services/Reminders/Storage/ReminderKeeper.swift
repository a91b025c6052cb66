import BatonCore
import BatonStore
import Foundation
import ICalendar
import Synchronization

/// Keeps the reminders in memory, in the database and in the folder, which it brings to say the same.
///
/// Every method blocks, and is called on the service's queue: the lock is only for the compiler.
final class ReminderKeeper: Sendable {
    /// Policy: of more none is taken, and it is said. Deletions that are remembered count by themselves: of more the oldest are
    /// forgotten. Until then other devices bring as many again of reminders that were never here.
    static let maximumReminders = 10_000
    /// Milliseconds after which a deletion is forgotten.
    private static let tombstoneLife: UInt64 = 180 * 86_400_000

    struct State {
        var reminders: [String: KeptReminder] = [:]
        var folder: ReminderFolder?
        var clock = HybridLogicalClock()
        /// Problems of the folder or its files.
        var problems: [String] = []
        /// Without those that are deleted.
        var count: Int { reminders.values.count(where: { !$0.record.isDeleted }) }
    }

    private let state = Mutex(State())
    private let storage: ReminderStorage
    private let place: ReminderPlace
    /// This device's identifier; empty before it has one.
    private let device: @Sendable () -> String
    private let maximum: Int

    init(
        database: DaemonDatabase, place: ReminderPlace, maximum: Int = ReminderKeeper.maximumReminders,
        device: @escaping @Sendable () -> String
    ) {
        self.maximum = maximum
        storage = ReminderStorage(database: database)
        self.place = place
        self.device = device
    }

    // MARK: Reading

    var all: [KeptReminder] { state.withLock { Array($0.reminders.values) } }
    var problems: [String] { state.withLock { $0.problems } }
    var folder: String { state.withLock { $0.folder?.path ?? "" } }

    func reminder(_ id: String) -> KeptReminder? { state.withLock { $0.reminders[id] } }

    func todo(of record: ReminderRecord) -> CalendarTodo? {
        record.todo(local: place.zone(), dayHour: ReminderPlace.dayHour)
    }

    func load() throws {
        let kept = try storage.load()
        state.withLock { state in
            for reminder in kept {
                state.reminders[reminder.record.id] = reminder
                observe(reminder.record, &state)
            }
        }
    }

    // MARK: The folder

    /// Uses this folder from now on. Files in the one before stay there.
    func use(folder path: String) { state.withLock { $0.folder = ReminderFolder(path: path) } }

    /// Takes in what other programs did to the files, and writes what the files do not have.
    /// - Returns: the reminders that changed.
    func scan() throws -> Set<String> {
        try state.withLock { state in
            guard var folder = state.folder else { return [] }
            do {
                try folder.prepare()
                folder.findMark()
                let (files, problems) = try folder.scan()
                state.folder = folder
                state.problems = problems
                return try take(files, in: folder, &state)
            } catch let error as BatonError {
                state.problems = [error.message]
                throw error
            }
        }
    }

    private func take(
        _ files: [String: ReminderFolder.File], in folder: ReminderFolder, _ state: inout State
    ) throws -> Set<
        String
    > {
        var changed: Set<String> = []
        var saved: [String: KeptReminder] = [:]
        var count = state.count
        for (id, file) in files.sorted(by: { $0.key < $1.key }) {
            guard var kept = state.reminders[id] else {
                guard count < maximum else {
                    state.problems.append("There are \(maximum) reminders; no more are taken.")
                    break
                }
                count += 1
                var record = ReminderRecord(id: id, text: file.bytes, stamp: stamp(&state))
                record.answer.isDone = file.todo.status.isOver
                var kept = KeptReminder(record: record)
                (kept.folder, kept.file, kept.seen) = (folder.identity, file.name, file.digest)
                saved[id] = kept
                changed.insert(id)
                continue
            }
            let isKnown = kept.folder == folder.identity && kept.seen == file.digest
            if kept.record.isDeleted, isKnown {
                folder.remove(file.name)
                (kept.folder, kept.file) = (nil, nil)
                saved[id] = kept
                continue
            }
            if isKnown, kept.file == file.name { continue }
            // In a folder that was not used before the later one counts.
            let isNews =
                !isKnown
                && (kept.folder == folder.identity || file.todo.lastModified > kept.record.textStamp.time.milliseconds
                    || kept.record.isDeleted)
            (kept.folder, kept.file, kept.seen) = (folder.identity, file.name, file.digest)
            if isNews {
                kept.record.replace(
                    file.bytes, by: file.todo, former: todo(of: kept.record), stamp: stamp(&state))
                kept.isPending = true
                changed.insert(id)
            }
            saved[id] = kept
        }
        let known = state.reminders.values.filter {
            $0.folder == folder.identity && $0.file != nil && !$0.record.isDeleted
        }
        // All at once: rather the folder was taken away than each reminder. They are written again.
        let isEmptied = files.isEmpty && known.count > 1
        for kept in known where isEmptied {
            var kept = kept
            (kept.folder, kept.file) = (nil, nil)
            saved[kept.record.id] = kept
        }
        let missing = known.filter { kept in
            files[kept.record.id] == nil && !isEmptied && kept.file.map { folder.content(of: $0) } == .absent
        }
        // Another program removed them, unless the folder's disk has gone meanwhile.
        for kept in !missing.isEmpty && folder.isThere ? missing : [] {
            var kept = kept
            delete(&kept, &state)
            (kept.folder, kept.file) = (nil, nil)
            saved[kept.record.id] = kept
            changed.insert(kept.record.id)
        }
        for (id, kept) in saved { state.reminders[id] = kept }
        var ids = Set(saved.keys)
        for (id, kept) in state.reminders where !kept.record.isDeleted && write(id, &state) { ids.insert(id) }
        try save(ids, &state)
        return changed
    }

    /// Brings the file to the record, unless another program has changed it meanwhile: that is taken in first.
    /// - Returns: whether the file was written or removed.
    private func write(_ id: String, _ state: inout State) -> Bool {
        guard let folder = state.folder, var kept = state.reminders[id] else { return false }
        let isHere = kept.folder == folder.identity && kept.file != nil
        if kept.record.isDeleted {
            guard isHere, let name = kept.file else { return false }
            let present = folder.content(of: name)
            // The next look at the folder removes it.
            guard present != .unreadable else { return false }
            if present == .digest(kept.seen) { folder.remove(name) }
            (kept.folder, kept.file) = (nil, nil)
            state.reminders[id] = kept
            return true
        }
        let bytes = kept.record.rendered(local: place.zone(), dayHour: ReminderPlace.dayHour)
        let digest = ReminderDigest.of(bytes)
        if isHere, kept.seen == digest { return false }
        let name = isHere ? kept.file ?? ReminderFolder.name(for: id) : ReminderFolder.name(for: id)
        let present = folder.content(of: name)
        guard isHere ? present == .digest(kept.seen) : present == .absent || present == .digest(digest) else {
            return false
        }
        do {
            try folder.write(bytes, to: name)
        } catch {
            if state.problems.count < 100 { state.problems.append(error.message) }
            return false
        }
        (kept.folder, kept.file, kept.seen) = (folder.identity, name, digest)
        state.reminders[id] = kept
        return true
    }

    // MARK: Changes of people

    func add(_ draft: ReminderDraft) throws -> KeptReminder {
        try state.withLock { state in
            guard state.count < maximum else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_reminders",
                    "There are \(maximum) reminders. Delete some: baton reminders delete ID.")
            }
            let subject = try ReminderText.subject(draft.subject)
            let id = UUID().uuidString
            let text = try ReminderText.make(
                id: id, subject: subject, trigger: draft.trigger, isLinked: draft.activity != nil, now: place.clock.now,
                local: place.zone())
            var record = ReminderRecord(id: id, text: text, stamp: stamp(&state))
            record.link = draft.activity
            state.reminders[id] = KeptReminder(record: record)
            guard write(id, &state), let kept = state.reminders[id] else {
                state.reminders[id] = nil
                throw BatonError(
                    .unavailable, reason: "no_reminders_folder",
                    state.problems.last ?? "The reminder could not be written.")
            }
            try save([id], &state)
            return kept
        }
    }

    /// - Returns: the reminder as it is then; nil for one that is not there.
    func change(
        _ id: String, _ body: (inout ReminderRecord, _ stamp: ReminderStamp, _ now: UInt64) -> Void
    ) throws -> KeptReminder? {
        try state.withLock { state in
            guard var kept = state.reminders[id], !kept.record.isDeleted else { return nil }
            body(&kept.record, stamp(&state), place.clock.milliseconds)
            kept.isPending = true
            state.reminders[id] = kept
            _ = write(id, &state)
            try save([id], &state)
            return state.reminders[id]
        }
    }

    /// - Returns: whether it was there.
    func delete(_ id: String) throws -> Bool {
        try state.withLock { state in
            guard var kept = state.reminders[id], !kept.record.isDeleted else { return false }
            delete(&kept, &state)
            state.reminders[id] = kept
            _ = write(id, &state)
            try save([id], &state)
            return true
        }
    }

    private func delete(_ kept: inout KeptReminder, _ state: inout State) {
        kept.record.text = []
        kept.record.textStamp = stamp(&state)
        kept.record.link = nil
        kept.isPending = true
    }

    /// Keeps the state of a notice shown on this device.
    func keep(_ id: String, shown: UInt64, isOpen: Bool) throws {
        try state.withLock { state in
            guard state.reminders[id] != nil else { return }
            state.reminders[id]?.shown = shown
            state.reminders[id]?.isOpen = isOpen
            try save([id], &state)
        }
    }

    // MARK: Sync

    /// - Returns: the reminders that changed.
    func merge(_ records: [(record: ReminderRecord, version: UInt64?)]) throws -> Set<String> {
        try state.withLock { state in
            var changed: Set<String> = []
            var saved: Set<String> = []
            var count = state.count
            var deletions = state.reminders.count - count
            for (record, version) in records {
                let id = record.id
                guard observe(record, &state) else { continue }
                guard var kept = state.reminders[id] else {
                    guard record.isDeleted ? deletions < 2 * maximum : count < maximum else { continue }
                    if record.isDeleted { deletions += 1 } else { count += 1 }
                    var kept = KeptReminder(record: record)
                    kept.version = version ?? 0
                    kept.isPending = version == nil
                    state.reminders[id] = kept
                    if !record.isDeleted { changed.insert(id) }
                    saved.insert(id)
                    continue
                }
                if kept.record.merge(record) { changed.insert(id) }
                if let version {
                    kept.version = version
                    kept.isPending = kept.record != record
                } else if changed.contains(id) {
                    kept.isPending = true
                }
                state.reminders[id] = kept
                saved.insert(id)
            }
            for id in changed { _ = write(id, &state) }
            try save(saved, &state)
            return changed
        }
    }

    /// Changes what is kept of the cloud's versions.
    func sync(_ ids: Set<String>?, _ body: (inout KeptReminder) -> Void) throws {
        try state.withLock { state in
            let ids = ids ?? Set(state.reminders.keys)
            for id in ids {
                guard var kept = state.reminders[id] else { continue }
                body(&kept)
                state.reminders[id] = kept
            }
            try save(ids, &state)
        }
    }

    /// Another account has none of them.
    func use(account: String) throws {
        guard try storage.account() != account else { return }
        try sync(nil) {
            $0.version = 0
            $0.isPending = true
        }
        try storage.set(account: account)
    }

    /// Forgets old deletions.
    func prune() throws {
        try state.withLock { state in
            let now = place.clock.milliseconds
            let deleted = state.reminders.values.filter(\.record.isDeleted)
            var old = deleted.filter {
                !$0.isPending && $0.record.textStamp.time.milliseconds + Self.tombstoneLife < now
            }.map(\.record.id)
            if deleted.count - old.count > maximum {
                old = deleted.sorted { $0.record.textStamp < $1.record.textStamp }
                    .prefix(deleted.count - maximum).map(\.record.id)
            }
            for id in old { state.reminders[id] = nil }
            try storage.save([], removing: old)
        }
    }

    // MARK: Within

    private func save(_ ids: Set<String>, _ state: inout State) throws {
        try storage.save(ids.compactMap { state.reminders[$0] })
    }

    private func stamp(_ state: inout State) -> ReminderStamp {
        ReminderStamp(state.clock.now(wall: place.clock.milliseconds), device())
    }

    /// - Returns: false for a record from the far future, which would win for ever.
    @discardableResult
    private func observe(_ record: ReminderRecord, _ state: inout State) -> Bool {
        do {
            try state.clock.observe(
                max(record.textStamp.time, record.answer.stamp.time), wall: place.clock.milliseconds)
            return true
        } catch {
            return false
        }
    }
}
