import AppLink
import BatonWire
import Foundation
import SwiftProtobuf

/// Brings an activity up to date and encodes it, just before it is continued elsewhere or saved (H-28, H-40, H-46).
struct ActivitySaver: Sendable {
    let runtime: AppRuntime
    let payloadLimit: Int

    /// Call on the callback queue.
    func save(_ activity: NSUserActivity, completion: @escaping @Sendable (AttachedCommand.Result) -> Void) {
        bringUpToDate(activity) { completion(result($0)) }
    }

    /// Lets the delegate and the responders have their say. Call on the callback queue.
    ///
    /// - Parameter completion: called on the callback queue, with what the activity is then.
    func bringUpToDate(_ activity: NSUserActivity, completion: @escaping @Sendable (UserActivityState) -> Void) {
        let isManaged = activity.isManaged
        // State that responders manage is collected each time it is sent, as H-40 has it; forgetting `needsSave` there costs no
        // state. An activity that an app manages itself is left as it is, unless it asks.
        if activity.takeNeedsSave() || isManaged {
            activity.delegate?.userActivityWillSave(activity)
        }
        guard isManaged else { return completion(activity.snapshot) }
        runtime.onMain {
            update(activity)
            let snapshot = activity.snapshot
            // Encoding may take milliseconds, in which the app's user interface should not stand still.
            runtime.onCallbackQueue { completion(snapshot) }
        }
    }

    /// The same on the main actor, for an app that is about to be stopped.
    @MainActor
    func updatedNow(_ activity: NSUserActivity) -> UserActivityState {
        if activity.takeNeedsSave() || activity.isManaged { activity.delegate?.userActivityWillSave(activity) }
        if activity.isManaged { update(activity) }
        return activity.snapshot
    }

    /// The round of the responders: each adds its part to an empty `userInfo` (H-48 to H-50).
    @MainActor
    private func update(_ activity: NSUserActivity) {
        activity.update { $0.userInfo = [:] }
        for responder in activity.managingResponders ?? [] {
            responder.updateUserActivityState(activity)
        }
        runtime.host?.didUpdate(activity)
    }

    private func result(_ state: UserActivityState) -> AttachedCommand.Result {
        let payload = state.wirePayload
        guard let size = try? (payload.serializedBytes() as [UInt8]).count else {
            return .error(.handoffFailed("The activity could not be encoded."))
        }
        guard size <= payloadLimit else { return .error(.userInfoTooLarge(size: size, limit: payloadLimit)) }
        return .payload(payload)
    }
}
