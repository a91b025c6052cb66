import AppSessions
import BatonCore
import BatonTransport
import LaunchServices
import Opening

/// This device's apps, for the workspace.
struct WorkspaceAppsHere: WorkspaceApps {
    let launchServices: LaunchServices
    let sessions: AppSessions
    /// The apps that say that they are in front. Filled by later parts.
    let front: Hooks<@Sendable () -> Set<AppIdentity>>

    func all() -> [WorkspaceApp] {
        let inFront: Set<AppIdentity> = front.all.reduce(into: []) { $0.formUnion($1()) }
        let installed = launchServices.apps().map { app in
            WorkspaceApp(
                identity: app.identity, name: app.name, bundlePath: app.bundlePath, executablePath: app.executablePath,
                processID: launchServices.runningProcess(app.identity), isInFront: inFront.contains(app.identity))
        }
        let known = Set(installed.map(\.identity.bundleID))
        let names = sessions.sessions.map { ($0.app.identity, $0.app.name) }
        // A program in development has no name that is another app's.
        let programs = launchServices.developmentApps().filter { !known.contains($0.bundleID) }.map { identity in
            WorkspaceApp(
                identity: identity, name: names.first { $0.0 == identity }?.1 ?? identity.bundleID.rawValue,
                bundlePath: nil, executablePath: nil, processID: launchServices.runningProcess(identity),
                isInFront: inFront.contains(identity))
        }
        return installed + programs
    }

    func launch(_ app: AppIdentity) async throws -> (processID: Int32, wasRunning: Bool) {
        try await launchServices.launch(app.bundleID)
    }
}
