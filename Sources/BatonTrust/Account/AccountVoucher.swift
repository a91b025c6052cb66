import BatonCore
import Crypto
import Foundation

/// The signature of a member under an item of the account's zone: a store that keeps it may know an old content key from a
/// device that was revoked, so that the seal alone proves nothing.
enum AccountVoucher {
    static func sign(
        _ content: Data, domain: String, account: AccountID, key: P256.Signing.PrivateKey
    ) throws -> Data {
        let bytes = signedBytes(content, domain, account, DeviceID(key: key.publicKey))
        return try key.signature(for: bytes).rawRepresentation
    }

    /// Whether a device that belongs to the account now signed it.
    static func isSigned(
        _ content: Data, by device: DeviceID, _ signature: Data, domain: String, membership: Membership
    ) -> Bool {
        guard membership.isMember(device), let key = membership.key(of: device),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: signedBytes(content, domain, membership.accountID, device))
    }

    private static func signedBytes(
        _ content: Data, _ domain: String, _ account: AccountID, _ device: DeviceID
    ) -> Data {
        Data("\(domain)\0\(account.rawValue)\0\(device.rawValue)\0".utf8) + content
    }
}
