import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers apps and the command line about saved activities.
package struct SavedActivitiesHarness: Sendable {
    private let service: SavedActivities

    package init(_ service: SavedActivities) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.app(SavedActivityMethods.saveForSearch) { [service] request, caller in
            try await service.save(request, by: caller)
            return .init()
        }
        router.app(SavedActivityMethods.deleteSavedActivities) { [service] request, caller in
            try await service.delete(request, by: caller)
            return .init()
        }
        router.unary(ControlMethods.listSavedActivities) { [service] request, _ in
            let bundleID = request.bundleID.isEmpty ? nil : try BundleID(validating: request.bundleID).rawValue
            let activities = try await service.activities(
                matching: request.query, bundleID: bundleID, limit: request.limit == 0 ? 100 : Int(request.limit))
            return .with { $0.activities = SavedActivityRules.fitting(activities.lazy.map(message)) }
        }
        router.unary(ControlMethods.openSavedActivity) { [service] request, _ in
            let isHandled = try await service.open(request.savedID)
            return .with { $0.handled = isHandled }
        }
    }

    private func message(_ activity: SavedActivity) -> Baton_Control_V1_SavedActivity {
        .with {
            $0.savedID = activity.id.rawValue
            $0.app = .init(activity.app)
            $0.appName = service.name(of: activity.app)
            $0.activity = SavedActivityRules.listed(activity.payload.description_p)
            $0.keywords = SavedActivityRules.keywords(of: activity.payload)
            $0.persistentIdentifier = activity.persistentIdentifier ?? ""
            $0.contentDescription = SavedActivityRules.contentDescription(of: activity.payload)
            $0.saved = activity.saved
            $0.search = activity.isForSearch
            $0.prediction = activity.isForPrediction
            $0.publicIndexing = activity.isForPublicIndex
            $0.expires = activity.expires
        }
    }
}
