import AppSessions
import BatonCore
import BatonTrust
import Devices
import LaunchServices
import Records

/// This device's apps and account, for their databases of records.
struct RecordsAdapter: RecordsApps {
    let service: RecordsService
    let launchServices: LaunchServices
    let account: AccountService

    // MARK: Apps

    /// An app without the entitlements has none; a program in development has that of its name and whatever else it names.
    func container(_ identifier: String, of app: AppCaller) throws(BatonError) -> RecordContainer {
        let (bundleID, team) = (app.identity.bundleID, app.identity.team)
        var containers: [String]
        if team.isDevelopment {
            containers = ["iCloud.\(bundleID)"]
            if Entitlements.isContainer(identifier, of: team) { containers.append(identifier) }
        } else {
            let installed = launchServices.app(bundleID).flatMap { $0.identity == app.identity ? $0 : nil }
            containers = installed?.traits.recordContainers ?? []
        }
        guard let first = containers.first else {
            throw BatonError(
                .permissionDenied, reason: "missing_entitlement",
                "\(bundleID) has no database of records: it needs the entitlements “\(Entitlements.iCloudServices)” with "
                    + "CloudKit and “\(Entitlements.recordContainers)”, as in iCloud.\(bundleID). Add them, and sign and "
                    + "install the app again.")
        }
        let wanted = identifier.isEmpty ? first : identifier
        guard containers.contains(wanted), let name = RecordContainer(team: team, identifier: wanted) else {
            throw BatonError(
                .permissionDenied, reason: "bad_container",
                "\(bundleID) has no container “\(wanted.shortened(toBytes: 200))”. Its entitlement "
                    + "“\(Entitlements.recordContainers)” does not name it.")
        }
        return name
    }

    func apps(using container: RecordContainer) -> [BundleID] {
        let installed = launchServices.apps().filter { Self.containers(of: $0).contains(container) }.map(\.bundleID)
        guard installed.isEmpty, container.team.isDevelopment else { return installed.sorted() }
        return [BundleID(rawValue: String(container.identifier.drop { $0 != "." }.dropFirst()))].compactMap { $0 }
    }

    func containers(of bundleID: BundleID) -> [RecordContainer] {
        if let app = launchServices.app(bundleID) { return Self.containers(of: app) }
        return [RecordContainer(team: .development, identifier: "iCloud.\(bundleID)")].compactMap { $0 }
    }

    private static func containers(of app: InstalledApp) -> [RecordContainer] {
        (app.traits.recordContainers ?? []).compactMap { RecordContainer(team: app.identity.team, identifier: $0) }
    }

    func deviceName(of device: String) -> String? {
        guard let id = DeviceID(rawValue: device) else { return nil }
        return account.snapshot()?.name(of: id)
    }

    var hasCloud: Bool { account.cloudEndpoint() != nil }

    var members: RecordsMembers {
        RecordsMembers(
            hasCloud: { [account] in account.cloudEndpoint() != nil },
            others: { [account] in Set(account.snapshot()?.otherDevices ?? []) },
            isRevoked: { [account] device in
                DeviceID(rawValue: device).flatMap { account.snapshot()?.membership.isRevoked($0) } ?? false
            })
    }

    // MARK: Changes

    /// Installed apps find what the account has at their first start.
    func prepareContainers() async {
        await service.prepare(Set(launchServices.apps().flatMap(Self.containers)))
    }

    func accountChanged() async {
        // Read first: it is noted that an account is left before it is gone.
        let present = present
        await service.accountChanged(to: present, left: account.leftAccounts)
        await prepareContainers()
    }

    /// A revoked device belongs to no account.
    private var present: RecordsAccount? {
        guard let snapshot = account.snapshot(), snapshot.standing == .member else { return nil }
        return RecordsAccount(account: snapshot.accountID, device: snapshot.deviceID)
    }
}
