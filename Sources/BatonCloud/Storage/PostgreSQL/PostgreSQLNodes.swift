import BatonCore
import Foundation

/// Which nodes run, as a database knows it: each holds a lock there that all of them may hold at once.
enum PostgreSQLNodes {
    /// Milliseconds that nodes have to end that were stopped a moment ago.
    private static let patience = "3000"
    /// Milliseconds: less than the listener waits for an answer.
    private static let joining = "2000"

    /// The lock's number, which other clouds in the same database do not have.
    static func lock(_ identity: Data) -> Int64 {
        identity.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    /// As long as the connection lasts.
    static func join(_ lock: Int64, _ connection: PostgreSQLConnection) throws {
        do {
            _ = try connection.run("SELECT set_config('lock_timeout', $1, false)", .text(joining))
            _ = try connection.run("SELECT pg_advisory_lock_shared($1)", .integer(lock))
        } catch let failure as SQLFailure where failure.state == lockNotAvailable {
            throw beingRestored
        }
    }

    /// Keeps nodes from starting for as long as the connection lives that it returns. Blocks.
    /// - Throws: `failed_precondition` `nodes_running`.
    static func keepOut(of location: String) throws(BatonError) -> PostgreSQLConnection {
        do {
            let connection = try PostgreSQLConnection(location)
            let rows = try connection.run("SELECT value FROM server WHERE name = 'identity'")
            // Without an identity no node ever ran.
            if let identity = try rows.first?.blob(0) {
                _ = try connection.run("SELECT set_config('lock_timeout', $1, false)", .text(patience))
                _ = try connection.run("SELECT pg_advisory_lock($1)", .integer(lock(identity)))
            }
            return connection
        } catch let failure as SQLFailure where failure.state == lockNotAvailable {
            throw running
        } catch {
            throw SQLFailure.meaning(error)
        }
    }

    private static let lockNotAvailable = "55P03"
    private static let running = BatonError(
        .failedPrecondition, reason: "nodes_running",
        "A server runs with these databases. Stop every node first, and start them afterwards.")
    private static let beingRestored = BatonError(
        .failedPrecondition, reason: "being_restored",
        "“baton-cloud restored” runs with this database. Start the server when it has ended.")
}
