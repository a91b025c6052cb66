import BatonCore
import Glibc
import NIOPosix
import Synchronization

/// Connections to one database, and the threads that wait for it. A connection that is lost is replaced when it is needed.
final class PostgreSQLPool: Sendable {
    /// Calls that wait for a thread. Policy: more are refused, `unavailable`.
    static let maximumWaiting = 4096
    /// How often a transaction is tried that meets others.
    private static let maximumAttempts = 10

    private struct State {
        var idle: [PostgreSQLConnection] = []
        var waiting = 0
        var isClosed = false
    }

    private let location: String
    /// The database's place in the list, from 1 on, to name it by; nil when there is only one.
    let place: Int?
    /// Belongs to the database.
    let shortage = SpaceShortage()
    private let threads: NIOThreadPool
    private let state = Mutex(State())

    /// - Parameter threads: how many calls wait for the database at once, each with a connection of its own.
    init(_ location: String, place: Int? = nil, threads: Int) {
        self.location = location
        self.place = place
        self.threads = NIOThreadPool(numberOfThreads: threads)
        self.threads.start()
    }

    /// Blocks until the calls in progress are done.
    func close() {
        state.withLock { $0.isClosed = true }
        try? threads.syncShutdownGracefully()
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(idle) {}
    }

    // MARK: From the cooperative pool

    /// All reads in `body` see one state of the database.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await onThread { [self] in try perform(body) }
    }

    /// - Parameter isRepeatable: it may be done a second time when it is unknown whether it was done the first.
    func write<Value: Sendable>(
        isRepeatable: Bool = true, _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await onThread { [self] in try transaction(isRepeatable: isRepeatable, body) }
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let isAdmitted = state.withLock { state in
            guard !state.isClosed, state.waiting < Self.maximumWaiting else { return false }
            state.waiting += 1
            return true
        }
        guard isAdmitted else { throw Self.overloaded }
        defer { state.withLock { $0.waiting -= 1 } }
        return try await threads.runIfActive(body)
    }

    // MARK: On a thread that may wait

    /// - Parameter body: is done again with another connection when the first is lost: it changes nothing, or may be
    ///   done twice.
    func perform<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws(BatonError) -> Value {
        try attempts(isRepeatable: true) { connection, _ in try body(connection) }
    }

    func transaction<Value>(
        isRepeatable: Bool, _ body: (PostgreSQLConnection) throws -> Value
    ) throws(BatonError) -> Value {
        try attempts(isRepeatable: isRepeatable) { connection, isCommitting in
            _ = try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
            let value = try body(connection)
            isCommitting = true
            _ = try connection.run("COMMIT")
            return value
        }
    }

    private func attempts<Value>(
        isRepeatable: Bool, _ body: (PostgreSQLConnection, inout Bool) throws -> Value
    ) throws(BatonError) -> Value {
        var attempt = 0
        while true {
            attempt += 1
            var isCommitting = false
            do {
                let connection = try take()
                defer { giveBack(connection) }
                return try body(connection, &isCommitting)
            } catch let failure as SQLFailure {
                let mayRepeat = isRepeatable || !isCommitting
                if failure.isConcurrency, attempt < Self.maximumAttempts {
                    // So that those that met do not meet again.
                    usleep(UInt32.random(in: 500...(2000 * UInt32(attempt))))
                } else if failure.isConnectionLost, mayRepeat, attempt == 1 {
                    // The others were opened before the database went away, too.
                    state.withLock { $0.idle = [] }
                } else {
                    let named = failure.of(database: place)
                    shortage.hear(named.meaning)
                    throw named.isConnectionLost && !mayRepeat ? Self.unknownOutcome(named) : named.meaning
                }
            } catch {
                throw SQLFailure.meaning(error)
            }
        }
    }

    private func take() throws -> PostgreSQLConnection {
        if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
        return try PostgreSQLConnection(location)
    }

    private func giveBack(_ connection: PostgreSQLConnection) {
        connection.reset()
        guard !connection.isLost else { return }
        state.withLock { if !$0.isClosed { $0.idle.append(connection) } }
    }

    private static let overloaded = BatonError(
        .unavailable, reason: "overloaded", "The server has more to do than it can. Try again later.")
    private static func unknownOutcome(_ failure: SQLFailure) -> BatonError {
        BatonError(
            .unavailable, reason: "outcome_unknown",
            "The connection to the database was lost at the last moment: the operation may have been done. Look "
                + "first.", cause: failure)
    }
}
