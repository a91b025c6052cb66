import AppLink
import BatonClient
import BatonCore
import BatonWire
import Logging
import SwiftProtobuf
import Synchronization

/// Keeps the process attached to its daemon: what it says when it attaches, and what a refusal means.
final class AppConnection: DaemonSubscriber {
    private struct State {
        /// False after the daemon refused to take activities in with the attachment: then each is told for itself, and one
        /// that breaks a rule keeps no other from being offered.
        var attachesActivities = true
        /// What was said at attaching.
        var canContinue = false
        var outcome = AppSession.Outcome.ended
        /// The reason that was logged last, so that one is logged once.
        var lastReason: String?
    }

    /// Activities told when attaching again: the newest ones.
    private static let maximumActivities = ActivityOutbox.maximumKnown

    private let runtime: AppRuntime
    private let state = Mutex(State())

    private init(runtime: AppRuntime) { self.runtime = runtime }

    /// Nil when it is not known where the daemon would be.
    static func start(_ runtime: AppRuntime) -> DaemonSubscription? {
        guard runtime.link.socketPath != nil else {
            runtime.logger.warning("Handoff is off: \(runtime.link.problem ?? "the daemon's socket is not known")")
            return nil
        }
        return runtime.link.subscribe(AppMethods.attach, AppConnection(runtime: runtime))
    }

    // MARK: DaemonSubscriber

    func request() async throws -> Baton_App_V1_AttachRequest {
        let limit = state.withLock { $0.attachesActivities ? Self.maximumActivities : 0 }
        let (attachment, profile) = (runtime.takeAttachment(limit: limit), runtime.profile)
        state.withLock { $0.canContinue = attachment.canContinue }
        return .with {
            $0.protocolVersion = ConnectProtocol.version
            $0.bundleID = profile.bundleIdentifier
            $0.activityTypes = profile.activityTypes
            $0.displayName = profile.displayName
            $0.bundleVersion = profile.bundleVersion
            $0.canContinue = attachment.canContinue
            $0.activities = attachment.activities.map { activity in
                .with {
                    $0.activity = activity.description
                    $0.makeCurrent = activity.isCurrent
                }
            }
        }
    }

    func follow(_ news: ConnectResponses<Baton_App_V1_AppCommand>, on connection: DaemonConnection) async throws {
        var iterator = news.makeAsyncIterator()
        guard let first = try await iterator.next(), case .attached(let attached) = first.kind else {
            throw BatonError(
                .unavailable, reason: "not_attached",
                "The daemon did not say that the app is attached. Update Baton if this lasts.")
        }
        connection.answered()
        let session = AppSession(
            runtime: runtime, connection: connection, attached: attached,
            canContinue: state.withLock { $0.canContinue })
        let outcome = try await session.run(iterator)
        state.withLock { $0.outcome = outcome }
    }

    func ended(_ error: (any Error)?) async -> SubscriptionPause {
        let outcome = state.withLock { state in
            defer { state.outcome = .ended }
            state.attachesActivities = (error as? BatonError)?.code != .invalidArgument
            return state.outcome
        }
        if let error { report(error) }
        return outcome == .mustAttachAgain ? .none : .backoff
    }

    /// Quiet when the daemon is not there, which is none of the app's business; a refusal is told once.
    private func report(_ error: any Error) {
        guard let error = error as? BatonError, !error.code.isRetriable else {
            return runtime.logger.debug("The daemon cannot be reached; trying again", metadata: ["error": "\(error)"])
        }
        let isNew = state.withLock { state in
            defer { state.lastReason = error.reason }
            return state.lastReason != error.reason
        }
        if isNew { runtime.logger.warning("The daemon refuses this app; trying again: \(error.message)") }
    }
}
