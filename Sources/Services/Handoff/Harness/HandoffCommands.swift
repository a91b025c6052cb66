import AppSessions
import BatonCore
import BatonWire
import SwiftProtobuf

/// Commands of Handoff to apps, and their replies. If an app ends before it replies, its session's end reports that.
struct HandoffCommands: Sendable {
    let sessions: AppSessions

    func save(
        _ activity: ActivityID, _ acceptance: AcceptanceID, _ session: SessionID,
        answer: @escaping @Sendable (Result<ActivityPayload, ActivityFailure>, _ size: Int) -> Void
    ) {
        let command = AppCommand(
            .saveActivity(
                .with {
                    $0.activityID = activity.rawValue
                    $0.acceptanceID = acceptance.rawValue
                }))
        sessions.send(command, to: session) { reply in
            switch reply {
            case .answered(let answered):
                let (result, size) = Self.saved(answered)
                answer(result, size)
            case .ended: break
            }
        }
    }

    private static func saved(_ answer: AppAnswer) -> (Result<ActivityPayload, ActivityFailure>, Int) {
        let nothing = ActivityFailure(.handoffFailed, "The app on the other device did not send the activity.")
        switch answer.result {
        case .payload(let message):
            let payload = ActivityPayload(message)
            guard let size = try? payload.size() else { return (.failure(nothing), 0) }
            return (.success(payload), size)
        case .error(let error): return (.failure(ActivityFailure(error)), 0)
        case .willContinue, .continued, .done, .didFail, .opened, .media, .artwork, .content, nil:
            return (.failure(nothing), 0)
        }
    }

    /// - Parameter answer: whether the app shows that something comes.
    func willContinue(
        _ acceptance: AcceptanceID, _ type: ActivityType, from origin: String, _ session: SessionID,
        answer: @escaping @Sendable (Bool) -> Void
    ) {
        let command = AppCommand(
            .willContinue(
                .with {
                    $0.acceptanceID = acceptance.rawValue
                    $0.activityType = type.rawValue
                    $0.originDevice = origin
                }))
        sessions.send(command, to: session) { reply in
            guard case .answered(let answered) = reply else { return }
            if case .willContinue(let result)? = answered.result { answer(result.showsProgress) } else { answer(false) }
        }
    }

    /// - Parameter answer: whether the app took the activity.
    func deliver(
        _ payload: ActivityPayload, _ acceptance: AcceptanceID, _ session: SessionID,
        answer: @escaping @Sendable (Bool) -> Void
    ) {
        let command = AppCommand(
            .continueActivity(
                .with {
                    $0.acceptanceID = acceptance.rawValue
                    $0.payload = payload.message
                }))
        sessions.send(command, to: session) { reply in
            guard case .answered(let answered) = reply else { return }
            if case .continued(let result)? = answered.result { answer(result.handled) } else { answer(false) }
        }
    }

    /// - Parameter answer: whether the app hears of failures; false when it ends before it says so.
    func didFail(
        _ acceptance: AcceptanceID, _ type: ActivityType, _ failure: ActivityFailure, _ session: SessionID,
        answer: @escaping @Sendable (Bool) -> Void
    ) {
        let command = AppCommand(
            .didFail(
                .with {
                    $0.acceptanceID = acceptance.rawValue
                    $0.activityType = type.rawValue
                    $0.error = .init(failure)
                }))
        sessions.send(command, to: session) { reply in
            guard case .answered(let answered) = reply, case .didFail(let result)? = answered.result else {
                return answer(false)
            }
            answer(result.implemented)
        }
    }

    func wasContinued(_ activity: ActivityID, by device: String, _ session: SessionID) {
        let command = AppCommand(
            .wasContinued(
                .with {
                    $0.activityID = activity.rawValue
                    $0.device = device
                }))
        sessions.send(command, to: session)
    }

    /// The answer that the app takes the pair says nothing new: it comes for it.
    func receiveStream(
        _ stream: StreamID, _ activity: ActivityID, _ session: SessionID,
        declined: @escaping @Sendable (_ message: String) -> Void
    ) {
        let command = AppCommand(
            .receiveStream(
                .with {
                    $0.activityID = activity.rawValue
                    $0.streamID = stream.rawValue
                }))
        sessions.send(command, to: session) { reply in
            guard case .answered(let answered) = reply, case .error(let error)? = answered.result else { return }
            declined(error.message)
        }
    }
}

extension AppSessions {
    /// Starts an app for an activity of that type, or does nothing when it runs.
    func launch(_ app: AppIdentity, for type: ActivityType) async throws -> (processID: Int32, wasRunning: Bool) {
        try await launch(app, environment: ["BATON_LAUNCH_ACTIVITY_TYPE": type.rawValue])
    }
}
