import BatonConcurrency
import BatonCore
import BatonStore
import FileSync
import Foundation
import GRDB
import RecordMerge
import Sync
import Synchronization

/// One container's records on this device: a file of its own, which only the daemon reads.
///
/// Each call is one transaction, one after the other, on a thread of its own; when it returns it is on the disk.
final class RecordReplica: Sendable {
    private struct State {
        var watchers: [UInt64: RecordsWatcher] = [:]
        var lastWatcher: UInt64 = 0
        /// The stamps of zones that are compared with other devices. Made when they are first asked for.
        var indexes: [Int64: ItemIndex] = [:]
        /// Zones for whose new records the account has no room.
        var full: Set<RecordZoneName> = []
        var isEnded = false
    }

    let container: RecordContainer
    let account: RecordsAccount
    let path: String
    private let database: DaemonDatabase
    private let queue: BlockingQueue
    /// For what is only read: it waits for no writing.
    private let looking: BlockingQueue
    private let clock: WallClock
    private let schemas = SchemaCache()
    private let trigger: @Sendable () -> (any SyncTrigger)?
    private let deviceName: @Sendable (String) -> String?
    private let members: @Sendable () -> RecordsMembers
    private let state = Mutex(State())

    /// Opens the file, made if need be. Blocks.
    init(
        container: RecordContainer, account: RecordsAccount, path: String, clock: WallClock,
        deviceName: @escaping @Sendable (String) -> String?,
        members: @escaping @Sendable () -> RecordsMembers = { RecordsMembers() },
        trigger: @escaping @Sendable () -> (any SyncTrigger)?
    ) throws {
        self.container = container
        self.account = account
        self.path = path
        self.clock = clock
        self.trigger = trigger
        self.deviceName = deviceName
        self.members = members
        queue = BlockingQueue("development.baton.records.\(container.identifier)")
        looking = BlockingQueue("development.baton.records-looking.\(container.identifier)")
        database = try DaemonDatabase(path: path, migrations: ReplicaSchema.migrations)
        try database.writeBlocking { db in
            if try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM replica") == 0 {
                try db.cachedStatement(
                    sql: "INSERT INTO replica (identity, actor, clock, sequence) VALUES (?, ?, 0, 0)"
                ).execute(arguments: [RandomBytes.make(16), Int64.random(in: 1 ... .max)])
            }
        }
        try database.writeBlocking { [clock, schemas] db in
            let transaction = try ReplicaTransaction(db, wall: clock.milliseconds, schemas: schemas)
            for name in [RecordZoneName.zones, .standard] where try transaction.zone(name) == nil {
                _ = try transaction.makeZone(name)
            }
            try transaction.note(transaction.actor, on: account.device.rawValue)
            try transaction.finish()
        }
    }

    /// - Throws: what the body throws, which then has changed nothing; `unavailable` (`not_kept`) where the disk does not take it.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (ReplicaTransaction) throws -> Value
    ) async throws -> Value {
        try await queue.run { [self] in
            guard !isEnded else { throw RecordsError.notAuthenticated }
            do {
                let (value, news) = try database.writeBlocking { db in
                    let transaction = try ReplicaTransaction(
                        db, wall: clock.milliseconds, schemas: schemas,
                        accountTime: { [trigger] in trigger()?.accountTime },
                        countedTime: { [trigger] in trigger()?.countedTime })
                    transaction.deviceName = deviceName
                    transaction.members = members()
                    let value = try body(transaction)
                    try transaction.finish()
                    return (value, transaction.news)
                }
                told(news)
                return value
            } catch let error as BatonError {
                throw error
            } catch {
                throw BatonError(.unavailable, reason: "not_kept", RecordsError.notKept, cause: error)
            }
        }
    }

    /// Reads what was written last, while something else is written.
    /// - Parameter body: it writes nothing, or it fails.
    func look<Value: Sendable>(
        _ body: @escaping @Sendable (ReplicaTransaction) throws -> Value
    ) async throws -> Value {
        try await looking.run { [self] in
            guard !isEnded else { throw RecordsError.notAuthenticated }
            do {
                return try database.readBlocking { db in
                    let transaction = try ReplicaTransaction(db, wall: clock.milliseconds, schemas: schemas)
                    transaction.deviceName = deviceName
                    return try body(transaction)
                }
            } catch let error as BatonError {
                throw error
            } catch {
                throw BatonError(.unavailable, reason: "not_kept", RecordsError.notKept, cause: error)
            }
        }
    }

    private var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Closes the file. Later calls are refused.
    func close(removing: Bool = false) async {
        let watchers = state.withLock { state in
            state.isEnded = true
            defer { state.watchers = [:] }
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.tell(RecordsNews(isAccountChanged: true)) }
        await looking.run {}
        await queue.run { [database, path] in
            try? database.close()
            guard removing else { return }
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
    }

    /// Bytes of the file.
    var bytes: UInt64 {
        ["", "-wal"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            return sum + ((attributes?[.size] as? NSNumber)?.uint64Value ?? 0)
        }
    }

    // MARK: Watches

    private func told(_ news: ReplicaNews) {
        let watchers = state.withLock { state in
            for (zone, digests) in news.digests where state.indexes[zone] != nil {
                for (name, digest) in digests { state.indexes[zone]?.set(digest, for: name) }
            }
            return Array(state.watchers.values)
        }
        let zones = news.zones.subtracting([.zones])
        if !zones.isEmpty || news.isDatabaseChanged {
            let news = RecordsNews(zones: zones, isDatabaseChanged: news.isDatabaseChanged)
            for watcher in watchers { watcher.tell(news) }
        }
        guard let trigger = trigger() else { return }
        for zone in news.opened.sorted() { trigger.opened(container.zone(zone)) }
        for zone in news.pushes.sorted() { trigger.changed(container.zone(zone)) }
    }

    /// - Throws: `resource_exhausted`.
    func watch(_ watcher: RecordsWatcher) throws(BatonError) -> UInt64 {
        try state.withLock { state throws(BatonError) -> UInt64 in
            guard !state.isEnded else { throw RecordsError.notAuthenticated }
            guard state.watchers.count < RecordsBounds.watches else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_watches",
                    "Too many processes watch this database, or one of them does so too often. A process needs one watch."
                )
            }
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = watcher
            return state.lastWatcher
        }
    }

    func endWatch(_ id: UInt64) { state.withLock { $0.watchers[id] = nil } }

    // MARK: Room

    func isFull(_ zone: RecordZoneName) -> Bool { state.withLock { $0.full.contains(zone) } }

    func set(_ zone: RecordZoneName, full: Bool) {
        state.withLock { state in
            if full { state.full.insert(zone) } else { state.full.remove(zone) }
        }
    }

    // MARK: Stamps

    /// The index of a zone, read if need be.
    func index<Value: Sendable>(
        of name: RecordZoneName, _ body: @escaping @Sendable (ItemIndex) -> Value
    ) async throws -> Value? {
        try await queue.run { [self] in
            // On the queue, so that nothing changes between the reading and the keeping.
            guard !isEnded else { return nil }
            let zone = try database.readBlocking { db in
                try Row.fetchOne(
                    db.cachedStatement(sql: "SELECT * FROM zone WHERE name = ?"), arguments: [name.rawValue]
                )
                .flatMap(ReplicaZone.init)
            }
            guard let zone else { return nil }
            if let known = state.withLock({ $0.indexes[zone.id] }) { return body(known) }
            // One after the other: there may be a million of them.
            let index = try database.readBlocking { db in
                var index = ItemIndex(try RecordGraves.digests(of: zone.id, in: db))
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT name, digest FROM record WHERE zone = ? AND is_buried = 0", arguments: [zone.id])
                while let row = try rows.next() { index.set(row["digest"] as Data, for: row["name"]) }
                return index
            }
            state.withLock { $0.indexes[zone.id] = index }
            return body(index)
        }
    }
}

/// An update for a watch.
struct RecordsNews: Hashable, Sendable {
    var zones: Set<RecordZoneName> = []
    var isDatabaseChanged = false
    var isAccountChanged = false
}

/// A process that watches a database. Nothing is queued but the names of zones, which a container has few of.
final class RecordsWatcher: Sendable {
    private let due = Mutex(RecordsNews())
    private let ring = Signal()
    /// Rings when something is due. One element: the content is read then.
    var signals: AsyncStream<Void> { ring.stream }

    func tell(_ news: RecordsNews) {
        due.withLock { due in
            due.zones.formUnion(news.zones)
            due.isDatabaseChanged = due.isDatabaseChanged || news.isDatabaseChanged
            due.isAccountChanged = due.isAccountChanged || news.isAccountChanged
        }
        ring.send()
    }

    func take() -> RecordsNews {
        due.withLock { due in
            defer { due = RecordsNews() }
            return due
        }
    }

    func end() { ring.finish() }
}
