import Backup
import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Devices
import Foundation
import LaunchServices
import SwiftProtobuf

/// The account's keys, as a backup and its recovery use them.
struct BackingUpAccount: BackupAccount {
    let account: AccountService

    var deviceName: String {
        guard let snapshot = account.snapshot() else { return "" }
        return snapshot.profiles.name(of: snapshot.deviceID) ?? snapshot.deviceID.rawValue
    }

    func keys() async throws -> any BackupKeys {
        guard account.standing == .member else { throw Self.noAccount }
        try await account.makeContentKeyIfNeeded()
        guard let snapshot = account.snapshot(), let link = account.linkIdentity(),
            let key = try? P256.Signing.PrivateKey(derRepresentation: link.privateKey)
        else { throw Self.noAccount }
        return SealedBackupKeys(ring: snapshot.keyRing, membership: snapshot.membership, key: key)
    }

    func publication(membership: [UInt8]?, existing: [String: [UInt8]]) async throws -> BackupPublication {
        // Another device may know a member that this one has not heard of yet.
        if let known = membership.flatMap({ try? Baton_Cloud_V1_MergeMembershipRequest(serializedBytes: $0) }) {
            try await account.merge(.with { $0.statements = known.statements })
        }
        let known = Dictionary(
            existing.compactMap { name, bytes in Self.item(named: name).map { ($0, Data(bytes)) } }
        ) { first, _ in first }
        let changes = try await account.contentKeyEnvelopes(existing: known)
        let membership = Baton_Cloud_V1_MergeMembershipRequest.with {
            $0.statements = account.membershipMessage().statements
        }
        return BackupPublication(
            account: try membership.serializedBytes(),
            keys: Dictionary(changes.writes.map { (Self.name($0.key), Array($0.value)) }) { first, _ in first },
            superfluous: changes.deletions.map(Self.name))
    }

    func account(of code: String) throws -> AccountID { try RecoveryCode(typed: code).account }

    func recover(_ code: String, account: [UInt8], keys: [[UInt8]]) async throws -> any BackupKeys {
        let statements: [Baton_Link_V1_SignedStatement]
        do {
            statements = try Baton_Cloud_V1_MergeMembershipRequest(serializedBytes: account).statements
        } catch {
            throw BatonError(
                .dataLoss, reason: "account_not_believed",
                "The record of the account beside the backup is damaged. Use a device of the account.", cause: error)
        }
        do {
            let recovered = try RecoveryCode(typed: code)
                .recover(statements: statements, envelopes: keys.map { Data($0) })
            return SealedBackupKeys(ring: recovered.keyRing, membership: recovered.membership, key: nil)
        } catch {
            // The account's own sentence is about its cloud.
            guard ["unknown_recovery_key", "no_content_keys"].contains(error.reason) else { throw error }
            throw BatonError(
                .notFound, reason: "unknown_recovery_key",
                "The backup there does not know this recovery key: no backup was made since the key was. Make one with “baton backup "
                    + "now” on a device of the account, or use an older key.", cause: error)
        }
    }

    private static func name(_ item: Data) -> String {
        item.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func item(named name: String) -> Data? {
        let digits = Array(name.utf8)
        guard digits.count == 64 else { return nil }
        var bytes = Data()
        for index in stride(from: 0, to: 64, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }

    private static let noAccount = BatonError(
        .failedPrecondition, reason: "no_account",
        "This device belongs to no account, or was revoked from it. Make one with “baton account create”, or join one with "
            + "“baton pair”.")
}

/// This device's apps, for backups.
struct BackingUpApps: BackupApps {
    let launchServices: LaunchServices
    let containers: String

    func apps() -> [BackedUpApp] {
        launchServices.apps().map {
            BackedUpApp(
                bundleID: $0.bundleID, version: $0.displayVersion, container: containers + "/" + $0.bundleID.rawValue,
                team: $0.identity.team, bundle: $0.bundlePath)
        }
    }

    func container(of bundleID: BundleID) throws -> String {
        guard launchServices.app(bundleID) != nil else {
            throw BatonError(
                .notFound, reason: "not_installed",
                "The app \(bundleID) is not installed. Install it with “baton install”, or restore elsewhere with --to DIR."
            )
        }
        return containers + "/" + bundleID.rawValue
    }

    func place(of bundleID: BundleID) -> String { containers + "/" + bundleID.rawValue }

    func install(_ path: String) async throws { _ = try await launchServices.install(path: path) }

    func claim(_ bundleID: BundleID, for team: TeamIdentity) async throws {
        try await launchServices.claimContainer(of: bundleID, for: team)
    }

    func isRunning(_ bundleID: BundleID) -> Bool { launchServices.runningProcess(bundleID) != nil }
}
