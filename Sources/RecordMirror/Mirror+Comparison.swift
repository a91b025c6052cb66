import Foundation
import GRDB

/// Tables and replica compared, and tables filled.
extension Mirror {
    func compare(_ shapes: [TableShape], _ progress: inout Progress) async throws {
        var known: Data?
        for _ in 0..<Self.maximumRounds {
            try await send(shapes, &progress)
            // What is new is applied first, or it would seem to be the app's.
            if try await state().comparison == .tablesWin { try await fetch(shapes, &progress) }
            var state = try await state()
            let cursor = try await collect(shapes, state, since: known)
            known = cursor
            if state.comparison == .tablesWin {
                let page = try await service.fetch(actor: state.actor, cursor: state.cursor)
                guard page.groups.isEmpty, !page.hasMore else { continue }
            }
            guard var outcome = try await compareOnce(shapes, state, cursor) else { continue }
            progress.restored.formUnion(outcome.restored)
            if outcome.lines > 0 {
                // Rows were marked in what was collected.
                known = nil
                continue
            }
            if outcome.isUnfilled {
                guard try await fill(shapes, &state, cursor, &progress),
                    let last = try await conclude(shapes, state, cursor)
                else { continue }
                outcome = last
            }
            try await database.writeWithoutTransaction { try ReplicaComparison.end(in: $0) }
            progress.applied += outcome.applied
            progress.tables.formUnion(outcome.touched)
            progress.refused += outcome.refused + outcome.kept
            progress.hasCompared = true
            return
        }
    }

    /// - Returns: nil when the app has written meanwhile, and nothing was done.
    private func compareOnce(
        _ shapes: [TableShape], _ state: MirrorTables.State, _ cursor: Data
    ) async throws -> ReplicaComparison.Outcome? {
        let filling = filling
        return try await transaction(shapes) { db, care in
            guard try Self.isJournalEmpty(db), var now = try MirrorTables.state(in: db), now == state else {
                return nil
            }
            var comparison = ReplicaComparison(
                db: db, before: KnownColumns(text: now.shapes), mode: now.comparison, filling: filling, care: care)
            let outcome = try comparison.run(shapes)
            if outcome.lines > 0 {
                now.comparison = .last
                try MirrorTables.save(now, in: db)
            } else if !outcome.isUnfilled {
                try Self.end(outcome, now, cursor, shapes, in: db)
            }
            return outcome
        }
    }

    /// Puts what is left of a comparison whose missing rows were put before.
    /// - Returns: nil when the app has written meanwhile, and nothing was done.
    private func conclude(
        _ shapes: [TableShape], _ state: MirrorTables.State, _ cursor: Data
    ) async throws -> ReplicaComparison.Outcome? {
        let filling = filling
        return try await transaction(shapes) { db, care in
            guard try Self.isJournalEmpty(db), let now = try MirrorTables.state(in: db), now == state else {
                return nil
            }
            var comparison = ReplicaComparison(
                db: db, before: KnownColumns(text: now.shapes), mode: now.comparison, filling: filling, care: care)
            let outcome = try comparison.conclude(shapes)
            try Self.end(outcome, now, cursor, shapes, in: db)
            return outcome
        }
    }

    private static func end(
        _ outcome: ReplicaComparison.Outcome, _ state: MirrorTables.State, _ cursor: Data, _ shapes: [TableShape],
        in db: Database
    ) throws {
        var state = state
        try ReplicaComparison.noteHeld(all: state.comparison != .tablesWin, shapes, in: db)
        try MirrorTables.hold(outcome.refused, in: db)
        try MirrorTables.keep(outcome.kept, in: db)
        try MirrorTables.keep(outcome.staying, as: MirrorTables.staying, in: db)
        try MirrorTables.keep(outcome.accompanied, as: MirrorTables.accompanied, in: db)
        (state.cursor, state.former) = (cursor, Data())
        state.comparison = .none
        state.shapes = KnownColumns(shapes).text
        try MirrorTables.save(state, in: db)
    }

    private enum Turn: Sendable {
        case step(ReplicaFilling.Step)
        /// The app has written.
        case written
        /// Another process has gone on with the comparison, or it begins anew.
        case taken
    }

    /// Puts most of the rows that the tables lack, in transactions between which the app may write. Until the comparison has ended the mirror
    /// has no cursor of it, so after a crash it begins anew.
    ///
    /// - Parameter state: as it was when the tables were compared; at the end as it is then.
    /// - Returns: whether the app has written nothing. Else the tables are to be compared once more.
    private func fill(
        _ shapes: [TableShape], _ state: inout MirrorTables.State, _ cursor: Data, _ progress: inout Progress
    ) async throws -> Bool {
        var rest = ReplicaFilling(shapes, bounds: filling)
        // The app sees these rows from now on: it has seen those that it deletes as they were collected.
        if state.cursor.isEmpty { state.former = cursor }
        let expected = state
        var (hasWritten, attempts) = (false, 0)
        while !rest.isDone {
            let turn: Turn = try await transaction(shapes) { [rest] db, care in
                guard let now = try MirrorTables.state(in: db), now.actor == expected.actor,
                    now.cursor == expected.cursor, now.comparison == expected.comparison
                else { return .taken }
                guard try Self.isJournalEmpty(db) else { return .written }
                if now != expected { try MirrorTables.save(expected, in: db) }
                return .step(try rest.step(in: db, care))
            }
            switch turn {
            case .step(let step):
                attempts = 0
                rest.go(on: step)
                progress.applied += step.count
                if step.count > 0 { progress.tables.insert(step.table) }
            case .written where attempts < Self.maximumRounds:
                (hasWritten, attempts) = (true, attempts + 1)
                try await send(shapes, &progress)
            case .written, .taken: return false
            }
        }
        return !hasWritten
    }

    /// Everything that the service shows, into a temporary table of the writer.
    /// - Parameter known: what is in it already, where only the app's own writing has kept the tables from being compared; nil for nothing.
    private func collect(_ shapes: [TableShape], _ state: MirrorTables.State, since known: Data?) async throws -> Data {
        if known == nil { try await database.writeWithoutTransaction { try ReplicaComparison.begin(in: $0) } }
        var cursor = known ?? Data()
        while true {
            let page = try await service.fetch(actor: state.actor, cursor: cursor)
            try await database.writeWithoutTransaction { db in
                // Deferred: temporary tables lock nobody out.
                try db.inTransaction(.deferred) {
                    for group in page.groups { try ReplicaComparison.add(group, shapes, in: db) }
                    return .commit
                }
            }
            cursor = page.cursor
            if !page.hasMore, !page.continues { return cursor }
        }
    }
}
