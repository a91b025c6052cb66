import BatonConcurrency
package import BatonCore
import BatonTrust
import Foundation
import Synchronization

/// An app was not installed: it asks for access beyond its container that the person has not accepted.
package struct UnacceptedAccess: Error {
    package let identity: AppIdentity
    package let name: String
    /// As ``SandboxEntitlements/access``.
    package let wanted: [String]
}

extension LaunchServices {
    /// Installs the bundle at `path`, or puts it in the place of the version that is installed.
    ///
    /// Whatever happens meanwhile, either the old version or the new one is installed, whole. An upgrade keeps the
    /// app's data and ends the app if it runs. The same version may be installed again; an older one is refused, and
    /// so is another team's.
    /// - Parameter accepted: what the app may have beyond its container, as ``SandboxEntitlements/access``.
    /// - Throws: ``UnacceptedAccess`` for an app that asks for more than that, and than the version that is installed has.
    /// - Returns: the app, the version that it replaced, if any, and whether that one ran and was ended.
    package func install(
        path: String, accepting accepted: Set<String> = []
    ) async throws -> (app: InstalledApp, replacedVersion: String?, wasEnded: Bool) {
        do {
            guard path.hasPrefix("/") else {
                throw BatonError(
                    .invalidArgument, reason: "path_not_absolute", "The path of the bundle must be absolute.")
            }
            let bundle = try await installQueue.run { try CodeVerifier.verify(path) }
            settings.installStep(.verified)
            let sandbox = try SandboxEntitlements(bundle.info.entitlements)
            return try await locks.perform(bundle.identity.bundleID) {
                let old = self.app(bundle.identity.bundleID)
                let wanted = sandbox.access(beyond: old?.traits.sandbox).filter { !accepted.contains($0) }
                guard wanted.isEmpty else {
                    throw UnacceptedAccess(identity: bundle.identity, name: bundle.info.name, wanted: wanted)
                }
                return try await self.install(bundle, from: path)
            }
        } catch let error as BatonError {
            recorder.record(
                "launch", "install_refused", error.message,
                ["reason": error.reason, "bundle": (path as NSString).lastPathComponent])
            throw error
        }
    }

    private func install(
        _ bundle: VerifiedBundle, from path: String
    ) async throws -> (app: InstalledApp, replacedVersion: String?, wasEnded: Bool) {
        let bundleID = bundle.identity.bundleID
        let old = app(bundleID)
        try await finishRemoval(of: bundleID)
        try await checkReplacement(bundle, of: old)
        let (files, locations, step) = (files, locations, settings.installStep)
        let (relativePath, copy) = try await installQueue.run { try files.copy(bundle, from: path, step: step) }
        let traits: AppTraits
        do {
            traits = try await installQueue.run { try AppTraits(of: copy, at: files.absolute(relativePath)) }
        } catch {
            try? await installQueue.run { try files.remove(relativePath) }
            throw error
        }
        let record = AppRegistry.Record(
            identity: copy.identity, name: copy.info.name, version: copy.info.version,
            build: copy.info.build.description, activityTypes: copy.info.activityTypes,
            activityTitles: copy.info.activityTitles, bundle: relativePath,
            executable: copy.info.executable, digest: copy.digest, installed: settings.clock.now,
            associatedDomains: copy.info.entitlements.strings("com.apple.developer.associated-domains"),
            keyValueStore: try copy.info.entitlements.keyValueStore(of: copy.identity),
            keyValueProfile: copy.info.keyValueProfile, claims: copy.info.claims, traits: traits)
        var wasEnded = false
        do {
            if let old { wasEnded = try await terminate(old.identity) }
            step(.oldTerminated)
            // Before the row that says whose it is: a container without a row is empty.
            try await installQueue.run { try AppContainer.prepare(bundleID, locations) }
            try await registry.register(record)
        } catch {
            try? await installQueue.run { try files.remove(relativePath) }
            throw error
        }
        step(.registered)
        let app = installedApp(record)
        setApp(app, for: bundleID)
        state.withLock { $0.seals[bundleID] = copy.seal }
        if let old { await removeFiles(of: old) }
        step(.oldRemoved)
        recorder.record(
            "launch", old == nil ? "installed" : "upgraded",
            "\(app.name) \(app.displayVersion) was installed\(old.map { " in place of \($0.displayVersion)" } ?? "").",
            ["bundle_id": bundleID.rawValue, "team_id": app.identity.team.id.rawValue, "build": app.build])
        return (app, old?.displayVersion, wasEnded)
    }

