package import AppSessions
import BatonConcurrency
package import BatonCore
package import BatonWire
import SwiftProtobuf

/// The person's current activity, for services that lead back there.
extension HandoffService {
    /// How long the app may take to save its activity.
    private static let currentDeadline = Duration.seconds(5)

    /// The activity of an attached app that became current last, as the app saves it now.
    /// - Parameter wanted: only this one, while it is current; nil for the newest.
    /// - Throws: `not_found` when there is none, `deadline_exceeded`, and what the app answers.
    package func currentActivity(
        _ wanted: ActivityID? = nil
    ) async throws -> (app: ContinuationApp, payload: Baton_Value_V1_ActivityPayload) {
        let newest = driver.read(\.localActivities)
            .filter { $0.isCurrent && (wanted == nil || $0.activity.description.id == wanted) }
            .max { $0.activity.timestamp < $1.activity.timestamp }
        guard let newest else {
            throw BatonError(
                .notFound, reason: "no_current_activity",
                "No app shows anything that a reminder could lead back to. Open it in an app that has Handoff, and ask again."
            )
        }
        let (promise, activity) = (Promise<ActivityPayload>(), newest.activity.description.id)
        let command = AppCommand(
            .saveActivity(
                .with {
                    $0.activityID = activity.rawValue
                    $0.acceptanceID = AcceptanceID.random().rawValue
                }))
        sessions.send(command, to: newest.session) { reply in
            switch reply {
            case .answered(let answer):
                promise.settle(Result { try Self.saved(activity, by: newest.app.name, in: answer) })
            case .ended: promise.settle(.failure(Self.notSaved(newest.app.name)))
            }
        }
        let payload = try await withThrowingTaskGroup(of: ActivityPayload.self) { group in
            group.addTask { try await promise.value() }
            group.addTask {
                try await Task.sleep(for: Self.currentDeadline)
                throw BatonError(
                    .deadlineExceeded, reason: "app_too_slow", "\(newest.app.name) did not say in time what it shows.")
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw Self.notSaved(newest.app.name) }
            return first
        }
        return (newest.app, payload.message)
    }

    /// - Throws: `aborted` (`activity_not_saved`) for no activity, and for another one than the person looks at.
    package static func saved(
        _ activity: ActivityID, by app: String, in answer: AppAnswer
    ) throws(BatonError) -> ActivityPayload {
        guard case .payload(let message)? = answer.result else { throw notSaved(app) }
        let payload = ActivityPayload(message)
        do {
            try payload.check(is: activity)
        } catch {
            throw notSaved(app)
        }
        return payload
    }

    private static func notSaved(_ app: String) -> BatonError {
        BatonError(.aborted, reason: "activity_not_saved", "\(app) did not say what it shows.")
    }
}
