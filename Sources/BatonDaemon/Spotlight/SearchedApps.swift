import AppSessions
import BatonCore
import BatonWire
import Documents
import Files
import Foundation
import Handoff
import LaunchServices
import Opening
import SavedActivities
import Spotlight
import SwiftProtobuf

/// This device's apps, for search.
struct SearchedApps: SpotlightApps {
    let launchServices: LaunchServices
    let sessions: AppSessions
    let documents: DocumentsService
    let recorder: any EventRecorder

    func isPresent(_ app: AppIdentity) -> Bool {
        app.team.isDevelopment
            ? launchServices.runningProcess(app) != nil : launchServices.app(app.bundleID)?.identity == app
    }

    func isKept(_ app: AppIdentity) -> Bool { app.team.isDevelopment || isPresent(app) }

    func app(_ bundleID: BundleID) -> AppIdentity? {
        if let app = launchServices.app(bundleID) { return app.identity }
        let program = AppIdentity(bundleID: bundleID, team: .development)
        return launchServices.runningProcess(program) != nil ? program : nil
    }

    func hasDocumentsOff(_ app: AppIdentity) -> Bool { documents.isOff(app) }

    func name(of app: AppIdentity) -> String {
        let installed = launchServices.app(app.bundleID).flatMap { $0.identity == app ? $0.name : nil }
        return installed ?? sessions.sessions.first { $0.app.identity == app }?.app.name ?? app.bundleID.rawValue
    }

    func open(
        _ type: String, _ userInfo: [String: PropertyValue], title: String, with app: AppIdentity
    ) async throws -> Bool {
        let payload = Baton_Value_V1_ActivityPayload.with {
            $0.description_p.activityID = ActivityID.random().rawValue
            $0.description_p.activityType = type
            if !title.isEmpty { $0.description_p.title = String(title.prefix(200)) }
            $0.userInfo.dictionary = .init(attributes: userInfo)
        }
        let delivery = try ActivityDelivery.make(payload, for: app, on: sessions.deviceName())
        recorder.record(
            "search", "result_given", "A result of a search is given to its app.",
            [
                "acceptance_id": delivery.id.rawValue, "bundle_id": app.bundleID.rawValue, "activity_type": type,
            ])
        return ActivityDelivery.isHandled(try await sessions.deliver(delivery))
    }

    func reindex(_ identifiers: [String]?, of app: AppIdentity) async -> Bool {
        guard let session = sessions.sessions.first(where: { $0.app.identity == app }) else { return false }
        let command = AppCommand(
            .reindex(
                .with {
                    $0.uniqueIdentifiers = identifiers ?? []
                    $0.all = identifiers == nil
                }))
        return await withCheckedContinuation { waiter in
            sessions.send(command, to: session.id) { reply in
                guard case .answered(let answer) = reply, case .done? = answer.result else {
                    return waiter.resume(returning: false)
                }
                waiter.resume(returning: true)
            }
        }
    }

    func tellThrottled(_ isThrottled: Bool, _ apps: [AppIdentity]) {
        let command = AppCommand(.indexThrottled(.with { $0.throttled = isThrottled }))
        for session in sessions.sessions where apps.contains(session.app.identity) {
            sessions.send(command, to: session.id) { _ in }
        }
    }

    func isRunning(_ app: AppIdentity) -> Bool { launchServices.runningProcess(app) != nil }

    func indexExtensions() -> [AppIdentity] { launchServices.apps().map(\.identity).filter(hasIndexExtension) }

    /// `BatonExtensions` of the app's bundle, which is verified before it is launched.
    func hasIndexExtension(_ app: AppIdentity) -> Bool {
        guard let extensions = infoDictionary(of: app)?["BatonExtensions"] as? [[String: Any]] else { return false }
        return extensions.prefix(16).contains { $0["NSExtensionPointIdentifier"] as? String == Self.indexPoint }
    }

    private static let indexPoint = "com.apple.spotlight.index"

    func searchOptions(of app: AppIdentity) -> AppSearchOptions {
        guard !app.team.isDevelopment else {
            // It has no bundle that could say so.
            var options = AppSearchOptions()
            options.continuesSearches = true
            return options
        }
        return AppSearchOptions(infoDictionary: infoDictionary(of: app) ?? [:])
    }

    private func infoDictionary(of app: AppIdentity) -> [String: Any]? {
        guard let installed = launchServices.app(app.bundleID), installed.identity == app,
            let bytes = try? AtomicFile.read(installed.bundlePath + "/Info.plist", limit: 1 << 20)
        else { return nil }
        return try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
    }

    func launchToReindex(_ app: AppIdentity) async -> Int32? {
        let launched = try? await launchServices.launch(app.bundleID, environment: ["BATON_EXTENSION": Self.indexPoint])
        return launched.map { $0.wasRunning ? 0 : $0.processID }
    }

    func endReindexing(_ app: AppIdentity, _ process: Int32) async {
        guard process > 0, launchServices.runningProcess(app) == process else { return }
        try? await launchServices.quit(app.bundleID)
    }

    var deviceName: String { sessions.deviceName() }
}

/// The activities that apps have saved, for search.
struct SearchedActivities: SpotlightActivities {
    let saved: SavedActivities

    func identifiers() async throws -> [String] { try await saved.searchable() }

    func activities(_ identifiers: [String]) async throws -> [SearchableActivity] {
        try await saved.activities(identifiers).map { activity in
            let payload = activity.payload
            var attributes =
                payload.hasContentAttributes ? (try? payload.contentAttributes.attributes()) ?? [:] : [:]
            let own = payload.description_p.title
            if !own.isEmpty {
                // Both are found, and a person sees the activity's.
                if case .string(let other)? = attributes["title"], other != own, attributes["displayName"] == nil {
                    attributes["displayName"] = .string(other)
                }
                attributes["title"] = .string(own)
            }
            var keywords = payload.keywords
            if case .array(let values)? = attributes["keywords"] {
                keywords += values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            }
            if !keywords.isEmpty { attributes["keywords"] = .array(keywords.map(PropertyValue.string)) }
            if payload.description_p.hasWebpageURL { attributes["url"] = .string(payload.description_p.webpageURL) }
            func text(_ name: String) -> String? {
                if case .string(let text)? = attributes[name] { text } else { nil }
            }
            return SearchableActivity(
                id: activity.id.rawValue, app: activity.app, attributes: attributes,
                domain: text("domainIdentifier") ?? "", relatedItem: text("relatedUniqueIdentifier"),
                saved: activity.saved, expires: activity.expires,
                size: (try? (payload.serializedBytes() as [UInt8]).count) ?? 0)
        }
    }

    func open(_ identifier: String) async throws -> Bool { try await saved.open(identifier) }
    func delete(_ identifiers: [String]) async throws { try await saved.delete(saved: identifiers) }

    func deleteAll(of app: AppIdentity?, savedSince: UInt64) async throws -> Int {
        try await saved.deleteAll(of: app, savedSince: savedSince)
    }
}

/// Opens documents and pages that were found, as `baton open` does, but no document through a link.
struct ResultOpener: SpotlightOpener {
    let opening: OpeningService
    let documents: DocumentsService

    func open(file path: String) async throws -> Bool {
        guard let root = documents.root(of: path) else {
            throw BatonError(
                .failedPrecondition, reason: "container_closed",
                "The container of the document is not open on this device. Search again once its app may use iCloud.")
        }
        try await documents.fetch(path)
        // An app may have put a link in its place since it was indexed.
        return try await opening.open(document: path, in: root).isHandled
    }

    func open(url: String) async throws -> Bool { try await opening.open(url, from: .person).isHandled }
}
