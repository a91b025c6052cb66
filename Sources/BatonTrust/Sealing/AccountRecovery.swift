package import BatonCore
package import BatonWire
import Crypto
package import Foundation
import SwiftProtobuf

/// An account recovered from a recovery code and the cloud's records of the account.
package struct RecoveredAccount: Sendable {
    package let membership: Membership
    package let keyRing: KeyRing
    /// Those that came with the content keys; a device that was away for long may need another one.
    package let discoveryKeys: [DiscoveryKey]
}

extension RecoveryCode {
    /// - Parameters:
    ///   - statements: the membership as the cloud has it.
    ///   - envelopes: items of the cloud's zone of content keys, of whichever devices.
    /// - Throws: `failed_precondition` when the recovery key was revoked; `not_found` when the account never had it, or the
    ///   cloud has no content key for it; `data_loss` when what the cloud has cannot be believed.
    package func recover(
        statements: [Baton_Link_V1_SignedStatement], envelopes: [Data]
    ) throws(BatonError) -> RecoveredAccount {
        let key = try key()
        let device = DeviceID(key: key.publicKey)
        let readable = envelopes.compactMap { try? ContentKeyEnvelope($0, account: account) }
        guard let rootKey = readable.first?.rootKey else { throw Self.noContentKeys }
        let membership: Membership
        do {
            membership = try Membership(rootKey: rootKey, statements: statements)
        } catch {
            throw BatonError(
                .dataLoss, reason: "account_not_believed",
                "The cloud's records of the account are damaged. Ask the cloud's operator.", cause: error)
        }
        guard !membership.isRevoked(device) else {
            throw BatonError(
                .failedPrecondition, reason: "recovery_key_revoked",
                "This recovery key was revoked. Use a newer one, or a device of the account.")
        }
        guard let record = membership.record(of: device) else {
            throw BatonError(
                .notFound, reason: "unknown_recovery_key",
                "The cloud does not know this recovery key. Check that it is the right cloud.")
        }
        let own = readable.filter { $0.recipient == device }
        // A first generation is vouched for by its writer alone: the device that made this recovery key is believed first.
        let byTrust = own.filter { $0.writer == record.sponsor } + own.filter { $0.writer != record.sponsor }
        var ring: KeyRing?
        var later: [Baton_Link_V1_ContentKey] = []
        var discoveryKeys: [DiscoveryKey] = []
        for envelope in byTrust {
            guard let opened = try? envelope.open(with: key, membership: membership) else { continue }
            switch opened.key {
            case .first(let secret): if ring == nil { ring = try KeyRing(account: account, secret: secret) }
            case .later(let message): later.append(message)
            }
            if let discoveryKey = opened.discoveryKey { discoveryKeys.append(discoveryKey) }
        }
        guard var ring else { throw Self.noContentKeys }
        ring.merge(later, membership: membership)
        return RecoveredAccount(membership: membership, keyRing: ring, discoveryKeys: discoveryKeys)
    }

    private static let noContentKeys = BatonError(
        .notFound, reason: "no_content_keys",
        "The cloud has no content key for this recovery key. A device of the account that is signed in to the cloud must "
            + "have been online since the recovery key was made.")
}
