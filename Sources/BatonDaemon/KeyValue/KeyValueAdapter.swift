import AppSessions
import BatonCore
import BatonTrust
import Devices
import Foundation
import KeyValue
import LaunchServices

/// This device's apps and account, for their key-value stores.
struct KeyValueAdapter: KeyValueApps {
    let service: KeyValueService
    let launchServices: LaunchServices
    let account: AccountService
    /// Where the person's teams are.
    let teams: String
    let recorder: any EventRecorder

    // MARK: Apps

    /// An app without the entitlement has no store; a program in development has that of its name.
    func grant(to app: AppCaller, profile: KeyValueLimits.Profile) throws(BatonError) -> KeyValueGrant {
        let bundleID = app.identity.bundleID
        guard !app.identity.team.isDevelopment else { return Self.grant(to: bundleID, KeyValueLimits(profile)) }
        guard let installed = launchServices.app(bundleID), installed.identity == app.identity,
            let grant = Self.grant(to: installed)
        else { throw Self.noEntitlement(bundleID) }
        return grant
    }

    func grant(forDevelopmentOf bundleID: BundleID, mayWrite: Bool) async throws -> KeyValueGrant {
        guard let app = launchServices.app(bundleID) else { return Self.grant(to: bundleID, .classic) }
        guard let grant = Self.grant(to: app) else { throw Self.noEntitlement(app.bundleID) }
        // The person may see what their apps keep, on whichever of their devices.
        guard mayWrite else { return grant }
        let teams = teams
        let isOwn = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            // Reads a file; rare, and few at once.
            DispatchQueue.global().async {
                let team = try? TeamStore(directory: teams).load(app.identity.team.id)
                continuation.resume(returning: team?.identity == app.identity.team)
            }
        }
        guard isOwn else {
            throw BatonError(
                .permissionDenied, reason: "not_your_team",
                "\(app.bundleID) is of the team \(app.identity.team.id), whose key is not here: only apps of your own "
                    + "teams can be written to. “baton team export” on the device that has the key, and “baton team import” "
                    + "here, bring it.")
        }
        return grant
    }

    private static func grant(to app: InstalledApp) -> KeyValueGrant? {
        app.keyValueStore.map {
            KeyValueGrant(
                store: KeyValueStoreName(team: app.identity.team, identifier: $0),
                limits: KeyValueLimits(app.keyValueProfile))
        }
    }

    private static func grant(to program: BundleID, _ limits: KeyValueLimits) -> KeyValueGrant {
        KeyValueGrant(store: KeyValueStoreName(team: .development, identifier: program), limits: limits)
    }

    private static func noEntitlement(_ bundleID: BundleID) -> BatonError {
        BatonError(
            .permissionDenied, reason: "no_key_value_store",
            "\(bundleID) has no key-value store: it needs the entitlement “\(Entitlements.keyValueStore)”, as in "
                + "$(TeamIdentifierPrefix)\(bundleID). Add it, and sign and install the app again.")
    }

    func name(of device: DeviceID) -> String { account.snapshot()?.name(of: device) ?? device.rawValue }

    // MARK: Changes

    /// Before anybody uses a store.
    func start() async throws { try await followAccount() }

    /// Installed apps find what the account has at their first start.
    func prepareStores() async {
        let stores = Set(launchServices.apps().compactMap { Self.grant(to: $0)?.store })
        await record("stores_not_made", "Key-value stores of installed apps could not be made.") {
            try await service.prepare(stores)
        }
    }

    func accountChanged() async {
        await record("account_not_followed", "The key-value stores could not be brought to the account.") {
            try await followAccount()
        }
    }

    private func followAccount() async throws {
        // Read first: it is noted that an account is left before it is gone.
        let present = present
        try await service.accountChanged(to: present, left: account.leftAccounts)
    }

    private func record(_ event: String, _ message: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            recorder.record("key_value", event, message, ["error": "\(error)"])
        }
    }

    /// A revoked device belongs to no account.
    private var present: KeyValueAccount? {
        guard let snapshot = account.snapshot(), snapshot.standing == .member else { return nil }
        return KeyValueAccount(account: snapshot.accountID, device: snapshot.deviceID)
    }
}
