import BatonConcurrency
import BatonCore
import Foundation
import GRDB
import RecordMirror
import Synchronization

/// The exchange: one at a time, whenever it is woken.
extension RecordSync {
    /// How many waiting lines are reported first, and from which on the journal is kept small.
    static let toldLines = JournalBound.minimumLines
    private static let retries: [Duration] = [.milliseconds(200), .seconds(1), .seconds(5), .seconds(20), .seconds(60)]

    /// Exchanges until it has succeeded, or until it makes no sense to go on at once.
    func turn(_ shapes: [TableShape]) async {
        let waiters = state.withLock { state in
            let waiters = state.waiters
            state.waiters = []
            return waiters
        }
        do {
            if !state.withLock({ $0.isOpen }) {
                try await mirror.open(shapes)
                state.withLock { $0.isOpen = true }
            }
            let progress = try await exchange(shapes)
            setConnected(true)
            await succeeded(progress)
            for waiter in waiters { waiter.resume() }
        } catch {
            await failed(error)
            for waiter in waiters { waiter.resume(throwing: Self.told(error)) }
        }
    }

    private func exchange(_ shapes: [TableShape]) async throws -> Mirror.Progress {
        do {
            return try await mirror.exchange(shapes)
        } catch let error as BatonError where error.reason == "rows_taken" {
            // Another process of the app has sent some of the lines, and has not removed them yet. The daemon says which.
            try await mirror.open(shapes)
            return try await mirror.exchange(shapes)
        }
    }

    private func succeeded(_ progress: Mirror.Progress) async {
        let held = (try? await mirror.database.read { try MirrorTables.held(in: $0) }) ?? []
        let rows = held.map { HeldRow(table: $0.table, key: $0.key.journalText, reason: $0.reason) }
        state.withLock { state in
            state.status.waiting = 0
            state.status.held = rows
            state.status.lastExchange = Date()
            state.status.problem = nil
            state.toldWaiting = 0
            state.counted = nil
            state.failures = 0
        }
        if !progress.restored.isEmpty { tell(.restored(tables: progress.restored)) }
        if progress.sent > 0 { tell(.sent(rows: progress.sent)) }
        if progress.applied > 0 { tell(.applied(tables: progress.tables, rows: progress.applied)) }
        if !progress.refused.isEmpty {
            tell(
                .held(
                    progress.refused.map { HeldRow(table: $0.table, key: $0.key.journalText, reason: $0.reason) }))
        }
    }

    private func failed(_ error: any Error) async {
        let isAway = (error as? BatonError)?.code == .unavailable
        let sentence = (error as? BatonError)?.message ?? Self.refusal(error)?.message ?? "\(error)"
        let (isNew, wake, pause) = state.withLock { state in
            let isNew = state.status.problem != sentence
            state.status.problem = sentence
            // After a failure the daemon says what it has taken.
            state.isOpen = false
            state.failures += 1
            return (isNew, state.wake, Self.retries[min(state.failures, Self.retries.count) - 1])
        }
        // First, so that the status has it when the events are heard.
        await bound()
        if isAway { setConnected(false) }
        if isNew { tell(.failed(sentence)) }
        // Tries again once after a while, if nothing wakes it before; the stream holds one element. It ends by itself.
        Task {
            try? await Task.sleep(for: pause)
            wake?.send()
        }
    }

    /// Keeps the journal small and says how large it is.
    private func bound() async {
        guard let waiting = await waitingLines() else { return }
        let limit = max(Self.toldLines, state.withLock { $0.toldWaiting * 2 })
        guard waiting >= limit else { return state.withLock { $0.status.waiting = waiting } }
        let left = (try? await JournalBound.enforce(in: mirror.database)) ?? waiting
        state.withLock { state in
            state.counted = nil
            state.status.waiting = left
            state.toldWaiting = left
        }
        if left >= Self.toldLines { tell(.waiting(lines: left)) }
    }

    /// A long journal is not counted each second: its lines are numbered, so what was added since the last time is known.
    private func waitingLines() async -> Int? {
        guard let newest = try? await mirror.database.read({ try MirrorJournal.newest(in: $0) }) else { return nil }
        if let counted = state.withLock({ $0.counted }) {
            let added = newest - counted.newest
            if counted.lines >= Self.toldLines, (0...Int64(counted.lines / 10)).contains(added) {
                return counted.lines + Int(added)
            }
        }
        guard let lines = try? await mirror.database.read({ try MirrorJournal.waiting(in: $0) }) else { return nil }
        state.withLock { $0.counted = (lines, newest) }
        return lines
    }

    /// Says how many lines wait while the daemon is away, before an exchange has failed.
    private func count() async {
        guard let waiting = await waitingLines() else { return }
        // An exchange that has succeeded since knows better.
        state.withLock { if !$0.status.isConnected { $0.status.waiting = waiting } }
    }

    // MARK: Wakes

    /// Whether another process has written.
    func look() async {
        guard (try? await mirror.database.read { try MirrorJournal.isWaiting(in: $0) }) == true else { return }
        let (wake, isFailing, isConnected) = state.withLock { ($0.wake, $0.failures > 0, $0.status.isConnected) }
        // A failure has its own pace.
        if isFailing { return await bound() }
        wake?.send()
        // The exchange may wait for the daemon for long.
        if !isConnected { await count() }
    }

    /// The daemon is gone.
    func lost() {
        setConnected(false)
        // Reads the database once, for which the watch does not wait. It ends by itself.
        Task { [weak self] in await self?.count() }
    }

    func heard(begins: Bool) {
        let wake = state.withLock { state in
            if begins { state.isOpen = false }
            return state.wake
        }
        if begins { setConnected(true) }
        wake?.send()
    }

    func setConnected(_ isConnected: Bool) {
        let isNew = state.withLock { state in
            defer { state.status.isConnected = isConnected }
            return state.status.isConnected != isConnected
        }
        if isNew { tell(.connected(isConnected)) }
    }

    func tell(_ event: Event) {
        for stream in state.withLock({ Array($0.events.values) }) { stream.yield(event) }
    }

    /// A refusal of the app's own database, where more can be said than SQLite's words. Nothing is lost: unsent changes are in
    /// the journal, and those that were not applied are with the daemon.
    private static func refusal(_ error: any Error) -> SyncError? {
        guard let error = error as? DatabaseError else { return nil }
        return switch error.resultCode {
        case .SQLITE_FULL:
            SyncError(
                reason: "disk_full",
                message: "The disk of the app's database is full. Nothing is lost; it goes on when there is room.")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            SyncError(
                reason: "database_locked",
                message: "Another connection holds the app's database. Nothing is lost; it goes on when that has ended."
            )
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY:
            SyncError(
                reason: "database_unavailable",
                message:
                    "The app's database cannot be read or written (\(error.message ?? "no reason given")). It is tried again."
            )
        default: nil
        }
    }

    /// Errors of the daemon have a name that apps know.
    private static func told(_ error: any Error) -> any Error {
        if let refusal = refusal(error) { return refusal }
        guard let error = error as? BatonError else { return error }
        return SyncError(reason: error.reason, message: error.message)
    }
}
