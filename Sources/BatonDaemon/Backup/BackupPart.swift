import Backup
import BackupFormat
import BatonCore
import BatonStore
import BatonTransport
import Notices
import Protection
import ServiceLifecycle

/// Backups of this device.
struct BackupPart: DaemonPart {
    private let service: BackupService
    private let runner: BackupRunner

    init(_ daemon: DaemonComposition) throws {
        let locations = daemon.options.locations
        let protection = try daemon.part(ProtectionPart.self).service
        let notices = try daemon.part(NoticesPart.self).notices
        let service = try BackupService(
            account: BackingUpAccount(account: try daemon.part(DevicesPart.self).account),
            apps: BackingUpApps(
                launchServices: try daemon.part(AppsPart.self).launchServices, containers: locations.containers),
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
                ]),
            recorder: daemon.log, clock: { WallClock.system.milliseconds })
        self.service = service
        runner = BackupRunner(
            service: service, started: WallClock.system.milliseconds,
            // What is not known counts as given: see BackupSchedule.
            surroundings: {
                BackupSchedule.Surroundings(
                    isLockedOrIdle: !protection.isAvailable, isOnMains: PowerSupplies.isOnMains(), isUnmetered: true,
                    isTargetThere: $0)
            },
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

    var services: [any Service] { [runner] }
}
