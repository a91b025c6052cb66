import BatonConcurrency
package import BatonCore
import Foundation
import GRDB
import Synchronization

/// Which apps may use something of the person's, such as contacts: each app is asked about once. Decisions are in memory and in the
/// database, and stay when an app goes.
package final class AppPermissions: Sendable {
    package enum Permission: Sendable, Hashable {
        case notDetermined
        case denied
        case authorized
    }

    /// A thing that apps want to use.
    package struct Subject: Sendable {
        /// The table of decisions. Never changed once released.
        let table: String
        /// The category of its event records.
        let category: String
        /// Completes “The app may …”.
        let action: String
        /// Changes decisions, as in `baton location`.
        let command: String

        package init(table: String, category: String, action: String, command: String) {
            self.table = table
            self.category = category
            self.action = action
            self.command = command
        }
    }

    /// Puts the question to the person. Nil: the person decided nothing. Throws where it cannot be put, and when the caller gives up.
    package typealias Question = @Sendable (_ app: AppIdentity, _ name: String) async throws -> Bool?

    /// Policy: more decisions are refused.
    private static let limit = 10_000
    /// After a question was closed without an answer, the app is not asked about again for so long.
    private static let rest = Duration.seconds(3600)
    /// After so many questions that it withdrew the app is not asked about for as long, either: one that comes and goes is neither read
    /// nor refused, and a press of a key may meet it.
    private static let maximumWithdrawn = 3

    private struct State {
        var decisions: [AppIdentity: Bool] = [:]
        /// Questions that wait. Bounded by those that may.
        var asking: Set<AppIdentity> = []
        /// When a question was closed without an answer. Bounded: cleared beyond the limit.
        var closed: [AppIdentity: ContinuousClock.Instant] = [:]
        /// How many questions an app has withdrawn since then. Bounded as those.
        var withdrawn: [AppIdentity: Int] = [:]

        mutating func close(_ app: AppIdentity) {
            if closed.count >= AppPermissions.limit { closed = [:] }
            closed[app] = .now
            withdrawn[app] = nil
        }

        mutating func withdraw(_ app: AppIdentity) {
            if withdrawn.count >= AppPermissions.limit { withdrawn = [:] }
            withdrawn[app, default: 0] += 1
            if withdrawn[app, default: 0] >= AppPermissions.maximumWithdrawn { close(app) }
        }
    }

    private let subject: Subject
    private let database: DaemonDatabase
    private let question: Question
    private let recorder: any EventRecorder
    private let state: Mutex<State>
    private let changed = Broadcaster<Void>(.newest)

    /// Makes the table of decisions.
    package static func migration(_ name: String, _ subject: Subject) -> DaemonDatabase.Migration {
        DaemonDatabase.Migration(name) { db in
            try db.execute(
                sql: """
                    CREATE TABLE \(subject.table) (
                        bundle_id TEXT NOT NULL,
                        team_id TEXT NOT NULL,
                        -- Empty: the development team.
                        team_fingerprint BLOB NOT NULL,
                        allowed INTEGER NOT NULL,
                        PRIMARY KEY (bundle_id, team_fingerprint)
                    ) STRICT;
                    """)
        }
    }

    package init(
        _ subject: Subject, database: DaemonDatabase, recorder: any EventRecorder, question: @escaping Question
    ) async throws {
        self.subject = subject
        self.database = database
        self.question = question
        self.recorder = recorder
        let rows = try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM \(subject.table)").map { row in
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

    package func permission(of app: AppIdentity) -> Permission {
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
                "\(app.bundleID) may not \(subject.action). Allow it: \(subject.command) \(app.bundleID) on")
        }
    }

    /// By bundle identifier.
    package func all() -> [(app: AppIdentity, isAllowed: Bool)] {
        state.withLock { $0.decisions }.map { (app: $0.key, isAllowed: $0.value) }
            .sorted { $0.app.description < $1.app.description }
    }

    /// Announces that a decision has changed.
    package func changes() -> AsyncStream<Void> { changed.subscribe() }

    /// - Parameter isAllowed: nil forgets the decision: the person is asked again.
    package func set(_ isAllowed: Bool?, for app: AppIdentity) async throws {
        guard isAllowed == nil || state.withLock({ $0.decisions[app] != nil || $0.decisions.count < Self.limit }) else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_apps",
                "More than \(Self.limit) apps have asked. Let some be asked again: \(subject.command) APP ask")
        }
        let (bundleID, team, table) = (app.bundleID.rawValue, app.team, subject.table)
        try await database.write { db in
            if let isAllowed {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO \(table) VALUES (?, ?, ?, ?)",
                    arguments: [bundleID, team.id.rawValue, Data(team.fingerprint), isAllowed])
            } else {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE bundle_id = ? AND team_fingerprint = ?",
                    arguments: [bundleID, Data(team.fingerprint)])
            }
        }
        state.withLock { state in
            state.decisions[app] = isAllowed
            state.closed[app] = nil
            state.withdrawn[app] = nil
        }
        recorder.record(
            subject.category, "access_set", "Whether an app may \(subject.action) was decided.",
            ["app": app.description, "allowed": isAllowed.map { $0 ? "on" : "off" } ?? "ask"])
        changed.send(())
    }

    /// Asks the person once; each other call meanwhile waits for the same answer.
    package func request(_ app: AppIdentity, name: String) async throws -> Permission {
        // Taken before the look, so that no answer in between is missed.
        let answers = changed.subscribe()
        enum Step {
            case known(Permission)
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
            do {
                return try await ask(app, name, answers)
            } catch {
                if Task.isCancelled { state.withLock { $0.withdraw(app) } }
                throw error
            }
        }
    }

    /// The question ends, too, when the person decides on the command line.
    private func ask(_ app: AppIdentity, _ name: String, _ answers: AsyncStream<Void>) async throws -> Permission {
        let answer = try await withThrowingTaskGroup(of: Bool??.self) { group in
            group.addTask { [question] in .some(try await question(app, name)) }
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
            state.withLock { $0.close(app) }
            return .notDetermined
        }
        try await set(decision, for: app)
        return permission(of: app)
    }
}
