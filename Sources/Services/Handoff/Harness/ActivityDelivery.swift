package import AppSessions
package import BatonCore
package import BatonWire
import SwiftProtobuf

/// The commands for an app that is given an activity of this device, such as one that it had saved (H-14) or a page of
/// its site: the callbacks of a continuation, in their order, but without an origin to fetch from or to notify, and
/// without streams.
package enum ActivityDelivery {
    /// - Parameter payload: checked before.
    /// - Throws: `invalid_argument` for an invalid type.
    package static func make(
        _ payload: Baton_Value_V1_ActivityPayload, interaction: Baton_Value_V1_Interaction? = nil,
        for app: AppIdentity, on deviceName: String
    ) throws(BatonError) -> Delivery {
        let type = try ActivityType(validating: payload.description_p.activityType)
        let id = DeliveryID.random()
        let announcement = Baton_App_V1_WillContinueActivity.with {
            $0.acceptanceID = id.rawValue
            $0.activityType = type.rawValue
            $0.originDevice = deviceName
        }
        let activity = Baton_App_V1_ContinueActivity.with {
            $0.acceptanceID = id.rawValue
            $0.payload = payload
            if let interaction { $0.interaction = interaction }
        }
        return Delivery(
            id: id, app: app, environment: ["BATON_LAUNCH_ACTIVITY_TYPE": type.rawValue],
            commands: [AppCommand(.willContinue(announcement)), AppCommand(.continueActivity(activity))]
        ) { message in
            AppCommand(
                .didFail(
                    .with {
                        $0.acceptanceID = id.rawValue
                        $0.activityType = type.rawValue
                        $0.error = .with {
                            // The data is not available, as Apple numbers it.
                            $0.code = 4608
                            $0.message = message
                        }
                    }))
        }
    }

    /// Whether the app said that it handled the activity.
    package static func isHandled(_ answer: AppAnswer) -> Bool {
        if case .continued(let result)? = answer.result { result.handled } else { false }
    }
}
