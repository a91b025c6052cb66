package import BatonCore
package import Crypto
import Files
import Foundation

/// A team's signing key: its holder can publish apps of that team (H-4).
///
/// The Team ID follows from the public key, so a team proves itself and there is no registry to ask.
package struct TeamKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// For the person who keeps several; signed nowhere.
    package let name: String
    package let identity: TeamIdentity
    private let key: Curve25519.Signing.PrivateKey

    /// Makes a new team.
    package init(name: String) throws(BatonError) {
        try self.init(name: name, key: Curve25519.Signing.PrivateKey())
    }

    package init(name: String, key: Curve25519.Signing.PrivateKey) throws(BatonError) {
        guard Self.isValid(name: name) else {
            throw BatonError(
                .invalidArgument, reason: "invalid_team_name",
                "A team's name has 1 to 64 visible characters, and no space at either end.")
        }
        self.name = name
        self.key = key
        identity = Self.identity(ofPublicKey: Array(key.publicKey.rawRepresentation))
    }

    /// The description leaves out the key, since printed text ends up in logs.
    package var description: String { "team \(identity.id) (\(name))" }
    package var customMirror: Mirror { Mirror(self, children: ["identity": identity]) }

    /// 32 bytes.
    package var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    package func signature(of message: [UInt8]) throws(BatonError) -> [UInt8] {
        do {
            return Array(try key.signature(for: message))
        } catch {
            throw BatonError(.internal, reason: "signing_failed", "The team's key could not sign.", cause: error)
        }
    }

    package static func isSignature(_ signature: [UInt8], of message: [UInt8], byPublicKey publicKey: [UInt8]) -> Bool {
        guard publicKey.count == 32, signature.count == 64,
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
        else { return false }
        return key.isValidSignature(signature, for: message)
    }

    /// SHA-256 of a domain prefix and the raw key: the fingerprint can be mistaken for no other hash.
    package static func identity(ofPublicKey publicKey: [UInt8]) -> TeamIdentity {
        var hash = SHA256()
        hash.update(data: Array("baton-team-v1\0".utf8))
        hash.update(data: publicKey)
        return TeamIdentity(fingerprint: Array(hash.finalize()))
    }

    private static func isValid(name: String) -> Bool {
        (1...64).contains(name.unicodeScalars.count) && PrintableName.escaped(name) == name
            && name.first?.isWhitespace == false && name.last?.isWhitespace == false
    }
}

// MARK: - The file of a team

extension TeamKey {
    /// The PKCS#8 form of an Ed25519 key (RFC 8410) is this prefix and the 32 bytes of its seed.
    private static let pkcs8Prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
    private static let begin = "-----BEGIN PRIVATE KEY-----"
    private static let end = "-----END PRIVATE KEY-----"
    package static let maximumTextLength = 4096

    /// The team as text: its identity, then its private key in PEM, which `openssl pkey` reads too. **Secret.**
    package var text: String {
        let der = Data(Self.pkcs8Prefix) + key.rawRepresentation
        return """
            Baton team. Any person with this file can sign apps as this team: keep it secret, keep a copy.
            Team: \(identity.id)
            Name: \(name)
            \(Self.begin)
            \(der.base64EncodedString())
            \(Self.end)

            """
    }

    /// Reads what ``text`` wrote.
    package init(text: String) throws(BatonError) {
        guard text.utf8.count <= Self.maximumTextLength else { throw Self.malformed("it is too long") }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = lines.firstIndex(of: Self.begin), let last = lines[first...].firstIndex(of: Self.end) else {
            throw Self.malformed("it holds no private key")
        }
        guard let der = Data(base64Encoded: lines[(first + 1)..<last].joined()),
            der.count == Self.pkcs8Prefix.count + 32, der.starts(with: Self.pkcs8Prefix),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: der.dropFirst(Self.pkcs8Prefix.count))
        else { throw Self.malformed("its private key is not an Ed25519 key in PKCS#8 form") }
        let headers = lines[..<first]
        func header(_ name: String) -> String? {
            headers.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
        }
        try self.init(name: header("Name") ?? "Imported team", key: key)
        if let claimed = header("Team"), claimed != identity.id.rawValue {
            throw Self.malformed("it says that it is another team than the one of its key")
        }
    }

    private static func malformed(_ why: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "invalid_team_file",
            "This is not a team's file: \(why). Use a file that “baton team export” wrote.")
    }
}
