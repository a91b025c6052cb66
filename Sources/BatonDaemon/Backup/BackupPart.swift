import Backup
import BackupFormat
import BatonCore
import BatonStore
import BatonTransport
import ContextAwareness
import Devices
import Documents
import LaunchServices
import Notices
import Opening
import Protection
import ServiceLifecycle
import Sync

/// Backups of this device.
struct BackupPart: DaemonPart {
    private let service: BackupService
    private let runner: BackupRunner
    private let appsFollower: EventFollower<LaunchEvent>

    init(_ daemon: DaemonComposition) throws {
        let locations = daemon.options.locations
        let protection = try daemon.part(ProtectionPart.self).service
        let notices = try daemon.part(NoticesPart.self).notices
        let context = try daemon.part(ContextPart.self).context
        let apps = try daemon.part(AppsPart.self)
        let account = try daemon.part(DevicesPart.self).account
        let connectors = CloudConnectors(authorities: daemon.options.cloudAuthorities)
        let service = try BackupService(
            account: BackingUpAccount(account: account),
            apps: BackingUpApps(
                launchServices: apps.launchServices, containers: locations.containers),
            cloud: BackingUpCloud(
                account: account, access: AccountAccess(account: account, connectors: connectors),
                connectors: connectors, sync: try daemon.part(SyncPart.self).sync,
                clock: { WallClock.system.milliseconds }),
            device: BackingUpDevice(
                defaults: try daemon.part(OpeningPart.self).service.defaults,
                documents: try daemon.part(DocumentsPart.self).service,
                settings: try daemon.part(SettingsPart.self).settings, recorder: daemon.log),
            places: BackupPlaces(
                folder: locations.data + "/backup", configuration: locations.configuration,
                documents: locations.data + "/documents",
                // A restored device is a new device: nothing of these is its own.
                privatePlaces: [
                    locations.keys, locations.teams, locations.database, locations.database + "-wal",
                    locations.database + "-shm", locations.data + "/protected", locations.data + "/blobs",
                    locations.runtime, locations.data + "/documents/.staging",
                    // Each app is backed up by itself, by the rules for apps.
                    locations.containers,
                ], home: daemon.options.environment["HOME"] ?? ""),
            recorder: daemon.log, clock: { WallClock.system.milliseconds })
        self.service = service
        let isInUse: @Sendable () -> Bool = {
            protection.isAvailable
                && !context.surroundings.isIdle(for: BackupSchedule.idle, now: WallClock.system.milliseconds)
        }
        apps.launching.add { try await service.prepareLaunch(of: $0) }
        appsFollower = EventFollower(apps.launchServices.events()) { event in
            if case .launched(let app, _, _) = event { await service.noteUse(of: app) }
        }
        runner = BackupRunner(
            service: service, started: WallClock.system.milliseconds,
            // An unknown condition counts as met: see BackupSchedule.
            conditions: {
                let known = context.surroundings
                return BackupSchedule.Conditions(
                    isLockedOrIdle: !isInUse(),
                    isOnMains: known.isOnBattery.map { !$0 } ?? PowerSupplies.isOnMains(),
                    isUnmetered: known.isMetered != true, isTargetThere: $0)
            },
            isInUse: isInUse,
            tell: { days in
                notices.input(
                    .told(
                        key: "backup", title: "This device was not backed up for \(days) days",
                        lines: ["“baton explain backup” says why.", "“baton backup now” makes a backup."]))
            })
    }

    func registerLocal(on router: inout ConnectRouter) {
        BackupHarness(service) { [runner] in await runner.wait() }.register(on: &router)
    }

    var services: [any Service] { [appsFollower, runner] }
}
