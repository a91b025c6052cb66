import BatonConcurrency
package import BatonCore
package import BatonStore
import Foundation
import GRDB
import Synchronization

/// What an app may do.
package enum ContactPermission: Sendable, Hashable {
    case notDetermined
    case denied
    case authorized
}

/// Puts the question to the person.
package protocol ContactQuestions: Sendable {
    /// - Returns: nil where the person decided nothing.
    /// - Throws: where the question cannot be put, and when the caller gives up.
    func mayRead(app: AppIdentity, name: String) async throws -> Bool?
}

/// The person's decisions about apps that want to read contacts, in memory and in the database.
package final class ContactAccess: Sendable {
    package static let migrations = [
        DaemonDatabase.Migration("contacts-1") { db in
            try db.execute(
                sql: """
                    -- Which apps may read contacts. A decision stays when the app goes, and counts again when it is back.
                    CREATE TABLE contact_access (
                        bundle_id TEXT NOT NULL,
                        team_id TEXT NOT NULL,
                        -- Empty: the development team.
                        team_fingerprint BLOB NOT NULL,
                        allowed INTEGER NOT NULL,
                        PRIMARY KEY (bundle_id, team_fingerprint)
                    ) STRICT;
                    """)
        }
    ]

    /// Policy: more decisions are refused.
    private static let limit = 10_000
    /// Who closes the question without an answer is not asked again for so long.
    private static let rest = Duration.seconds(3600)

    private struct State {
        var decisions: [AppIdentity: Bool] = [:]
        /// Questions that wait. Bounded by those that may.
        var asking: Set<AppIdentity> = []
        /// When a question was closed without an answer. Bounded: cleared beyond the limit.
        var closed: [AppIdentity: ContinuousClock.Instant] = [:]
    }

    private let database: DaemonDatabase
    private let questions: any ContactQuestions
    private let recorder: any EventRecorder
    private let state: Mutex<State>
    private let changed = Broadcaster<Void>(.newest)

    package init(
        database: DaemonDatabase, questions: any ContactQuestions, recorder: any EventRecorder
    ) async throws {
        self.database = database
        self.questions = questions
        self.recorder = recorder
        let rows = try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM contact_access").map { row in
                (
                    row["bundle_id"] as String, row["team_id"] as String, Array(row["team_fingerprint"] as Data),
                    row["allowed"] as Bool
                )
            }
        }
        var decisions: [AppIdentity: Bool] = [:]
        for (bundleID, team, fingerprint, isAllowed) in rows {
            guard let bundleID = BundleID(rawValue: bundleID), let teamID = TeamID(rawValue: team),
                let team = try? TeamIdentity(id: teamID, fingerprint: fingerprint)
            else { continue }
            decisions[AppIdentity(bundleID: bundleID, team: team)] = isAllowed
        }
        state = Mutex(State(decisions: decisions))
    }

    package func permission(of app: AppIdentity) -> ContactPermission {
        switch state.withLock({ $0.decisions[app] }) {
        case true?: .authorized
        case false?: .denied
        case nil: .notDetermined
        }
    }

    /// - Throws: `permission_denied`, with reason `not_authorized`.
    package func check(_ app: AppIdentity) throws(BatonError) {
        guard permission(of: app) == .authorized else {
            throw BatonError(
                .permissionDenied, reason: "not_authorized",
                "\(app.bundleID) may not read contacts. Allow it: baton cards access \(app.bundleID) on")
        }
    }

    /// By bundle identifier.
    package func all() -> [(app: AppIdentity, isAllowed: Bool)] {
        state.withLock { $0.decisions }.map { (app: $0.key, isAllowed: $0.value) }
            .sorted { $0.app.description < $1.app.description }
    }

    /// Tells that a decision has changed.
    package func changes() -> AsyncStream<Void> { changed.subscribe() }

    /// - Parameter isAllowed: nil forgets the decision: the person is asked again.
    package func set(_ isAllowed: Bool?, for app: AppIdentity) async throws {
        guard isAllowed == nil || state.withLock({ $0.decisions[app] != nil || $0.decisions.count < Self.limit }) else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_apps",
                "More than \(Self.limit) apps have asked. Let some be asked again: baton cards access APP ask")
        }
        let (bundleID, team) = (app.bundleID.rawValue, app.team)
        try await database.write { db in
            if let isAllowed {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO contact_access VALUES (?, ?, ?, ?)",
                    arguments: [bundleID, team.id.rawValue, Data(team.fingerprint), isAllowed])
            } else {
                try db.execute(
                    sql: "DELETE FROM contact_access WHERE bundle_id = ? AND team_fingerprint = ?",
                    arguments: [bundleID, Data(team.fingerprint)])
            }
        }
        state.withLock { state in
            state.decisions[app] = isAllowed
            state.closed[app] = nil
        }
        recorder.record(
            "contacts", "access_set", "Whether an app may read contacts was decided.",
            ["app": app.description, "allowed": isAllowed.map { $0 ? "on" : "off" } ?? "ask"])
        changed.send(())
    }

    /// Asks the person once; each other call meanwhile waits for the same answer.
    package func request(_ app: AppIdentity, name: String) async throws -> ContactPermission {
        // Taken before the look, so that no answer in between is missed.
        let answers = changed.subscribe()
        enum Step {
            case known(ContactPermission)
            case wait
            case ask
        }
        let step = state.withLock { state -> Step in
            if let decision = state.decisions[app] { return .known(decision ? .authorized : .denied) }
            if let closed = state.closed[app], closed + Self.rest > .now { return .known(.notDetermined) }
            return state.asking.insert(app).inserted ? .ask : .wait
        }
        switch step {
        case .known(let permission): return permission
        case .wait:
            for await _ in answers where !state.withLock({ $0.asking.contains(app) && $0.decisions[app] == nil }) {
                break
            }
            try Task.checkCancellation()
            return permission(of: app)
        case .ask:
            defer {
                _ = state.withLock { $0.asking.remove(app) }
                changed.send(())
            }
            return try await ask(app, name, answers)
        }
    }

    /// The question ends, too, when the person decides on the command line.
    private func ask(
        _ app: AppIdentity, _ name: String, _ answers: AsyncStream<Void>
    ) async throws -> ContactPermission {
        let answer = try await withThrowingTaskGroup(of: Bool??.self) { group in
            group.addTask { [questions] in .some(try await questions.mayRead(app: app, name: name)) }
            group.addTask { [self] in
                for await _ in answers where permission(of: app) != .notDetermined { break }
                return .none
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .none
        }
        try Task.checkCancellation()
        guard case .some(let decision) = answer, permission(of: app) == .notDetermined else {
            return permission(of: app)
        }
        guard let decision else {
            state.withLock { state in
                if state.closed.count >= Self.limit { state.closed = [:] }
                state.closed[app] = .now
            }
            return .notDetermined
        }
        try await set(decision, for: app)
        return permission(of: app)
    }
}
