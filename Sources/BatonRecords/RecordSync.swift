import AppLink
public import Baton
import BatonConcurrency
import BatonCore
import BatonWire
public import GRDB
import RecordMirror
import Synchronization

/// Gives every device of the person's account the same rows: it mirrors tables of the app's SQLite database in a zone of a container.
///
/// ```swift
/// let sync = try RecordSync(database, container: .default(), tables: [
///     SyncedTable("lists", unique: [["title"]: .merge]),
///     SyncedTable("items", quiet: ["lastOpened"], local: ["isExpanded"]),
/// ])
/// try await sync.start()
/// ```
///
/// The app goes on to read and write its database as before, by whatever connection. Triggers note each change in the table
/// `baton_journal`; the daemon takes them, and travels with them. Changes of other devices are applied in one transaction, which
/// observations see as any other. Rows are merged column by column: the later write of a column wins.
///
/// Safe to use from any thread. One `RecordSync` for a database file and process; other processes may write to the file.
///
/// An installed app needs the same entitlements as for `CKContainer`.
public final class RecordSync: Sendable {
    let mirror: Mirror
    let link: RecordsLink
    let state = Mutex(State())

    struct State {
        var status = Status()
        var task: Task<Void, Never>?
        var poll: Task<Void, Never>?
        var watch: DaemonSubscription?
        var wake: Signal?
        /// The database lets go of it with this one.
        var observer: JournalObserver?
        /// Callers that wait for an exchange that begins after they came.
        var waiters: [CheckedContinuation<Void, any Error>] = []
        /// Each with a bound of its own: the newest 256 events.
        var events: [Int: AsyncStream<Event>.Continuation] = [:]
        var nextStream = 0
        /// The schema has to be said again.
        var isOpen = false
        var toldWaiting = 0
        /// How many lines waited when they were counted last, and the number of the newest.
        var counted: (lines: Int, newest: Int64)?
        /// Exchanges that failed since the last that did not.
        var failures = 0
    }

    /// Reads the schema and refuses what cannot sync. It writes nothing.
    ///
    /// - Parameters:
    ///   - database: the app's pool or queue. A file that other processes write needs GRDB's settings for sharing.
    ///   - container: the container of the person's account.
    ///   - zone: a name for the database within the container: 1 to 255 ASCII characters, not beginning with `_`.
    ///   - tables: those that sync, with every table that their foreign keys refer to.
    /// - Throws: ``SchemaError``, and what SQLite throws.
    public init(
        _ database: any DatabaseWriter, container: CKContainer, zone: String = "Database", tables: [SyncedTable]
    ) throws {
        link = container.mirrorLink
        mirror = Mirror(
            database, tables: tables.map(\.mirrored), service: DaemonMirrorService(link: link, zone: zone),
            makeActor: { Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }) })
        let mirrored = mirror.tables
        try Self.explaining { try database.read { _ = try SchemaReader.read(mirrored, in: $0) } }
    }

    deinit {
        let state = state.withLock { $0 }
        state.task?.cancel()
        state.poll?.cancel()
        for stream in state.events.values { stream.finish() }
        // Lets go of the connection; no caller is left that could wait for it.
        if let watch = state.watch { Task { await watch.stop() } }
    }

    // MARK: Migrations

    /// Makes the tables of the mirror: in a migration of an app whose own triggers read whether changes of other devices are being
    /// applied. Such a trigger says `WHEN (SELECT applying FROM baton_state) IS NOT 1`.
    ///
    /// - Throws: what SQLite throws.
    public static func prepare(_ db: Database) throws { try MirrorTables.create(in: db) }

    /// Removes the triggers that note changes: before a migration that drops or renames columns, which SQLite refuses while triggers
    /// name them. ``start()`` makes them anew, and finds what was written meanwhile by comparing.
    ///
    /// - Throws: what SQLite throws.
    public static func removeTriggers(_ db: Database) throws { try CaptureTriggers.remove(in: db) }

    // MARK: Life

    /// Notes changes from now on, and keeps the tables and the account's rows the same until ``stop()``.
    ///
    /// Returns when changes are noted; the daemon need not be there. Rows that are there already are handed over as older than any
    /// edit. Harmless when it runs.
    ///
    /// - Throws: ``SchemaError``, and what SQLite throws.
    public func start() async throws {
        guard state.withLock({ $0.task == nil }) else { return }
        let shapes: [TableShape]
        do {
            shapes = try await mirror.start()
        } catch let problem as SchemaProblem {
            throw SchemaError(problem)
        }
        let wake = Signal()
        let observer = JournalObserver { wake.send() }
        mirror.database.add(transactionObserver: observer, extent: .observerLifetime)
        let isFirst = state.withLock { state in
            guard state.task == nil else { return false }
            state.wake = wake
            state.observer = observer
            state.status.isRunning = true
            state.isOpen = false
            // It lives until `stop`, or until the object goes: it holds it weakly between two exchanges.
            state.task = Task { [weak self] in
                for await _ in wake.stream {
                    guard let self else { return }
                    await self.turn(shapes)
                }
            }
            // Other processes' writes are seen by looking. Ended with the other one.
            state.poll = Task { [weak self] in
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(1))
                    guard let self else { return }
                    await self.look()
                }
            }
            return true
        }
        guard isFirst else { return }
        let watch = link.watch(
            { [weak self] news in self?.heard(begins: news.begins || news.accountChanged) },
            ended: { [weak self] _ in self?.lost() })
        state.withLock { $0.watch = watch }
        wake.send()
    }

    /// Ends the exchange. Changes are still noted, and are sent after the next ``start()``.
    public func stop() async {
        let (tasks, watch, waiters) = state.withLock { state in
            let ended = ([state.task, state.poll], state.watch, state.waiters)
            state.wake?.finish()
            (state.task, state.poll, state.watch, state.wake, state.waiters) = (nil, nil, nil, nil, [])
            state.observer = nil
            state.status.isRunning = false
            return ended
        }
        for task in tasks { task?.cancel() }
        for waiter in waiters { waiter.resume(throwing: CancellationError()) }
        await watch?.stop()
        for task in tasks { await task?.value }
    }

    // MARK: On demand

    /// Waits until what the app has committed is with the daemon, durably. It travels on by itself.
    ///
    /// - Throws: `CancellationError` when it is not started or was stopped; what keeps the daemon from taking it.
    public func sendChanges() async throws { try await exchange() }

    /// Waits until the tables show what the daemon knew when it was called.
    ///
    /// - Throws: as ``sendChanges()``.
    public func fetchChanges() async throws { try await exchange() }

    private func exchange() async throws {
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
            let (wake, watch) = state.withLock { state in
                if state.task != nil { state.waiters.append(waiter) }
                return (state.wake, state.watch)
            }
            guard let wake else { return waiter.resume(throwing: CancellationError()) }
            watch?.hurry()
            wake.send()
        }
    }

    // MARK: Events

    /// How it stands.
    public var status: Status { state.withLock { $0.status } }

    /// A new stream of what happens from now on. A reader who is slow misses the older ones beyond 256. It ends with the object.
    public var events: AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
        let number = state.withLock { state in
            state.nextStream += 1
            state.events[state.nextStream] = continuation
            return state.nextStream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.events.removeValue(forKey: number) }
        }
        return stream
    }

    static func explaining<Output>(_ body: () throws -> Output) throws -> Output {
        do {
            return try body()
        } catch let problem as SchemaProblem {
            throw SchemaError(problem)
        }
    }
}
