package import BatonCore
package import BatonWire
package import Crypto
package import Foundation
import SwiftProtobuf

/// Where the account's cloud is, as a member says it to devices that it does not meet: signed, since a server that keeps it
/// may know an old content key from a device that was revoked.
package struct SignedCloudEndpoint: Sendable {
    /// Bytes: the longest URL, and room for what a newer version may add.
    package static let maximumSize = 4096

    private static let signingDomain = "baton-account-cloud-v1"

    package let endpoint: CloudEndpoint
    /// Exactly as it was signed.
    package let message: Baton_Link_V1_CloudEndpoint
    private let device: DeviceID
    private let signed: Baton_Sync_V1_AccountCloud

    /// Well-formed; not yet verified.
    /// - Throws: `invalid_argument` when it is not.
    package init(_ content: Data) throws(BatonError) {
        guard content.count <= Self.maximumSize,
            let signed = try? Baton_Sync_V1_AccountCloud(serializedBytes: content), signed.signature.count == 64,
            let device = DeviceID(rawValue: signed.deviceID),
            let message = try? Baton_Link_V1_CloudEndpoint(serializedBytes: signed.endpoint)
        else {
            throw BatonError(
                .invalidArgument, reason: "malformed_account_cloud",
                "The record of the account's cloud address cannot be read.")
        }
        endpoint = try CloudEndpoint(message)
        self.message = message
        self.device = device
        self.signed = signed
    }

    /// Whether a device that belongs to the account now says so.
    package func isVouched(for membership: Membership) -> Bool {
        AccountVoucher.isSigned(
            signed.endpoint, by: device, signed.signature, domain: Self.signingDomain, membership: membership)
    }

    /// The content of an item.
    package static func make(
        _ endpoint: CloudEndpoint, account: AccountID, key: P256.Signing.PrivateKey
    ) throws(BatonError) -> Data {
        do {
            var signed = Baton_Sync_V1_AccountCloud()
            signed.deviceID = DeviceID(key: key.publicKey).rawValue
            signed.endpoint = try endpoint.message.serializedBytes()
            signed.signature = try AccountVoucher.sign(
                signed.endpoint, domain: signingDomain, account: account, key: key)
            return try signed.serializedBytes()
        } catch {
            throw BatonError(
                .internal, reason: "account_cloud_not_made", "Where the account's cloud is could not be signed.",
                cause: error)
        }
    }
}
