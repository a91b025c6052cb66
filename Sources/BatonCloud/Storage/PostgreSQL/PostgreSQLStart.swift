import BatonCore

/// A database that an operator names: waits for it, and says what it says when it refuses.
enum PostgreSQLStart {
    private static let deadline = Duration.seconds(9)
    /// Seconds for one look.
    private static let connecting = 3
    /// Characters of what a database said.
    private static let maximumTold = 300

    /// Returns once the server answers, also when it refuses; the refusal is reported when the database is used.
    /// - Parameters:
    ///   - place: the database's place in the list, from 1 on; nil when there is only one.
    ///   - patience: after which `waiting` is called.
    /// - Throws: `unavailable` `database_unavailable`; `failed_precondition` `database_refused` for a location that is
    ///   none.
    static func wait(
        for location: String, place: Int?, patience: Duration = .milliseconds(1500), waiting: () -> Void
    ) async throws {
        let start = ContinuousClock.now
        var pause = Duration.milliseconds(50)
        var isTold = false
        while PostgreSQLConnection.presence(location, connecting: connecting) == .silent {
            let waited = start.duration(to: .now)
            guard waited < deadline else { return try look(at: location, place) }
            if waited >= patience, !isTold {
                isTold = true
                waiting()
            }
            // PostgreSQL sends no signal when it begins to answer, so this polls.
            try await Task.sleep(for: pause)
            pause = min(pause * 2, Duration.milliseconds(500))
        }
    }

    /// One connection, which says why there is none.
    private static func look(at location: String, _ place: Int?) throws(BatonError) {
        do {
            _ = try PostgreSQLConnection(location, connecting: connecting)
        } catch {
            throw meaning(SQLFailure.meaning(error), location, place)
        }
    }

    /// Runs a query for an operator, who sees the database's own message.
    static func explaining<Value>(
        _ location: String, place: Int?, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as BatonError {
            throw meaning(error, location, place)
        }
    }

    /// As ``explaining(_:place:_:)``, for what blocks.
    static func explaining<Value>(
        blocking location: String, place: Int?, _ body: () throws(BatonError) -> Value
    ) throws(BatonError) -> Value {
        do throws(BatonError) {
            return try body()
        } catch {
            throw meaning(error, location, place)
        }
    }

    /// In place of a sentence that is for devices, one that is for the operator. Asks the database whether it is there.
    private static func meaning(_ error: BatonError, _ location: String, _ place: Int?) -> BatonError {
        guard let failure = error.cause as? SQLFailure,
            ["database_unavailable", "database_failed"].contains(error.reason)
        else { return error }
        let presence =
            failure.isConnectionLost ? PostgreSQLConnection.presence(location, connecting: connecting) : .answers
        return meaning(of: failure, presence, place)
    }

    static func meaning(
        of failure: SQLFailure, _ presence: PostgreSQLConnection.Presence, _ place: Int?
    ) -> BatonError {
        let words = told(failure.message)
        switch presence {
        case .silent:
            return BatonError(
                .unavailable, reason: "database_unavailable",
                "\(name(place)) does not answer: “\(words)”. Check that it runs, and its address in “storage.postgres” "
                    + "(--postgres).", cause: failure)
        case .malformed:
            return BatonError(
                .failedPrecondition, reason: "database_refused",
                "\(name(place)) cannot be used: “\(words)”. Mend its URL in “storage.postgres” (--postgres).",
                cause: failure)
        case .answers:
            let advice =
                failure.isConnectionLost
                ? "Check the role, the database's name and the options in “storage.postgres” (--postgres), the file that "
                    + "PGPASSFILE names, and the server's pg_hba.conf."
                : "Check that the role may make and use tables there, and that the schema of its search_path exists."
            return BatonError(
                .failedPrecondition, reason: "database_refused",
                "\(name(place)) refuses: “\(words)”. \(advice)", cause: failure)
        }
    }

    /// At the beginning of a sentence.
    /// - Parameter place: nil when there is only one.
    static func name(_ place: Int?) -> String { place.map { "Database \($0)" } ?? "The database" }

    /// The first line, without what a terminal would obey. PostgreSQL's messages hold no passwords, and a URL with one
    /// was refused before.
    private static func told(_ message: String) -> String {
        let line = message.split(whereSeparator: \.isNewline).first ?? "nothing"
        let shown = line.unicodeScalars.prefix(maximumTold).map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: Character(scalar)
            }
        }
        return String(shown)
    }
}
