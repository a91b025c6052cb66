import AppSessions
import BatonCore
import BatonWire
import SwiftProtobuf

/// Hears of attached apps for Handoff: the activity types that they declare, and the activities that they have.
struct HandoffParticipant: AppSessionParticipant {
    private static let maximumTypes = 256

    let service: HandoffService

    func attached(_ session: AppSession, _ attachment: AppAttachment) throws {
        let request = attachment.message
        let activities = try request.activities.map {
            HandoffInput.Announced(
                activity: try service.description($0.activity), isCurrent: $0.makeCurrent)
        }
        try service.attached(
            session.id, try app(session.app, request), canContinue: session.takesDeliveries, activities: activities)
    }

    func detached(_ session: AppSession) { service.detached(session.id) }

    func processEnded(_ app: AppIdentity, process: Int32, message: String) {
        service.appEnded(app, process: process, message: message)
    }

    /// An installed app is known; an unsigned program describes itself.
    private func app(_ app: AppCaller, _ request: Baton_App_V1_AttachRequest) throws -> ContinuationApp {
        guard app.identity.team.isDevelopment else {
            guard let installed = service.apps.app(app.identity) else {
                throw BatonError(.notFound, reason: "not_installed", "\(app.name) is not installed any more.")
            }
            return installed
        }
        guard request.activityTypes.count <= Self.maximumTypes else {
            throw BatonError(
                .invalidArgument, reason: "too_many_types",
                "An app can declare at most \(Self.maximumTypes) activity types.")
        }
        return ContinuationApp(
            identity: app.identity, name: app.name,
            activityTypes: Set(try request.activityTypes.map { try ActivityType(validating: $0) }),
            version: AppVersion(request.bundleVersion), versionText: String(request.bundleVersion.prefix(100)))
    }
}

extension HandoffService {
    /// The rest of an activity is of use without a page that cannot be opened elsewhere; the log says why.
    func description(_ message: Baton_Value_V1_ActivityDescription) throws(BatonError) -> ActivityDescription {
        let description = try ActivityDescription(message)
        guard message.hasWebpageURL, description.webpageURL == nil else { return description }
        do throws(BatonError) {
            _ = try WebPage(message.webpageURL)
        } catch {
            recorder.record(
                "handoff", "page_ignored", "The activity is offered without its webpageURL. \(error.message)",
                ["activity_id": description.id.rawValue, "activity_type": description.type.rawValue])
        }
        return description
    }
}
