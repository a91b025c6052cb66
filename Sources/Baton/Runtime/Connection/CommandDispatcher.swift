import BatonCore
import BatonWire
import Dispatch
import SwiftProtobuf

/// Brings each command of the daemon to the app, on the thread where the app expects it, and the answer back.
///
/// Callbacks of UIKit and AppKit go to the main actor, those of activity delegates to the callback queue; on each, commands take
/// effect in the order in which the daemon sent them.
struct CommandDispatcher: Sendable {
    typealias Result = Baton_App_V1_CompleteCommandRequest.OneOf_Result

    let runtime: AppRuntime
    /// The most bytes of an encoded payload.
    let payloadLimit: Int
    let sessionID: String
    /// Sends an answer; the command's place in the window is free once it was sent.
    let answer: @Sendable (Baton_App_V1_CompleteCommandRequest) -> Void
    /// Frees the place of a command that takes no answer.
    let done: @Sendable () -> Void

    /// Does not wait for the app.
    func dispatch(_ command: Baton_App_V1_AppCommand) {
        let reply = reply(to: command.commandID)
        switch command.kind {
        case .saveActivity(let save):
            saveActivity(save, reply: reply)
        case .willContinue(let message):
            runtime.onMain { [runtime] in reply(.willContinue(runtime.continuations.willContinue(message))) }
        case .continueActivity(let message):
            runtime.onMain { [runtime, sessionID] in
                reply(runtime.continuations.continueActivity(message, sessionID: sessionID))
            }
        case .didFail(let message):
            runtime.onMain { [runtime] in reply(.didFail(runtime.continuations.didFail(message))) }
        case .wasContinued(let message):
            // At once, and not when the callbacks before this one are over: the daemon has let go of it already.
            if let id = ActivityID(rawValue: message.activityID) { runtime.continuedElsewhere(id) }
            runtime.onCallbackQueue { [runtime] in
                if let activity = activity(message.activityID, in: runtime) {
                    activity.delegate?.userActivityWasContinued(activity)
                }
                reply(.done(.init()))
            }
        case .receiveStream(let message):
            receiveStream(message, reply: reply)
        case .openURL(let message):
            runtime.onMain { [runtime] in reply(.opened(runtime.openings.open(message))) }
        case .protectedData(let message):
            runtime.onMain { [runtime] in
                runtime.setProtectedData(isAvailable: message.available)
                reply(.done(.init()))
            }
        case .indexThrottled:
            reply(.done(.init()))
        case .attached:
            done()
        // An index without a delegate, which is asked again.
        case .reindex, nil:
            reply(
                .error(
                    .handoffFailed(
                        "The app's version of Baton does not know what the daemon asked of it. Update the app.")))
        }
    }

    private func reply(to commandID: UInt64) -> @Sendable (Result) -> Void {
        guard commandID != 0 else { return { _ in done() } }
        return { result in
            answer(
                .with {
                    $0.sessionID = sessionID
                    $0.commandID = commandID
                    $0.result = result
                })
        }
    }

    /// The streams are opened beside the command, which is answered first: the daemon waits for the connection.
    private func receiveStream(_ message: Baton_App_V1_ReceiveStream, reply: @escaping @Sendable (Result) -> Void) {
        runtime.onCallbackQueue { [runtime, sessionID] in
            guard let activity = activity(message.activityID, in: runtime), activity.snapshot.isValid else {
                return reply(.error(.handoffFailed("The activity has ended on the device that offered it.")))
            }
            guard activity.supportsContinuationStreams, activity.delegate != nil else {
                return reply(.error(.handoffFailed("The app on the other device does not support streams any more.")))
            }
            reply(.done(.init()))
            runtime.receiveStreams(activity, sessionID: sessionID, streamID: message.streamID)
        }
    }

    private func saveActivity(_ message: Baton_App_V1_SaveActivity, reply: @escaping @Sendable (Result) -> Void) {
        runtime.onCallbackQueue { [runtime, payloadLimit] in
            guard let activity = activity(message.activityID, in: runtime), activity.snapshot.isValid else {
                return reply(.error(.handoffFailed("The activity has ended on the device that offered it.")))
            }
            ActivitySaver(runtime: runtime, payloadLimit: payloadLimit).save(activity, completion: reply)
        }
    }
}

private func activity(_ id: String, in runtime: AppRuntime) -> NSUserActivity? {
    ActivityID(rawValue: id).flatMap(runtime.activity)
}
