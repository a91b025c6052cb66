package import BatonCore
package import BatonTrust
import BatonWire
package import Foundation
import SwiftProtobuf

/// The items of the account's zone of the cloud, by name.
package enum AccountItems {
    /// Where the account's cloud is: a ``SignedCloudEndpoint``.
    package static let cloud = "cloud"
    /// The newest discovery key: a ``VouchedDiscoveryKey``.
    package static let discoveryKey = "discovery-key"
    private static let profilePrefix = "device/"

    /// A device's name: its ``DeviceProfiles`` message.
    package static func profile(of device: DeviceID) -> String { profilePrefix + device.rawValue }

    static func device(of name: String) -> DeviceID? {
        name.hasPrefix(profilePrefix) ? DeviceID(rawValue: String(name.dropFirst(profilePrefix.count))) : nil
    }

    /// False for items that a newer Baton, or another program, has put there.
    package static func isKnown(_ name: String) -> Bool {
        name == cloud || name == discoveryKey || device(of: name) != nil
    }

    /// The changes that are due in the zone.
    package struct Changes: Sendable {
        package var writes: [String: Data] = [:]
        package var deletions: [String] = []
    }
}

/// Names and the cloud's address, which the account's devices exchange through the cloud.
extension AccountService {
    /// Compares the zone with what this device knows: what is missing, older, damaged, or not vouched for is written.
    /// - Parameter existing: the zone's items by name; those of names that are not known here are left alone.
    package func accountItems(existing: [String: Data]) async throws -> AccountItems.Changes {
        try await queue.perform { [self] () throws(BatonError) in
            guard let state = state() else { throw Self.noAccount }
            guard state.isMember else { throw Self.wasRevoked }
            var changes = AccountItems.Changes()
            if let endpoint = state.cloud,
                !Self.isSaid(endpoint, by: existing[AccountItems.cloud], state.membership)
            {
                changes.writes[AccountItems.cloud] = try SignedCloudEndpoint.make(
                    endpoint, account: state.accountID, key: state.deviceKey)
            }
            if let key = state.discoveryKeys.newest,
                !Self.isSaid(key, by: existing[AccountItems.discoveryKey], state.membership)
            {
                changes.writes[AccountItems.discoveryKey] = try VouchedDiscoveryKey.make(
                    key, account: state.accountID, signer: state.deviceKey)
            }
            for (device, profile) in state.profiles.all where state.membership.isMember(device) {
                let name = AccountItems.profile(of: device)
                guard !Self.isSaid(profile, of: device, by: existing[name], state.membership) else { continue }
                do {
                    changes.writes[name] = try profile.message.serializedBytes()
                } catch {
                    throw BatonError(
                        .internal, reason: "profile_not_written", "A device's name could not be written.", cause: error)
                }
            }
            changes.deletions = existing.keys.filter { name in
                AccountItems.device(of: name).map(state.membership.isRevoked) ?? false
            }
            return changes
        }
    }

    /// Merges items of the zone. Items without a member's signature, and outdated ones, are ignored.
    /// - Returns: true when anything is new.
    @discardableResult
    package func mergeAccountItems(_ items: [String: Data]) async throws -> Bool {
        guard let membership = membership() else { throw Self.noAccount }
        var message = Baton_Link_V1_Membership()
        for (name, content) in items {
            if name == AccountItems.cloud {
                guard let told = try? SignedCloudEndpoint(content), told.isVouched(for: membership) else { continue }
                message.cloud = told.message
            } else if name == AccountItems.discoveryKey {
                guard let told = try? VouchedDiscoveryKey(content), told.isVouched(for: membership) else { continue }
                message.discoveryKeys = [told.key.message]
            } else if AccountItems.device(of: name) != nil {
                guard let profile = Self.profile(content) else { continue }
                message.profiles.append(profile)
            }
        }
        guard message.hasCloud || !message.discoveryKeys.isEmpty || !message.profiles.isEmpty else { return false }
        return try await merge(message)
    }

    /// The item that names a cloud.
    package func cloudItem(saying endpoint: CloudEndpoint) async throws -> Data {
        try await queue.perform { [self] () throws(BatonError) in
            guard let state = state() else { throw Self.noAccount }
            return try SignedCloudEndpoint.make(endpoint, account: state.accountID, key: state.deviceKey)
        }
    }

    private static func isSaid(_ endpoint: CloudEndpoint, by content: Data?, _ membership: Membership) -> Bool {
        guard let content, let told = try? SignedCloudEndpoint(content), told.isVouched(for: membership) else {
            return false
        }
        return !endpoint.isNewer(than: told.endpoint)
    }

    private static func isSaid(_ key: DiscoveryKey, by content: Data?, _ membership: Membership) -> Bool {
        guard let content, let told = try? VouchedDiscoveryKey(content), told.isVouched(for: membership) else {
            return false
        }
        return told.key >= key
    }

    private static func isSaid(
        _ profile: DeviceProfiles.Profile, of device: DeviceID, by content: Data?, _ membership: Membership
    ) -> Bool {
        guard let content, let message = Self.profile(content),
            let (teller, told) = DeviceProfiles.read(message, { membership.key(of: $0) }), teller == device
        else { return false }
        return !DeviceProfiles.isNewer(profile, than: told)
    }

    private static func profile(_ content: Data) -> Baton_Link_V1_DeviceProfile? {
        guard content.count <= 2 * DeviceProfiles.maximumSize else { return nil }
        return try? Baton_Link_V1_DeviceProfile(serializedBytes: content)
    }
}
