import AppSessions
import BatonCore
import BatonTransport
import BatonWire
import Handoff
import LaunchServices
import Opening
import People

/// This device's apps, for people.
struct PeopleAppsHere: PeopleApps {
    let launchServices: LaunchServices
    let sessions: AppSessions
    /// Attached programs in development, as they described themselves.
    let development: Hooks<@Sendable () -> [DevelopmentApp]>
    let opening: OpeningService
    /// The apps that say that they are in front.
    let front: Hooks<@Sendable () -> Set<AppIdentity>>
    /// The apps that have said that they left the front.
    let left: Hooks<@Sendable () -> Set<AppIdentity>>

    func all() -> [ReachingApp] {
        let installed = launchServices.apps().map { app in
            ReachingApp(identity: app.identity, name: app.name, types: Set(app.activityTypes.map(\.rawValue)))
        }
        let known = Set(installed.map(\.identity.bundleID))
        // A program in development has no name that is another app's.
        let programs = development.all.flatMap { $0() }.filter { !known.contains($0.identity.bundleID) }
        return installed
            + programs.map { program in
                ReachingApp(
                    identity: program.identity, name: program.name, types: Set(program.activityTypes.map(\.rawValue)))
            }
    }

    func isKept(_ app: AppIdentity) -> Bool {
        app.team.isDevelopment
            ? launchServices.runningProcess(app) != nil : launchServices.app(app.bundleID)?.identity == app
    }

    func inFront() -> Set<AppIdentity> { front.all.reduce(into: []) { $0.formUnion($1()) } }

    func thatLeft() -> Set<AppIdentity> { left.all.reduce(into: []) { $0.formUnion($1()) } }

    func name(of app: AppIdentity) -> String {
        let installed = launchServices.app(app.bundleID).flatMap { $0.identity == app ? $0.name : nil }
        return installed ?? sessions.sessions.first { $0.app.identity == app }?.app.name ?? app.bundleID.rawValue
    }

    func deliver(
        _ payload: Baton_Value_V1_ActivityPayload, _ interaction: Baton_Value_V1_Interaction?, to app: AppIdentity
    ) async throws -> Bool {
        let delivery = try ActivityDelivery.make(
            payload, interaction: interaction, for: app, on: sessions.deviceName())
        return ActivityDelivery.isHandled(try await sessions.deliver(delivery))
    }

    func canOpen(_ url: String) -> Bool { opening.canOpen(url) }

    func open(_ url: String) async throws -> Bool { try await opening.open(url, from: .person).isHandled }
}
