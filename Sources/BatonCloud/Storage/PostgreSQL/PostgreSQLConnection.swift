import BatonCore
import CLibPQ
import Dispatch
import Foundation
import Glibc

/// A connection to PostgreSQL, used by one thread at a time, which waits here for the answers, never longer than the
/// deadline. Statements go in one pipeline: many cost one round trip.
///
/// `@unchecked Sendable`: it has no lock. ``PostgreSQLPool`` and ``PostgreSQLListener`` hand it to one thread at a time.
final class PostgreSQLConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    /// Names of statements that this connection has prepared.
    private var prepared: [String: String] = [:]
    private var names = 0
    private(set) var isLost = false
    /// Milliseconds that one pipeline may take.
    private let patience: Int

    /// `PG_DIAG_SQLSTATE`, which is a macro that Swift does not see.
    private static let stateField = Int32(UInt8(ascii: "C"))

    /// Settings for every connection. Those that a compatible database does not know are left out. They make
    /// acknowledged writes durable, make every statement use an index whatever the statistics say, and plan each
    /// statement once.
    private static let settings = SQLStatement(
        """
        SELECT set_config(s.name, s.value, false)
        FROM unnest($1::text[], $2::text[]) AS s(name, value) JOIN pg_settings p ON p.name = s.name
        WHERE s.name <> 'synchronous_commit' OR p.setting = 'off'
        """,
        .texts([
            "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "synchronous_commit",
            "enable_hashjoin", "enable_mergejoin", "enable_seqscan", "jit", "plan_cache_mode",
            // Sessions and locks of a machine that is gone end soon.
            "tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "idle_session_timeout",
        ]),
        .texts([
            "20000", "10000", "60000", "on", "off", "off", "off", "off", "force_generic_plan", "10", "5", "3", "0",
        ]))

    /// - Parameters:
    ///   - location: a URL or string as libpq knows it.
    ///   - connecting: seconds that connecting may take, unless the location says so itself.
    init(_ location: String, patience: Int = 30_000, connecting: Int = 10) throws {
        self.patience = patience
        var (names, values) = PostgreSQLConnection.options(location, connecting: connecting)
        defer { for text in names + values { free(UnsafeMutablePointer(mutating: text)) } }
        guard let handle = PQconnectdbParams(&names, &values, 1) else {
            throw SQLFailure(message: "There is no memory for a connection.")
        }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1
        else {
            // `deinit` frees the handle.
            throw SQLFailure(message: String(cString: PQerrorMessage(handle)))
        }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        _ = try run([Self.settings])
    }

    deinit { PQfinish(handle) }

    /// Names and values, each to be freed, with a nil at the end.
    private static func options(
        _ location: String, connecting: Int
    ) -> (names: [UnsafePointer<CChar>?], values: [UnsafePointer<CChar>?]) {
        let options: [(String, String)] = [
            ("connect_timeout", "\(connecting)"), ("application_name", "baton-cloud"), ("client_encoding", "UTF8"),
            ("tcp_user_timeout", "15000"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            // The URL's parameters override those above.
            ("dbname", location),
        ]
        let names: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.0)) } + [nil]
        let values: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.1)) } + [nil]
        return (names, values)
    }

    /// The answer of a server to a connection attempt, whether it accepts the connection or not.
    enum Presence {
        case answers
        /// Not there, or not yet.
        case silent
        /// The location cannot be used, wherever the server is.
        case malformed
    }

    /// Blocks.
    /// - Parameter connecting: as for ``init(_:patience:connecting:)``.
    static func presence(_ location: String, connecting: Int) -> Presence {
        var (names, values) = options(location, connecting: connecting)
        defer { for text in names + values { free(UnsafeMutablePointer(mutating: text)) } }
        let ping = PQpingParams(&names, &values, 1)
        if ping == PQPING_OK { return .answers }
        return ping == PQPING_NO_ATTEMPT ? .malformed : .silent
    }

    var socket: Int32 { PQsocket(handle) }

    // MARK: Statements

    func run(_ sql: String, _ values: SQLValue...) throws -> SQLRows {
        var statement = SQLStatement(sql)
        statement.values = values
        let rows = try run([statement])
        guard let first = rows.first else { throw SQLFailure(message: "A statement was not answered.") }
        return first
    }

    /// Sends all at once. After one that fails none is run.
    /// - Returns: an answer for each.
    func run(_ statements: [SQLStatement]) throws -> [SQLRows] {
        guard !isLost else { throw SQLFailure(message: "The connection is closed.") }
        var steps: [Step] = []
        for statement in statements { try send(statement, &steps) }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        return try answers(to: steps)
    }

    /// Several statements without parameters, as they stand in a script.
    func script(_ statements: [String]) throws { _ = try run(statements.map { SQLStatement($0) }) }

    private enum Step {
        case prepare(sql: String, name: String)
        case perform
    }

    private func send(_ statement: SQLStatement, _ steps: inout [Step]) throws {
        let types = statement.values.map { Oid($0.type) }
        var name = prepared[statement.sql]
        for case .prepare(statement.sql, let sent) in steps { name = sent }
        let known: String
        if let name {
            known = name
        } else {
            names += 1
            known = "s\(names)"
            guard PQsendPrepare(handle, known, statement.sql, Int32(types.count), types) == 1 else { throw lost() }
            steps.append(.prepare(sql: statement.sql, name: known))
        }
        var bytes: [UInt8] = []
        var places: [Int] = []
        for value in statement.values {
            places.append(bytes.count)
            value.encode(into: &bytes)
        }
        let lengths = zip(places, places.dropFirst() + [bytes.count]).map { Int32($1 - $0) }
        // So that there is an address also of nothing.
        bytes.append(0)
        let isSent = bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = zip(statement.values, places).map { value, place in
                value.isNull ? nil : start.map { $0 + place }
            }
            let formats = [Int32](repeating: 1, count: pointers.count)
            return PQsendQueryPrepared(handle, known, Int32(pointers.count), pointers, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lost() }
        steps.append(.perform)
    }

    private func answers(to steps: [Step]) throws -> [SQLRows] {
        var rows: [SQLRows] = []
        var failure: SQLFailure?
        var step = 0
        let end = Self.now() + patience
        while true {
            try waitForAnswer(until: end)
            guard let result = PQgetResult(handle) else {
                guard PQstatus(handle) == CONNECTION_OK, step < steps.count else { throw lost() }
                step += 1
                continue
            }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                if let failure { throw failure }
                return rows
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                if step < steps.count, case .prepare(let sql, let name) = steps[step] {
                    prepared[sql] = name
                    PQclear(result)
                } else {
                    rows.append(SQLRows(result))
                }
            case PGRES_PIPELINE_ABORTED: PQclear(result)
            default:
                let state = PQresultErrorField(result, Self.stateField).map { String(cString: $0) }
                failure = failure ?? SQLFailure(state: state, message: String(cString: PQresultErrorMessage(result)))
                PQclear(result)
                if PQstatus(handle) != CONNECTION_OK { throw lost(failure) }
            }
        }
    }

    /// - Parameter failure: that says why.
    private func lost(_ failure: SQLFailure? = nil) -> SQLFailure {
        isLost = true
        if let failure, failure.isConnectionLost { return failure }
        return SQLFailure(message: String(cString: PQerrorMessage(handle)))
    }

    // MARK: Waiting

    private func waitForAnswer(until end: Int) throws {
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else {
                // The server may have said why it closes the connection.
                guard PQconsumeInput(handle) == 1, PQisBusy(handle) == 0 else { throw lost() }
                return
            }
            if PQisBusy(handle) == 0, unsent == 0 { return }
            var entry = pollfd(fd: socket, events: Int16(unsent > 0 ? POLLIN | POLLOUT : POLLIN), revents: 0)
            let ready = poll(&entry, 1, Int32(clamping: max(0, end - Self.now())))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else {
                isLost = true
                throw SQLFailure(message: "The database did not answer in time.")
            }
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    private static func now() -> Int { Int(clamping: DispatchTime.now().uptimeNanoseconds / 1_000_000) }

    // MARK: State

    /// Brings the connection back to where it was before a transaction.
    func reset() {
        guard !isLost, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        do { _ = try run("ROLLBACK") } catch { isLost = true }
    }

    /// Notifications from other sessions since the last call.
    func notifications() throws -> [String] {
        guard PQconsumeInput(handle) == 1 else { throw lost() }
        var payloads: [String] = []
        while let notification = PQnotifies(handle) {
            payloads.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return payloads
    }
}
