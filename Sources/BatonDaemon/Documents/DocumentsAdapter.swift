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
    let folders: VisibleFolders

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

    func apps(using container: ContainerName) -> [(identity: AppIdentity, name: String)] {
        launchServices.apps().filter { Self.containers(of: $0).contains(container) }.map { ($0.identity, $0.name) }
    }

    func scope(of container: ContainerName) -> (folder: String, levels: String) {
        if container == .drive { return (folders.hasDrive ? folders.directory : "", "") }
        let app = launchServices.apps().first { Self.containers(of: $0).contains(container) }
        let levels = app?.traits.ubiquitousContainers?[container.identifier]?.folderLevels.rawValue ?? ""
        return (folders.path(of: container) ?? "", levels)
    }

    // MARK: Switches

    func switchDocuments(of bundleID: String, on: Bool) async throws -> [ContainerName] {
        let bundleID = try BundleID(validating: bundleID)
        let (app, containers) = try user(bundleID)
        try await service.set(app, off: !on)
        await refresh()
        return containers
    }

    /// An installed app with containers, or a program in development that has made its own here.
    private func user(_ bundleID: BundleID) throws(BatonError) -> (AppIdentity, [ContainerName]) {
        if let app = launchServices.app(bundleID) {
            let containers = Self.containers(of: app)
            if !containers.isEmpty { return (app.identity, containers) }
        }
        if let own = Self.developmentContainer(of: bundleID),
            service.running.contains(where: { $0.name == own }) || service.resting.contains(own)
        {
            return (AppIdentity(bundleID: bundleID, team: .development), [own])
        }
        throw BatonError(
            .notFound, reason: "no_documents",
            "\(bundleID) has no iCloud documents on this device. “baton documents” lists the containers that there are."
        )
    }

    private static func developmentContainer(of bundleID: BundleID) -> ContainerName? {
        ContainerName(team: .development, identifier: "iCloud.\(bundleID)")
    }

    /// Containers whose apps are all switched off.
    private var resting: Set<ContainerName> {
        var users: [ContainerName: [AppIdentity]] = [:]
        for app in launchServices.apps() {
            for container in Self.containers(of: app) { users[container, default: []].append(app.identity) }
        }
        for app in service.off where app.team.isDevelopment {
            if let own = Self.developmentContainer(of: app.bundleID) { users[own, default: []].append(app) }
        }
        return Set(users.filter { $0.value.allSatisfy(service.isOff) }.keys)
    }

    static func containers(of app: InstalledApp) -> [ContainerName] {
        (app.traits.documentContainers ?? []).compactMap { ContainerName(team: app.identity.team, identifier: $0) }
    }

    // MARK: Changes

    /// Installed apps find what the account has at their first start.
    func prepareContainers() async {
        await service.rest(resting)
        // The person's own is there without any app.
        await service.prepare([.drive])
        await service.prepare(Set(launchServices.apps().flatMap(Self.containers)))
        showFolders()
    }

    func accountChanged() async {
        await service.rest(resting)
        await service.accountChanged(to: present)
        await prepareContainers()
    }

    private func refresh() async {
        await service.rest(resting)
        showFolders()
    }

    /// Containers that are open, and whose apps want the person to find them (D-32).
    private func showFolders() {
        var wanted: [VisibleFolders.Folder] = []
        let running = Set(service.running.map(\.name))
        for app in launchServices.apps().sorted(by: { $0.bundleID < $1.bundleID }) {
            for container in Self.containers(of: app) where running.contains(container) {
                guard let traits = app.traits.ubiquitousContainers?[container.identifier], traits.isDocumentScopePublic
                else { continue }
                wanted.append(
                    .init(
                        container: container, documents: service.path(of: container) + "/Documents",
                        name: traits.name.isEmpty ? app.name : traits.name))
            }
        }
        folders.show(wanted, drive: running.contains(.drive) ? service.path(of: .drive) + "/Documents" : nil)
    }

    /// A revoked device belongs to no account.
    private var present: DocumentsAccount? {
        guard let snapshot = account.snapshot(), snapshot.standing == .member else { return nil }
        return DocumentsAccount(
            account: snapshot.accountID, device: snapshot.deviceID, deviceName: snapshot.name(of: snapshot.deviceID),
            gearKey: snapshot.keyRing.gearKey, hasCloud: account.cloudEndpoint() != nil)
    }
}
