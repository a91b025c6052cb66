import AppSessions
import BatonCore
import BatonWire
import Handoff
import SwiftProtobuf

/// A page of the web that is handed to the app of its site: as a browsing activity, which the app continues.
enum UniversalLink {
    static func deliver(_ page: String, to app: AppIdentity, through sessions: AppSessions) async throws -> Bool {
        let payload = Baton_Value_V1_ActivityPayload.with {
            $0.description_p.activityID = ActivityID.random().rawValue
            $0.description_p.activityType = ActivityType.browsingWeb.rawValue
            $0.description_p.webpageURL = page
            $0.userInfo.dictionary = .init()
        }
        var delivery = try ActivityDelivery.make(payload, for: app, on: sessions.deviceName())
        // The page is all there is to it, so an app with scenes has it in the options of its first one.
        delivery.environment["BATON_LAUNCH_PAGE"] = page
        delivery.environment["BATON_LAUNCH_REQUEST"] = delivery.id.rawValue
        return ActivityDelivery.isHandled(try await sessions.deliver(delivery))
    }
}
