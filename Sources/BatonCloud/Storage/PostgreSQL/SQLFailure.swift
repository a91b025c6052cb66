import BatonCore
import Foundation

/// A failed statement or connection.
struct SQLFailure: Error, CustomStringConvertible {
    /// SQLSTATE; nil when the connection is lost, or the answer did not come in time.
    var state: String?
    var message: String
    /// The database's place in the list, from 1 on; nil when there is only one.
    var database: Int?

    var description: String { (state ?? "no connection") + ": " + message }

    /// The connection is of no use any more; another one may be.
    var isConnectionLost: Bool {
        guard let state else { return true }
        return state.hasPrefix("08") || ["57P01", "57P02", "57P03"].contains(state)
    }

    /// The transaction met another one, and would succeed when it is tried again: also where both made the same row.
    var isConcurrency: Bool { ["40001", "40P01", "23505"].contains(state) }

    func of(database: Int?) -> SQLFailure {
        var failure = self
        failure.database = database
        return failure
    }

    /// Nothing of what the database says goes to devices.
    var meaning: BatonError {
        switch state {
        case "53100":
            BatonError(
                .resourceExhausted, reason: "disk_full", "The server's disk is full; nothing was changed. Try later.",
                cause: self)
        case "XX001", "XX002":
            BatonError(
                .dataLoss, reason: "database_damaged",
                "The database is damaged; nothing was changed. Put back a copy of it.", cause: self)
        case _ where isConnectionLost:
            BatonError(
                .unavailable, reason: "database_unavailable", "The database does not answer. Try again later.",
                cause: self)
        default:
            BatonError(.unavailable, reason: "database_failed", "The database failed. Try again.", cause: self)
        }
    }

    static func meaning(_ error: any Error) -> BatonError {
        if let failure = error as? SQLFailure { return failure.meaning }
        if let error = error as? BatonError { return error }
        return BatonError(.unavailable, reason: "database_failed", "The database failed. Try again.", cause: error)
    }
}