    private func checkReplacement(_ bundle: VerifiedBundle, of old: InstalledApp?) async throws {
        let bundleID = bundle.identity.bundleID
        // The container's owner is that of the app while there is one, and outlives it.
        let owner = try await registry.containerOwner(bundleID)
        if let team = old?.identity.team ?? owner, team != bundle.identity.team {
            throw BatonError(
                .permissionDenied, reason: "team_changed",
                old == nil
                    ? "There is data of an app \(bundleID) by the team \(team), and this one is by the team "
                        + "\(bundle.identity.team). If you mean to lose that data, run “baton uninstall \(bundleID)”."
                    : "\(bundleID) is installed by the team \(team), and this one is by the team "
                        + "\(bundle.identity.team). Uninstall the other one first, which loses its data.")
        }
        guard let old, let installed = AppVersion(old.build), bundle.info.build < installed else { return }
        throw BatonError(
            .failedPrecondition, reason: "app_downgrade",
            "\(bundleID) is installed in the newer version \(old.build); this is \(bundle.info.build). Uninstall it "
                + "first if you want the older one.")
    }

    /// Says whose the data of an app is, before it comes from a backup: it is found by the same team's app only.
    /// - Throws: `permission_denied` (`team_changed`) where an app or data of another team has that name.
    package func claimContainer(of bundleID: BundleID, for team: TeamIdentity) async throws {
        try await locks.perform(bundleID) {
            try await self.finishRemoval(of: bundleID)
            guard let owner = try await self.registry.containerOwner(bundleID) else {
                return try await self.registry.setContainerOwner(bundleID, team)
            }
            guard owner == team else {
                throw BatonError(
                    .permissionDenied, reason: "team_changed",
                    "The data of \(bundleID) is of the team \(team), and there is an app or data of that name by the team \(owner). If you "
                        + "mean to lose that, run “baton uninstall \(bundleID)”.")
            }
        }
    }

    /// Removes an app; its data too, unless `keepData`. Kept data is found again by the same team's app only. For an
    /// app that is not installed, removes the data that was kept.
    package func uninstall(_ bundleID: BundleID, keepData: Bool) async throws {
        try await locks.perform(bundleID) {
            guard let app = self.app(bundleID) else {
                guard try await self.registry.isKnown(bundleID) else { throw Self.notInstalled(bundleID) }
                guard !keepData else { return }
                try await self.registry.unregister(bundleID, keepData: false)
                try await self.finishRemoval(of: bundleID)
                return
            }
            try await self.terminate(app.identity)
            try await self.forget(bundleID, keepData: keepData)
            self.setApp(nil, for: bundleID)
            await self.removeFiles(of: app)
            self.recorder.record(
                "launch", "uninstalled", "\(app.name) was uninstalled\(keepData ? "; its data was kept" : "").",
                ["bundle_id": bundleID.rawValue])
        }
    }

    /// A step that fails after the row is gone is finished at the next start.
    private func forget(_ bundleID: BundleID, keepData: Bool) async throws {
        try await registry.unregister(bundleID, keepData: keepData)
        state.withLock { $0.lastExits[bundleID] = nil }
        if !keepData { await tryToRemoveContainer(bundleID) }
    }

    /// Removes the data of an app that was uninstalled before, if that could not be done then: out of reach of a person who
    /// installs an app of the same name.
    private func finishRemoval(of bundleID: BundleID) async throws {
        guard try await registry.isDoomed(bundleID) else { return }
        do {
            try await removeContainer(bundleID)
        } catch {
            throw BatonError(
                .failedPrecondition, reason: "container_not_removed",
                "The data of the app \(bundleID) that was uninstalled cannot be removed. Remove "
                    + "“\(locations.containers)/\(bundleID)” yourself, then try again. "
                    + ((error as? BatonError)?.message ?? ""), cause: error)
        }
    }

    /// A removal that fails is tried again at the next start, and before an app with this bundle identifier is installed.
    func tryToRemoveContainer(_ bundleID: BundleID) async {
        do {
            try await removeContainer(bundleID)
        } catch {
            recordFailure("removal_postponed", error, bundleID: bundleID.rawValue)
        }
    }

    func removeContainer(_ bundleID: BundleID) async throws {
        let locations = locations
        try await installQueue.run {
            try AppContainer.remove(bundleID, locations)
            try AppLog.remove(bundleID, in: locations.appLogs)
        }
        try await registry.forgetContainer(bundleID)
    }

    private func removeFiles(of app: InstalledApp) async {
        let files = files
        let relativePath = String(app.bundlePath.dropFirst(files.applications.utf8.count + 1))
        do {
            try await installQueue.run { try files.remove(relativePath) }
        } catch {
            recordFailure("removal_postponed", error, bundleID: app.bundleID.rawValue)
        }
    }

    static func notInstalled(_ bundleID: BundleID) -> BatonError {
        BatonError(
            .notFound, reason: "app_not_installed",
            "\(bundleID) is not installed here. See “baton apps”; install it with “baton install”.")
    }
}
