import CLinux
package import Foundation
package import GRDB
import Synchronization

/// Keeps the tables of an app's database and what the service shows the same.
///
/// One caller at a time: it is the loop of `RecordSync` that calls. A change that the app commits is in the journal until the
/// service has it; what the service shows is applied in one transaction, together with the cursor, and only while the journal
/// is empty.
package final class Mirror: Sendable {
    package struct Progress: Sendable, Equatable {
        /// Changes that the service took.
        package var sent = 0
        /// Rows that were put or removed in the tables.
        package var applied = 0
        /// The tables whose rows were put or removed.
        package var tables: Set<String> = []
        package var refused: [RefusedRow] = []
        /// Tables that had lost most of their rows without triggers, and got them again.
        package var restored: Set<String> = []
        /// Whether the tables were compared with the replica.
        package var hasCompared = false
    }

    package let database: any DatabaseWriter
    package let tables: [MirrorTable]
    let service: any MirrorService
    let filling: ReplicaFilling.Bounds
    private let makeActor: @Sendable () -> Data
    private let boot: String
    private let pace = Mutex(JournalPace())
    /// How often an exchange begins again since the app has written meanwhile.
    static let maximumRounds = 50
    /// Rows that are held in memory until they are whole, and bytes of their values. With more the tables are compared.
    static let maximumRows = 100_000
    static let maximumBytes = 64 << 20

    /// - Parameters:
    ///   - boot: of the system's run.
    ///   - filling: how tables are filled that lack many rows.
    ///   - makeActor: 16 random bytes.
    package init(
        _ database: any DatabaseWriter, tables: [MirrorTable], service: any MirrorService,
        boot: String = Mirror.bootID, filling: ReplicaFilling.Bounds = .standard,
        makeActor: @escaping @Sendable () -> Data
    ) {
        self.database = database
        self.tables = tables
        self.service = service
        self.boot = boot
        self.filling = filling
        self.makeActor = makeActor
    }

    /// Another one each time that the system was started.
    package static var bootID: String {
        (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
    }

    // MARK: Start

    /// Makes the mirror's tables and triggers as they should be.
    ///
    /// - Throws: ``SchemaProblem``, and what SQLite throws.
    /// - Returns: the shapes of the tables.
    package func start() async throws -> [TableShape] {
        let (tables, makeActor, boot) = (tables, makeActor, boot)
        let file = Self.identity(ofFile: database.path)
        return try await database.writeWithoutTransaction { db in
            // REPLACE fires the triggers of the rows that it removes with it only. Other connections have their own setting.
            if try !OwnTriggers.writeToThemselves(in: db) { try db.execute(sql: "PRAGMA recursive_triggers = ON") }
            var shapes: [TableShape] = []
            try db.inTransaction(.immediate) {
                shapes = try SchemaReader.read(tables, in: db)
                try Self.prepare(shapes, file: file, boot: boot, makeActor: makeActor, in: db)
                return .commit
            }
            return shapes
        }
    }

    private static func prepare(
        _ shapes: [TableShape], file: (now: String, before: String), boot: String, makeActor: () -> Data,
        in db: Database
    ) throws {
        // Before the mirror's own tables change.
        let version = try MirrorTables.schemaVersion(in: db)
        try MirrorTables.create(in: db)
        let known = try MirrorTables.state(in: db)
        let counters = try CounterStarts(shapes, in: db)
        try CaptureTriggers.install(for: shapes, in: db)
        try counters.note(in: db)
        try MirrorJournal.takeBack(shapes.map(\.name), in: db)
        try UnsentRows.retryAll(in: db)
        var state =
            known
            ?? MirrorTables.State(
                actor: makeActor(), cursor: Data(), file: file.now, schemaVersion: version, shapes: "",
                comparison: .replicaWins)
        if state.file == file.before { state.file = file.now }
        if state.file != file.now {
            try becomeAnother(&state, makeActor: makeActor, in: db)
            state.file = file.now
        } else if known != nil, state.comparison == .none,
            state.schemaVersion != version || state.shapes != KnownColumns(shapes).text
        {
            state.comparison = .tablesWin
        }
        // With its power the system may have lost the last transactions, of which the service has taken lines. It takes no number twice.
        if known != nil, state.boot != boot { try MirrorJournal.leaveGap(in: db) }
        state.boot = boot
        state.schemaVersion = try MirrorTables.schemaVersion(in: db)
        try MirrorTables.save(state, in: db)
    }

    /// The file is a copy, or from the past: another one may go on under its actor.
    private static func becomeAnother(
        _ state: inout MirrorTables.State, makeActor: () -> Data, in db: Database
    ) throws {
        state.actor = makeActor()
        (state.cursor, state.former) = (Data(), Data())
        state.comparison = .replicaWins
        try UnsentRows.retryAll(in: db)
        // A deletion of the past may be of a row that has come back since. Without it the row comes back here, which loses nothing. What
        // was counted may have been sent, and is not sent twice. Rows of the past are older than any edit, and do not come back
        // where they were deleted.
        try db.execute(
            sql: """
                DELETE FROM baton_journal
                    WHERE op IN (\(CaptureTriggers.Operation.delete.rawValue), \(CaptureTriggers.Operation.count.rawValue))
                    AND seq < (SELECT MAX(seq) FROM baton_journal);
                UPDATE baton_journal SET op = 0
                    WHERE op IN (\(CaptureTriggers.Operation.delete.rawValue), \(CaptureTriggers.Operation.count.rawValue));
                UPDATE baton_journal SET op = \(CaptureTriggers.Operation.before.rawValue)
                    WHERE op IN (\(CaptureTriggers.Operation.insert.rawValue), \(CaptureTriggers.Operation.rekey.rawValue));
                UPDATE baton_journal SET oldKey = NULL WHERE oldKey IS NOT NULL;
                DELETE FROM baton_aside
                    WHERE op IN (\(CaptureTriggers.Operation.delete.rawValue), \(CaptureTriggers.Operation.count.rawValue));
                UPDATE baton_aside SET op = \(CaptureTriggers.Operation.before.rawValue), oldKey = NULL
                    WHERE op IN (\(CaptureTriggers.Operation.insert.rawValue), \(CaptureTriggers.Operation.rekey.rawValue));
                """)
    }

    /// Inode and time of birth: a copy has another one, and so does a file that a restore has put in place of it. The number of the device
    /// is not among them: many file systems have another one after each mount.
    ///
    /// - Returns: also how it was named by earlier versions.
    private static func identity(ofFile path: String) -> (now: String, before: String) {
        let path = URL(filePath: path).resolvingSymlinksInPath().path
        var values = [Int64](repeating: 0, count: 8)
        // AT_FDCWD; the path is absolute.
        guard baton_status(-100, path, &values) == 0 else { return ("memory", "memory") }
        let (inode, born) = (values[3], values[7])
        let device = (try? FileManager.default.attributesOfItem(atPath: path))?[.systemNumber] as? Int ?? 0
        return ("inode \(inode) \(born)", "\(device):\(inode)")
    }

    // MARK: Exchange

    /// Says which tables there are, after each new connection. Lines that the service has taken leave the journal.
    package func open(_ shapes: [TableShape]) async throws {
        let (makeActor, state) = (makeActor, try await state())
        // A change of the schema may let rows in.
        let answer = try await service.setSchema(
            shapes, actor: state.actor, cursor: state.cursor, retry: state.comparison != .none)
        let isAnother = try await database.write { db in
            guard var state = try MirrorTables.state(in: db) else { return false }
            let newest = try Int64.fetchOne(db, sql: "SELECT MAX(seq) FROM baton_journal") ?? 0
            if answer.taken > newest {
                // The service has seen lines that this file has not written yet: it is from the past.
                try Self.becomeAnother(&state, makeActor: makeActor, in: db)
                try MirrorTables.save(state, in: db)
                return true
            }
            try MirrorJournal.setAside(upTo: answer.taken, except: shapes.map(\.name), in: db)
            try UnsentRows.sendAgain(answer.refused, upTo: answer.taken, newest: newest, in: db)
            try MirrorJournal.forget(upTo: answer.taken, in: db)
            if !answer.isCursorKnown { try Self.expire(in: db) }
            return false
        }
        if isAnother { try await open(shapes) }
    }

    private static func expire(in db: Database) throws {
        guard var state = try MirrorTables.state(in: db) else { return }
        // The journal's lines are from before these tables are compared: a deletion is of the rows that they had shown.
        if !state.cursor.isEmpty { state.former = state.cursor }
        state.cursor = Data()
        state.comparison = .replicaWins
        try MirrorTables.save(state, in: db)
    }

    /// Sends what waits and applies what is new, until both are done.
    package func exchange(_ shapes: [TableShape]) async throws -> Progress {
        var progress = Progress()
        do {
            if try await state().comparison != .none { try await compare(shapes, &progress) }
            try await send(shapes, &progress)
            // The app has written all the time: what is fetched is compared, not applied.
            if try await state().comparison == .none { try await fetch(shapes, &progress) }
        } catch is CursorExpired {
            try await database.write { try Self.expire(in: $0) }
            try await compare(shapes, &progress)
            try await send(shapes, &progress)
        }
        try await reportHeld(shapes)
        return progress
    }

    package func send(_ shapes: [TableShape], _ progress: inout Progress) async throws {
        let isCounting = shapes.contains { $0.columns.contains(where: \.isCounter) }
        while let reading = try await read(shapes) {
            var refused: [RefusedRow] = []
            let state = try await state()
            if !reading.groups.isEmpty {
                if isCounting { try await database.write { try MirrorTables.willSend(upTo: reading.sequence, in: $0) } }
                let cursor = state.cursor.isEmpty ? state.former : state.cursor
                refused = try await send(reading, actor: state.actor, cursor: cursor)
                progress.sent += reading.groups.reduce(0) { $0 + $1.changes.count }
            }
            progress.refused += refused
            try await database.write { [refused] in
                try MirrorJournal.setAside(upTo: reading.sequence, except: shapes.map(\.name), in: $0)
                try UnsentRows.keep(refused, upTo: reading.sequence, newest: reading.newest, in: $0)
                try MirrorJournal.forget(upTo: reading.sequence, in: $0)
            }
        }
    }

    private func read(_ shapes: [TableShape]) async throws -> JournalReader.Reading? {
        var reader = JournalReader(shapes)
        reader.maximumLines = pace.withLock { $0.lines }
        let isAny = try await database.read { try UnsentRows.isAny(in: $0) }
        guard isAny else { return try await database.read { [reader] in try reader.read(in: $0) } }
        // In one transaction: a change that comes in between would be read without the rest of its row.
        return try await database.write { [reader] db in
            try UnsentRows.retryChanged(in: db)
            return try reader.read(in: db)
        }
    }

    private func send(
        _ reading: JournalReader.Reading, actor: Data, cursor: Data
    ) async throws -> [RefusedRow] {
        do {
            let refused = try await service.send(
                reading.groups, actor: actor, cursor: cursor, known: reading.first - 1)
            pace.withLock { $0.succeeded() }
            return refused
        } catch {
            if service.isDeadline(error) { pace.withLock { $0.tookTooLong(reading.lines) } }
            throw error
        }
    }

    func fetch(_ shapes: [TableShape], _ progress: inout Progress) async throws {
        for _ in 0..<Self.maximumRounds {
            let state = try await state()
            guard let (groups, cursor, hasMore) = try await whole(from: state) else { return }
            guard !groups.isEmpty || cursor != state.cursor else { return }
            if try await apply(groups, cursor: cursor, from: state.cursor, shapes, &progress) {
                if !hasMore { return }
            } else {
                // The app has written meanwhile. The fetched rows do not include that.
                try await send(shapes, &progress)
            }
        }
    }

    /// Pages up to a state that is whole. A page has its rows as they are when it is made, so of two states of a row the later counts.
    private func whole(from state: MirrorTables.State) async throws -> ([ShownGroup], Data, Bool)? {
        var (groups, cursor): ([ShownGroup], Data) = ([], state.cursor)
        var parts = StagedGroup()
        var (count, bytes) = (0, 0)
        while true {
            let page = try await service.fetch(actor: state.actor, cursor: cursor)
            for group in page.groups {
                count += group.put.count + group.remove.count
                bytes += group.size
            }
            // A comparison reads them into a temporary table. Where the tables win it would lose what is theirs.
            if state.comparison == .none, count > Self.maximumRows || bytes > Self.maximumBytes {
                throw CursorExpired()
            }
            cursor = page.cursor
            for (index, group) in page.groups.enumerated() {
                parts.add(group)
                if index < page.groups.count - 1 || !page.continues { groups.append(parts.take()) }
            }
            if !page.continues {
                if !parts.isEmpty { groups.append(parts.take()) }
                return (groups, cursor, page.hasMore)
            }
            guard page.hasMore else { return nil }
        }
    }

    /// - Returns: false when the journal was not empty, and nothing was done.
    private func apply(
        _ groups: [ShownGroup], cursor: Data, from start: Data, _ shapes: [TableShape], _ progress: inout Progress
    ) async throws -> Bool {
        let applier: (count: Int, tables: Set<String>, refused: [RefusedRow])? = try await transaction(shapes) {
            db, care in
            guard try Self.isJournalEmpty(db), try MirrorTables.state(in: db)?.cursor == start else { return nil }
            var applier = try RowApplier(db: db, shapes: shapes, care: care)
            var refused: [RefusedRow] = []
            try MirrorTables.silently(in: db) {
                try MirrorTables.releaseSpellings(of: groups, shapes, in: db)
                for group in groups {
                    try MirrorTables.release(group, in: db)
                    try MirrorTables.noteHeld(group, in: db)
                    try applier.apply(group)
                }
                refused = applier.refused + applier.kept
                try applier.apply(ShownGroup(remove: MirrorTables.takeKept(in: db)))
            }
            try MirrorTables.hold(applier.refused, in: db)
            try MirrorTables.keep(applier.kept, in: db)
            try MirrorTables.keep(applier.staying, as: MirrorTables.staying, in: db)
            try MirrorTables.keep(applier.accompanied, as: MirrorTables.accompanied, in: db)
            try UnsentRows.retry(applier.skipped, shapes, in: db)
            try MirrorTables.setCursor(cursor, in: db)
            return (applier.putCount + applier.removedCount, applier.touched, refused)
        }
        guard let applier else { return false }
        progress.applied += applier.count
        progress.tables.formUnion(applier.tables)
        progress.refused += applier.refused
        return true
    }

    // MARK: Held rows, state

    /// - Parameter isFetched: whether the rows are of the state that the tables show.
    private func reportHeld(_ shapes: [TableShape], isFetched: Bool = true) async throws {
        while true {
            let (rows, cursor) = try await database.read { db in
                let cursor = isFetched ? try MirrorTables.state(in: db)?.cursor : nil
                return (try MirrorTables.untoldHeld(shapes, in: db), cursor ?? Data())
            }
            guard !rows.isEmpty else { return }
            try await service.report(rows, cursor: cursor)
            try await database.write { try MirrorTables.heldIsTold(rows, in: $0) }
        }
    }

    package func state() async throws -> MirrorTables.State {
        guard let state = try await database.read({ try MirrorTables.state(in: $0) }) else { throw CancellationError() }
        return state
    }

    static func isJournalEmpty(_ db: Database) throws -> Bool {
        try !MirrorJournal.isWaiting(in: db)
    }

    /// So many rows with which a transaction is not kept are left out, one after the other. The rest of them is tried again later.
    private static let maximumStuck = 64

    /// A transaction that can only be kept without some rows, or row by row, is done again so.
    func transaction<Output: Sendable>(
        _ shapes: [TableShape], _ body: @escaping @Sendable (Database, ApplyCare) throws -> Output
    ) async throws -> Output {
        var care = ApplyCare()
        while true {
            do {
                return try await database.write { [care] db in
                    try RowApplier.prepare(db)
                    let output = try body(db, care)
                    if RowApplier.hasBrokenReferences(db) { throw BrokenReferences() }
                    return output
                }
            } catch let stuck as StuckRow {
                care.without.append(stuck.row)
                if care.without.count >= Self.maximumStuck {
                    let rows = care.without
                    // The service shows them no more, so the next exchange gets further.
                    try await database.write { try MirrorTables.hold(rows, in: $0) }
                    try await reportHeld(shapes, isFetched: false)
                    throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: stuck.row.reason)
                }
            } catch is BrokenReferences where !care.isCareful {
                care.isCareful = true
            }
        }
    }
}
