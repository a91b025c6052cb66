package import BatonCore
import BatonTrust
import Files

extension LaunchServices {
    /// What an app may reach at its next launch; nil where apps are started without the helper.
    func confinement(of app: InstalledApp) -> AppProcess.Confinement? {
        guard let helper = settings.helper else { return nil }
        let home = settings.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let display = settings.environment["XAUTHORITY"] ?? home.map { $0 + "/.Xauthority" }
        let policy = SandboxPolicy(
            bundle: app.bundlePath, container: app.containerPath, inbox: inbox(of: app.bundleID),
            documents: documents(of: app), entitlements: app.traits.sandbox, home: home, display: display)
        return AppProcess.Confinement(helper: helper, policy: policy)
    }

    /// Where the files of an app's `Documents/Inbox` are.
    package func inbox(of bundleID: BundleID) -> String { AppContainer.inbox(of: bundleID, locations) }

    /// The folder of all iCloud containers.
    package var documents: String { locations.data + "/documents" }

    /// The folders of an app's iCloud containers, made if need be: what is not there at a launch cannot be allowed.
    private func documents(of app: InstalledApp) -> [String] {
        var folders: [String] = []
        for name in app.traits.documentContainers ?? [] {
            let folder = "\(documents)/\(app.identity.team.id.rawValue)/\(name)"
            do throws(BatonError) {
                try SecureDirectory.prepare(documents)
                try SecureDirectory.prepare(folder)
                folders.append(folder)
            } catch {
                recorder.record(
                    "launch", "container_not_made", error.message,
                    ["bundle_id": app.bundleID.rawValue, "container": name])
            }
        }
        return folders
    }

    /// The directories and files that an app may read when it is confined, with all that is below them. Links in them are
    /// not resolved.
    package func readablePaths(of app: InstalledApp) -> [String] {
        let rules = confinement(of: app)?.policy.rules ?? []
        return rules.filter { $0.access != .device }.map(\.path)
    }

    /// What confines apps here, for people.
    package var sandboxFinding: (isOn: Bool, text: String) {
        guard settings.helper != nil else { return (false, "off: apps are started without it") }
        guard let version = Landlock.version else {
            return (false, "off: this kernel has no Landlock, so apps see what their person sees")
        }
        return (true, "on (Landlock \(version)): apps see their container, their bundle, and the system read-only")
    }

    /// The same for one app.
    package func sandboxFinding(of app: InstalledApp) -> (isOn: Bool, text: String) {
        let entitlements = app.traits.sandbox
        guard sandboxFinding.isOn else { return sandboxFinding }
        guard !entitlements.isUnconfined else {
            return (true, "Its team's entitlement com.apple.security.app-sandbox takes it out of the sandbox.")
        }
        let more =
            (entitlements.readOnlyPaths + entitlements.readWritePaths)
            + (entitlements.homeReadOnlyPaths + entitlements.homeReadWritePaths).map { "~" + $0 }
        let seen = "It sees its container, its bundle, and the system read-only"
        return (true, more.isEmpty ? seen + "." : seen + "; by entitlement also \(more.joined(separator: ", ")).")
    }
}
