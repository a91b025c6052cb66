import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers the command line's calls about apps.
package struct LaunchServicesHarness: Sendable {
    private let service: LaunchServices
    private let developmentApps: @Sendable () -> [DevelopmentApp]
    private let uninstalled: @Sendable () async -> Void

    /// - Parameters:
    ///   - developmentApps: the claims of the attached apps in development.
    ///   - uninstalled: awaited after an app was uninstalled, before the caller is answered: what others keep
    ///     of the app is gone then, too.
    package init(
        _ service: LaunchServices, developmentApps: @escaping @Sendable () -> [DevelopmentApp] = { [] },
        uninstalled: @escaping @Sendable () async -> Void = {}
    ) {
        self.service = service
        self.uninstalled = uninstalled
        self.developmentApps = developmentApps
    }

    package func register(on router: inout ConnectRouter) {
        router.unary(ControlMethods.installApp) { request, _ in try await install(request) }
        router.unary(ControlMethods.uninstallApp) { request, _ in try await uninstall(request) }
        router.unary(ControlMethods.listApps) { _, _ in list() }
        router.unary(ControlMethods.launchApp) { request, _ in try await launch(request) }
        router.unary(ControlMethods.quitApp) { request, _ in try await quit(request) }
    }

    func install(_ request: Baton_Control_V1_InstallAppRequest) async throws -> Baton_Control_V1_InstallAppResponse {
        do {
            let (app, replaced, wasEnded) = try await service.install(
                path: request.path, accepting: Set(request.acceptedAccess))
            return .with {
                $0.app = message(app)
                $0.replacedVersion = replaced ?? ""
                $0.ended = wasEnded
            }
        } catch let refusal as UnacceptedAccess {
            return .with {
                $0.app.identity = Baton_Value_V1_AppIdentity(refusal.identity)
                $0.app.name = refusal.name
                $0.wantedAccess = refusal.wanted
            }
        }
    }

    func uninstall(
        _ request: Baton_Control_V1_UninstallAppRequest
    ) async throws -> Baton_Control_V1_UninstallAppResponse {
        try await service.uninstall(try BundleID(validating: request.bundleID), keepData: request.keepData)
        await uninstalled()
        return .init()
    }

    func list() -> Baton_Control_V1_ListAppsResponse {
        let described = Dictionary(developmentApps().map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
        let development = service.developmentApps().map { identity in
            described[identity]
                ?? DevelopmentApp(identity: identity, name: identity.bundleID.rawValue, version: "", activityTypes: [])
        }
        return .with { $0.apps = service.apps().map(message) + development.map(message) }
    }

    func launch(_ request: Baton_Control_V1_LaunchAppRequest) async throws -> Baton_Control_V1_LaunchAppResponse {
        let (processID, wasRunning) = try await service.launch(
            try BundleID(validating: request.bundleID), arguments: request.arguments,
            environment: request.environment)
        return .with {
            $0.processID = UInt32(clamping: processID)
            $0.wasRunning = wasRunning
        }
    }

    func quit(_ request: Baton_Control_V1_QuitAppRequest) async throws -> Baton_Control_V1_QuitAppResponse {
        try await service.quit(try BundleID(validating: request.bundleID))
        return .init()
    }

    private func message(_ app: InstalledApp) -> Baton_Control_V1_App {
        let processID = service.runningProcess(app.identity)
        return .with {
            $0.identity = Baton_Value_V1_AppIdentity(app.identity)
            $0.name = app.name
            $0.version = app.version
            $0.build = app.build
            $0.activityTypes = app.activityTypes.map(\.rawValue).sorted()
            $0.running = processID != nil
            $0.processID = UInt32(clamping: processID ?? 0)
            $0.installed = true
            $0.container = app.containerPath
            $0.lastExit = service.lastExit(app.bundleID)?.description ?? ""
            $0.logPath = app.logPath
        }
    }

    private func message(_ app: DevelopmentApp) -> Baton_Control_V1_App {
        let processID = service.runningProcess(app.identity)
        return .with {
            $0.identity = Baton_Value_V1_AppIdentity(app.identity)
            $0.name = app.name
            $0.version = app.version
            $0.activityTypes = app.activityTypes.map(\.rawValue).sorted()
            $0.running = processID != nil
            $0.processID = UInt32(clamping: processID ?? 0)
        }
    }
}
