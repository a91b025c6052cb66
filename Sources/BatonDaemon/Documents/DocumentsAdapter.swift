import AppSessions
import BatonCore
import BatonTrust
import Devices
import Documents
import LaunchServices

/// This device's apps and account, for their containers.
struct DocumentsAdapter: DocumentsApps {
    let service: DocumentsService
    let launchServices: LaunchServices
    let account: AccountService

    // MARK: Apps

    /// An app without the entitlement has none; a program in development has those of its name and whatever else it names.
    func container(_ identifier: String, of app: AppCaller) throws(BatonError) -> ContainerName {
        let (bundleID, team) = (app.identity.bundleID, app.identity.team)
        var containers: [String]
        if team.isDevelopment {
            containers = ["iCloud.\(bundleID)"]
            if Entitlements.isContainer(identifier, of: team) { containers.append(identifier) }
        } else {
            let installed = launchServices.app(bundleID).flatMap { $0.identity == app.identity ? $0 : nil }
            containers = installed?.traits.documentContainers ?? []
        }
        guard let first = containers.first else {
            throw BatonError(
                .permissionDenied, reason: "no_entitlement",
                "\(bundleID) has no iCloud container: it needs the entitlement “\(Entitlements.documentContainers[0])”, as "
                    + "in iCloud.\(bundleID). Add it, and sign and install the app again.")
        }
        let wanted = identifier.isEmpty ? first : identifier
        guard containers.contains(wanted), let name = ContainerName(team: team, identifier: wanted) else {
            throw BatonError(
                .permissionDenied, reason: "unknown_container",
                "\(bundleID) has no container “\(wanted.shortened(toBytes: 200))”. Its entitlement "
                    + "“\(Entitlements.documentContainers[0])” does not name it.")
        }
        return name
    }

    func apps(using container: ContainerName) -> [(bundleID: String, name: String)] {
        launchServices.apps().filter { Self.containers(of: $0).contains(container) }
            .map { ($0.bundleID.rawValue, $0.name) }
    }

    static func containers(of app: InstalledApp) -> [ContainerName] {
        (app.traits.documentContainers ?? []).compactMap { ContainerName(team: app.identity.team, identifier: $0) }
    }

    // MARK: What changes

    /// Installed apps find what the account has at their first start.
    func prepareContainers() async {
        await service.prepare(Set(launchServices.apps().flatMap(Self.containers)))
    }

    func accountChanged() async {
        await service.accountChanged(to: present)
        await prepareContainers()
    }

    /// A revoked device belongs to no account.
    private var present: DocumentsAccount? {
        guard let snapshot = account.snapshot(), snapshot.standing == .member else { return nil }
        return DocumentsAccount(
            account: snapshot.accountID, device: snapshot.deviceID, deviceName: snapshot.name(of: snapshot.deviceID),
            gearKey: snapshot.keyRing.gearKey)
    }
}
