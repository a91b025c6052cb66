import AppLink
import BatonWire

/// Continuation streams that an app on another device asks for.
struct StreamsCapability: AppCapability {
    let runtime: AppRuntime

    /// The streams are opened beside the command, which is answered first: the daemon waits for the connection.
    func perform(_ command: AttachedCommand) -> Bool {
        guard case .receiveStream(let message) = command.kind else { return false }
        runtime.onCallbackQueue { [runtime] in
            guard let activity = runtime.activity(message.activityID), activity.snapshot.isValid else {
                return command.reply(.error(.handoffFailed("The activity has ended on the device that offered it.")))
            }
            guard activity.supportsContinuationStreams, activity.delegate != nil else {
                return command.reply(
                    .error(.handoffFailed("The app on the other device does not support streams any more.")))
            }
            command.reply(.done(.init()))
            runtime.receiveStreams(activity, sessionID: command.session.id, streamID: message.streamID)
        }
        return true
    }
}
