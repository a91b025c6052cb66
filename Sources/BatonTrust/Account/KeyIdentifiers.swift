package import BatonCore
package import Crypto
import Foundation

extension AccountID {
    /// The identifier that follows from an account's root key: it proves itself, no registry is needed.
    package init(rootKey: P256.Signing.PublicKey) {
        self.init(unchecked: KeyIdentifier.derive("baton-account-v1\0", rootKey))
    }
}

extension DeviceID {
    /// The identifier derived from a device's key: the device that proves the key has it.
    package init(key: P256.Signing.PublicKey) {
        self.init(unchecked: KeyIdentifier.derive("baton-device-v1\0", key))
    }
}

private enum KeyIdentifier {
    /// 26 characters of base32: 130 bits of SHA-256 over a domain and the X9.63 form of the key.
    static func derive(_ domain: String, _ key: P256.Signing.PublicKey) -> String {
        var hash = SHA256()
        hash.update(data: Data(domain.utf8))
        hash.update(data: key.x963Representation)
        return String(Base32.encode(hash.finalize()).prefix(26))
    }
}
