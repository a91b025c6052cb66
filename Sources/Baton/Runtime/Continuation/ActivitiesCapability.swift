import AppLink
import BatonClient
import BatonCore
import BatonWire
import Logging
import SwiftProtobuf
import Synchronization

/// Activities in an attachment: reports which there are and which is current, saves them for other devices, and continues those
/// of other devices.
///
/// Callbacks of UIKit and AppKit go to the main actor, those of activity delegates to the callback queue; on each, commands take
/// effect in the order in which the daemon sent them.
final class ActivitiesCapability: AppCapability {
    private struct State {
        /// False after the daemon refused to take activities in with the attachment: then each is reported for itself, and one
        /// that breaks a rule keeps no other from being offered.
        var attachesActivities = true
        /// The activities that the attachment reported.
        var canContinue = false
    }

    /// Activities reported when attaching again: the newest ones.
    private static let maximumActivities = ActivityOutbox.maximumKnown

    private let runtime: AppRuntime
    private let state = Mutex(State())

    init(runtime: AppRuntime) { self.runtime = runtime }

    func describe(_ request: inout Baton_App_V1_AttachRequest) {
        let limit = state.withLock { $0.attachesActivities ? Self.maximumActivities : 0 }
        let attachment = runtime.takeAttachment(limit: limit)
        state.withLock { $0.canContinue = attachment.canContinue }
        request.activityTypes = runtime.profile.activityTypes
        request.canContinue = attachment.canContinue
        request.activities = attachment.activities.map { activity in
            .with {
                $0.activity = activity.description
                $0.makeCurrent = activity.isCurrent
            }
        }
    }

    func detached(_ error: (any Error)?) {
        state.withLock { $0.attachesActivities = (error as? BatonError)?.code != .invalidArgument }
    }

    // MARK: Changes

    /// The one loop that reports activities, so that the daemon hears of them in their order.
    func run(_ session: AttachedSession) async throws -> AttachmentOutcome? {
        let canContinue = state.withLock { $0.canContinue }
        for await _ in runtime.changes() {
            if runtime.canContinue != canContinue { return .mustAttachAgain }
            while let action = runtime.nextAction() {
                try await send(action, session)
            }
            while let context = runtime.nextContext() { try await send(context, session) }
        }
        try Task.checkCancellation()
        return .ended
    }

    /// A refused report is not repeated: the next change is reported anew.
    private func send(_ context: AppContext, _ session: AttachedSession) async throws {
        do {
            _ = try await session.call(ShownContentMethods.updateContext, context.request(sessionID: session.id))
        } catch let error as BatonError where !AttachedSession.isConnectionLost(error) {
            if error.code == .notFound { throw error }
            runtime.logger.debug("The daemon does not take the app's context", metadata: ["error": "\(error)"])
        }
    }

    private func send(_ action: ActivityOutbox.Action, _ session: AttachedSession) async throws {
        do {
            try await call(action, session)
        } catch let error as BatonError where error.code == .resourceExhausted || error.code == .aborted {
            // The daemon asks for patience. Changes made meanwhile are sent instead.
            runtime.restore(action)
            try await runtime.link.sleep(ReconnectBackoff.shortest)
        } catch let error as BatonError where !AttachedSession.isConnectionLost(error) {
            // The attachment is not known any more, or this one activity is not known.
            switch action {
            case .announce(let id, _), .describe(let id, _):
                if error.code == .notFound { throw error }
                runtime.refuse(id)
            case .resign, .invalidate:
                break
            }
            runtime.logger.warning("The daemon does not accept an activity: \(error.message)")
        }
    }

    private func call(_ action: ActivityOutbox.Action, _ session: AttachedSession) async throws {
        switch action {
        case .announce(_, let description), .describe(_, let description):
            let request = Baton_App_V1_UpdateActivityRequest.with {
                $0.sessionID = session.id
                $0.activity = description
                if case .announce = action { $0.makeCurrent = true }
            }
            _ = try await session.call(ActivityMethods.updateActivity, request)
        case .resign(let id):
            let request = Baton_App_V1_ResignActivityRequest.with {
                $0.sessionID = session.id
                $0.activityID = id.rawValue
            }
            _ = try await session.call(ActivityMethods.resignActivity, request)
        case .invalidate(let id):
            let request = Baton_App_V1_InvalidateActivityRequest.with {
                $0.sessionID = session.id
                $0.activityID = id.rawValue
            }
            _ = try await session.call(ActivityMethods.invalidateActivity, request)
        }
    }

    // MARK: Commands

    func perform(_ command: AttachedCommand) -> Bool {
        let (reply, session) = (command.reply, command.session)
        switch command.kind {
        case .saveActivity(let message):
            save(message, payloadLimit: session.payloadLimit, reply: reply)
        case .willContinue(let message):
            runtime.onMain { [runtime] in reply(.willContinue(runtime.continuations.willContinue(message))) }
        case .continueActivity(let message):
            runtime.onMain { [runtime] in
                reply(runtime.continuations.continueActivity(message, sessionID: session.id))
            }
        case .didFail(let message):
            runtime.onMain { [runtime] in reply(.didFail(runtime.continuations.didFail(message))) }
        case .wasContinued(let message):
            wasContinued(message, reply: reply)
        default: return false
        }
        return true
    }

    private func save(
        _ message: Baton_App_V1_SaveActivity, payloadLimit: Int,
        reply: @escaping @Sendable (AttachedCommand.Result) -> Void
    ) {
        runtime.onCallbackQueue { [runtime] in
            guard let activity = runtime.activity(message.activityID), activity.snapshot.isValid else {
                return reply(.error(.handoffFailed("The activity has ended on the device that offered it.")))
            }
            ActivitySaver(runtime: runtime, payloadLimit: payloadLimit).save(activity, completion: reply)
        }
    }

    private func wasContinued(
        _ message: Baton_App_V1_WasContinued, reply: @escaping @Sendable (AttachedCommand.Result) -> Void
    ) {
        // At once, and not when the callbacks before this one are over: the daemon has let go of it already.
        if let id = ActivityID(rawValue: message.activityID) { runtime.continuedElsewhere(id) }
        runtime.onCallbackQueue { [runtime] in
            if let activity = runtime.activity(message.activityID) {
                activity.delegate?.userActivityWasContinued(activity)
            }
            reply(.done(.init()))
        }
    }
}

extension AppRuntime {
    /// As the daemon names it.
    func activity(_ id: String) -> NSUserActivity? { ActivityID(rawValue: id).flatMap(activity) }
}
