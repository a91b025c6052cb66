package import BatonCore
import Crypto
import Foundation

/// The tokens by which devices of one account recognise each other before they trust each other.
///
/// Nothing that is announced is a name or a stable identifier: the instance name is random and rotates, and each token
/// is an HMAC over it. A stranger sees random text; only a device that has a discovery key knows whose it is. Recognition is
/// never proof, since anybody can repeat an announcement: TLS proves.
package enum LinkTokens {
    /// The TXT record's entries for an announcement.
    package static func attributes(instance: String, device: DeviceID, key: DiscoveryKey) -> [String: String] {
        [
            "a": announceToken(instance: instance, key: key),
            "d": deviceToken(instance: instance, device: device, key: key),
        ]
    }

    /// An instance name: random text, and a mark by which a holder of the key knows names of the account from those that
    /// strangers announce, however many, before it asks for more. Only a hint: the tokens are longer.
    /// - Parameter nonce: ``nonceLength`` characters.
    package static func instance(nonce: String, key: DiscoveryKey) -> String {
        nonce + token("instance\0\(nonce)", key).prefix(markLength)
    }

    package static func isMarked(_ instance: String, keys: [DiscoveryKey]) -> Bool {
        guard instance.utf8.count == nonceLength + markLength else { return false }
        let nonce = String(instance.prefix(nonceLength))
        return keys.contains { Self.instance(nonce: nonce, key: $0) == instance }
    }

    /// 80 random bits.
    package static let nonceLength = 16
    private static let markLength = 10

    package enum Recognition: Equatable, Sendable {
        /// A stranger's, another account's, or garbage.
        case notOurs
        /// A token of this account. The device is given if it is one of `members`; `key` is the key that recognised the
        /// token.
        case ours(DeviceID?, key: DiscoveryKey)
    }

    /// Costs one HMAC per key for a stranger's announcement, one per member more for one of ours.
    package static func recognise(
        instance: String, attributes: [String: String], keys: [DiscoveryKey], members: some Sequence<DeviceID>
    ) -> Recognition {
        // DNS may change the case of what it carries.
        guard let announced = attributes["a"]?.uppercased(), announced.utf8.count == tokenLength else {
            return .notOurs
        }
        let known = keys.first {
            ConstantTime.equal(announceToken(instance: instance, key: $0).utf8, announced.utf8)
        }
        guard let key = known else { return .notOurs }
        let deviceToken = attributes["d"]?.uppercased() ?? ""
        let device = members.first {
            ConstantTime.equal(Self.deviceToken(instance: instance, device: $0, key: key).utf8, deviceToken.utf8)
        }
        return .ours(device, key: key)
    }

    /// The server name (SNI) that a dialer sends to the device that announces `instance`: proof that it has a
    /// discovery key, good for one connection to that instance.
    /// - Parameter nonce: 16 random bytes, new for each connection.
    package static func serverName(instance: String, key: DiscoveryKey, nonce: [UInt8]) -> String {
        precondition(nonce.count == 16, "a server name's nonce has 16 bytes")
        let nonce = Base32.encode(nonce).lowercased()
        return "\(nonce).\(serverNameToken(instance: instance, nonce: nonce, key: key)).\(serverNameSuffix)"
    }

    /// Takes the place of the instance in ``attributes(instance:device:key:)`` while a device pairs under a label.
    /// Labels have no hyphen and no instance begins with `pairing-`, so tokens of the two never match.
    package static func pairingInstance(label: String) -> String { "pairing-\(label.uppercased())" }

    static let serverNameSuffix = "baton"
    /// Base32 characters of 16 bytes.
    static let tokenLength = 26

    static func serverNameToken(instance: String, nonce: String, key: DiscoveryKey) -> String {
        token("sni\0\(instance)\0\(nonce)", key).lowercased()
    }

    /// The token of an announcement that is meant for one contact.
    static func contactToken(instance: String, key: DiscoveryKey) -> String { token("contact\0\(instance)", key) }

    private static func announceToken(instance: String, key: DiscoveryKey) -> String {
        token("announce\0\(instance)", key)
    }

    private static func deviceToken(instance: String, device: DeviceID, key: DiscoveryKey) -> String {
        token("device\0\(instance)\0\(device)", key)
    }

    private static func token(_ text: String, _ key: DiscoveryKey) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key.bytes))
        return Base32.encode(code.prefix(16))
    }
}
