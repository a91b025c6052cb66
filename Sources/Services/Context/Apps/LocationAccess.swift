import BatonConcurrency
package import BatonCore
import BatonStore
import Foundation
import Synchronization

/// What an app may know.
package enum LocationPermission: Sendable, Hashable {
    case notDetermined
    case denied
    case authorized
}

/// Puts the question to the person.
package protocol LocationQuestions: Sendable {
    /// - Returns: nil where the person decided nothing.
    /// - Throws: where the question cannot be put, and when the caller gives up.
    func mayLocate(app: AppIdentity, name: String) async throws -> Bool?
}

/// The person's decisions about apps that want to know where the device is: in memory, and in a file.
package final class LocationAccess: Sendable {
    /// Policy: more decisions are refused.
    private static let limit = 10_000
    private static let maximumFile = 8 << 20
    /// Who closes the question without an answer is not asked again for so long.
    private static let rest = Duration.seconds(3600)

    private struct Decision: Codable {
        var bundleID: String
        var teamID: String
        /// Empty: the development team.
        var teamFingerprint: Data
        var isAllowed: Bool
    }

    private struct State {
        var decisions: [AppIdentity: Bool] = [:]
        /// Questions that wait. Bounded by those that may.
        var asking: Set<AppIdentity> = []
        /// When a question was closed without an answer. Bounded: cleared beyond the limit.
        var closed: [AppIdentity: ContinuousClock.Instant] = [:]
    }

    private let path: String
    private let questions: any LocationQuestions
    private let recorder: any EventRecorder
    private let state: Mutex<State>
    private let changed = Broadcaster<Void>(.newest)
    private let queue = BlockingQueue("development.baton.location-access")
    private let turns = AsyncSemaphore(1)

    /// Blocks. A file that cannot be read counts as none: apps ask again.
    /// - Parameter folder: of the file of decisions.
    package init(folder: String, questions: any LocationQuestions, recorder: any EventRecorder) {
        path = folder + "/location-access.json"
        self.questions = questions
        self.recorder = recorder
        let bytes = (try? AtomicFile.read(path, limit: Self.maximumFile)) ?? nil
        let list = bytes.flatMap { try? JSONDecoder().decode([Decision].self, from: Data($0)) } ?? []
        var decisions: [AppIdentity: Bool] = [:]
        for decision in list.prefix(Self.limit) {
            guard let bundleID = BundleID(rawValue: decision.bundleID), let teamID = TeamID(rawValue: decision.teamID),
                let team = try? TeamIdentity(id: teamID, fingerprint: Array(decision.teamFingerprint))
            else { continue }
            decisions[AppIdentity(bundleID: bundleID, team: team)] = decision.isAllowed
        }
        state = Mutex(State(decisions: decisions))
    }

    package func permission(of app: AppIdentity) -> LocationPermission {
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
                "\(app.bundleID) may not know where this device is. Allow it: baton location \(app.bundleID) on")
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
        try await turns.withPermit { [self] in
            var decisions = state.withLock { $0.decisions }
            decisions[app] = isAllowed
            guard decisions.count <= Self.limit else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_apps",
                    "More than \(Self.limit) apps have asked. Let some be asked again: baton location APP ask")
            }
            let list = decisions.map { app, isAllowed in
                Decision(
                    bundleID: app.bundleID.rawValue, teamID: app.team.id.rawValue,
                    teamFingerprint: Data(app.team.fingerprint), isAllowed: isAllowed)
            }
            let bytes = try Array(JSONEncoder().encode(list))
            try await queue.run { [path] in try AtomicFile.write(bytes, to: path) }
            state.withLock { state in
                state.decisions[app] = isAllowed
                state.closed[app] = nil
            }
        }
        recorder.record(
            "location", "access_set", "Whether an app may know where the device is was decided.",
            ["app": app.description, "allowed": isAllowed.map { $0 ? "on" : "off" } ?? "ask"])
        changed.send(())
    }

    /// Asks the person once; each other call meanwhile waits for the same answer.
    package func request(_ app: AppIdentity, name: String) async throws -> LocationPermission {
        // Taken before the look, so that no answer in between is missed.
        let answers = changed.subscribe()
        enum Step {
            case known(LocationPermission)
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
    ) async throws -> LocationPermission {
        let answer = try await withThrowingTaskGroup(of: Bool??.self) { group in
            group.addTask { [questions] in .some(try await questions.mayLocate(app: app, name: name)) }
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
