import BatonCore
import BatonStore
import BatonTransport
import BatonWire
import LaunchServices

/// Installed apps, programs in development, and running processes.
struct AppsPart: DaemonPart {
    static let migrations = LaunchServices.migrations

    let launchServices: LaunchServices
    let installed: InstalledApps
    let icons: AppIcons
    /// Awaited after an app was uninstalled, before the caller is answered.
    let uninstalled = Hooks<@Sendable () async -> Void>()
    /// Awaited before an app is started; what one throws refuses the launch.
    let launching: Hooks<@Sendable (BundleID) async throws -> Void>
    /// Attached programs in development, as they described themselves.
    let developmentApps = Hooks<@Sendable () -> [DevelopmentApp]>()

    init(_ daemon: DaemonComposition) async throws {
        let launching = Hooks<@Sendable (BundleID) async throws -> Void>()
        self.launching = launching
        launchServices = try await LaunchServices(
            locations: daemon.options.locations, database: daemon.database, recorder: daemon.log,
            logger: daemon.logger,
            settings: .init(
                environment: daemon.options.environment,
                descriptorLimit: daemon.options.descriptors.original,
                // This program, even after an upgrade replaced its file.
                helper: "/proc/self/exe",
                beforeStart: { app in for body in launching.all { try await body(app) } }))
        installed = InstalledApps(launchServices: launchServices)
        icons = AppIcons(launchServices: launchServices)
    }

    func registerLocal(on router: inout ConnectRouter) {
        LaunchServicesHarness(
            launchServices, developmentApps: { [developmentApps] in developmentApps.all.flatMap { $0() } },
            uninstalled: { [uninstalled] in for body in uninstalled.all { await body() } }
        ).register(on: &router)
    }

    func fill(_ status: inout Baton_Control_V1_GetStatusResponse) {
        status.appsInstalled = UInt32(clamping: launchServices.apps().count)
        status.appsRunning = UInt32(clamping: launchServices.runningCount)
    }

    var stages: [Baton_Link_V1_Stage] {
        let (isConfined, finding) = launchServices.sandboxFinding
        return [.init("sandbox", isConfined ? .ok : .failed, finding)]
    }
}
