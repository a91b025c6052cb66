package import BatonCore
import BatonWire
package import Crypto
package import Foundation
import SwiftProtobuf

/// The newest discovery key, as a member says it to devices that it does not meet.
///
/// Several devices that hear of a revocation each make a key. Without this, two of them that meet no third device would
/// never recognise each other again.
package struct VouchedDiscoveryKey: Sendable {
    /// Bytes; ours have about 150.
    package static let maximumSize = 1024

    private static let signingDomain = "baton-account-discovery-key-v1"

    package let key: DiscoveryKey
    private let device: DeviceID
    private let signed: Baton_Sync_V1_AccountDiscoveryKey

    /// Well-formed; not yet verified.
    /// - Throws: `invalid_argument` when it is not.
    package init(_ content: Data) throws(BatonError) {
        guard content.count <= Self.maximumSize,
            let signed = try? Baton_Sync_V1_AccountDiscoveryKey(serializedBytes: content), signed.signature.count == 64,
            let device = DeviceID(rawValue: signed.deviceID),
            let message = try? Baton_Link_V1_DiscoveryKey(serializedBytes: signed.discoveryKey),
            let key = DiscoveryKeys.read([message]).first
        else {
            throw BatonError(
                .invalidArgument, reason: "malformed_discovery_key",
                "The cloud's record of the account's discovery key cannot be read.")
        }
        self.key = key
        self.device = device
        self.signed = signed
    }

    /// Whether a device that belongs to the account now says so.
    package func isVouched(for membership: Membership) -> Bool {
        AccountVoucher.isSigned(
            signed.discoveryKey, by: device, signed.signature, domain: Self.signingDomain, membership: membership)
    }

    /// The content of an item.
    package static func make(
        _ key: DiscoveryKey, account: AccountID, signer: P256.Signing.PrivateKey
    ) throws(BatonError) -> Data {
        do {
            var signed = Baton_Sync_V1_AccountDiscoveryKey()
            signed.deviceID = DeviceID(key: signer.publicKey).rawValue
            signed.discoveryKey = try key.message.serializedBytes()
            signed.signature = try AccountVoucher.sign(
                signed.discoveryKey, domain: signingDomain, account: account, key: signer)
            return try signed.serializedBytes()
        } catch {
            throw BatonError(
                .internal, reason: "discovery_key_not_made", "The account's discovery key could not be signed.",
                cause: error)
        }
    }
}
