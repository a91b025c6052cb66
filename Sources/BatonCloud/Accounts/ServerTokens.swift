package import BatonCore
import BatonTrust
import Crypto
package import Foundation

/// Issues stateless tokens: each carries a MAC under a key of the server, so that the server need not store it.
package struct ServerTokens: Sendable {
    private let challengeKey: SymmetricKey
    private let tokenKey: SymmetricKey
    private let invitationKey: SymmetricKey
    private let random: @Sendable (Int) -> Data
    private let known = KnownTokens()

    package static let challengeLifetime: UInt64 = 60_000
    package static let tokenLifetime: UInt64 = 3_600_000

    package init(secret: Data, random: @escaping @Sendable (Int) -> Data = StoreRules.systemRandom) {
        func key(_ use: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), info: Data("baton-cloud-\(use)-v1".utf8),
                outputByteCount: 32)
        }
        challengeKey = key("challenge")
        tokenKey = key("token")
        invitationKey = key("invitation")
        self.random = random
    }

    // MARK: Challenges

    /// Something for one device to sign: good for a minute.
    package func challenge(for caller: CloudCaller, now: UInt64) -> Data {
        let content = random(16) + Self.bytes(now + Self.challengeLifetime)
        return content + Self.mac(content + Self.bytes(caller), challengeKey)
    }

    /// - Returns: the value to remember of a challenge, so that it is used once.
    /// - Throws: `unauthenticated` for one that this server did not make for this device, or too long ago.
    package func check(challenge: Data, of caller: CloudCaller, now: UInt64) throws(BatonError) -> OneUse {
        let bytes = Array(challenge)
        guard bytes.count == 56,
            Self.isRight(bytes[24...], Data(bytes[..<24]) + Self.bytes(caller), challengeKey)
        else {
            throw BatonError(
                .unauthenticated, reason: "unknown_challenge",
                "That challenge is not this server's, or was made for another device. Ask for a new one.")
        }
        let expires = Self.number(bytes[16..<24])
        guard now <= expires else {
            throw BatonError(
                .unauthenticated, reason: "challenge_expired", "The challenge is over a minute old. Ask for a new one.")
        }
        return OneUse(name: Data("c".utf8) + Data(bytes[..<16]), expires: expires)
    }

    // MARK: Tokens

    package func token(for caller: CloudCaller, now: UInt64) -> (token: Data, expires: UInt64) {
        let expires = now + Self.tokenLifetime
        let content = Self.bytes(expires) + Self.bytes(caller)
        return (content + Self.mac(content, tokenKey), expires)
    }

    /// - Parameter authorization: of a request's head: `Bearer` and the token in base64url.
    /// - Throws: `unauthenticated`.
    package func caller(authorization: String?, now: UInt64) throws(BatonError) -> CloudCaller {
        guard let text = authorization else {
            throw BatonError(.unauthenticated, reason: "no_token", "This call needs a token. Authenticate first.")
        }
        let token: KnownTokens.Known
        if let known = known.find(text) {
            token = known
        } else {
            token = try read(text)
            known.add(text, token)
        }
        guard now < token.expires else {
            throw BatonError(.unauthenticated, reason: "token_expired", "The token is over an hour old. Authenticate.")
        }
        return token.caller
    }

    private func read(_ authorization: String) throws(BatonError) -> KnownTokens.Known {
        guard authorization.prefix(7).lowercased() == "bearer ",
            let token = Base64URL.decode(authorization.dropFirst(7)),
            case let bytes = Array(token), bytes.count == 92,
            Self.isRight(bytes[60...], Data(bytes[..<60]), tokenKey),
            let account = AccountID(rawValue: String(decoding: bytes[8..<34], as: UTF8.self)),
            let device = DeviceID(rawValue: String(decoding: bytes[34..<60], as: UTF8.self))
        else {
            throw BatonError(
                .unauthenticated, reason: "invalid_token", "That token is not this server's. Authenticate.")
        }
        return KnownTokens.Known(
            caller: CloudCaller(account: account, device: device), expires: Self.number(bytes[..<8]))
    }

    // MARK: Invitations

    /// A text that lets one account be registered.
    package func invitation(expires: UInt64) -> String {
        var content = random(16) + Self.bytes(expires)
        // So that no text begins with a hyphen, which a command line would take for an option.
        content[content.startIndex] &= 0x7F
        return Base64URL.encode(content + Self.mac(content, invitationKey))
    }

    /// - Throws: `permission_denied` for none, one that this server did not make, or one that has expired.
    package func check(invitation: String, now: UInt64) throws(BatonError) -> OneUse {
        guard let data = Base64URL.decode(invitation), case let bytes = Array(data), bytes.count == 56,
            Self.isRight(bytes[24...], Data(bytes[..<24]), invitationKey)
        else {
            throw Self.notInvited(
                invitation.isEmpty
                    ? "This server registers accounts by invitation. Ask its operator for one"
                    : "That invitation is not from this server. Give it as it was printed, or ask its operator for another"
            )
        }
        guard now < Self.number(bytes[16..<24]) else {
            throw Self.notInvited("That invitation has expired. Ask the server's operator for another")
        }
        return OneUse(name: Data("i".utf8) + Data(bytes[..<16]), expires: Self.number(bytes[16..<24]))
    }

    private static func notInvited(_ what: String) -> BatonError {
        BatonError(.permissionDenied, reason: "invitation_needed", "\(what): “baton-cloud invite”.")
    }

    // MARK: Bytes

    private static func mac(_ content: Data, _ key: SymmetricKey) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: content, using: key))
    }

    private static func isRight(_ mac: ArraySlice<UInt8>, _ content: Data, _ key: SymmetricKey) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(Data(mac), authenticating: content, using: key)
    }

    private static func bytes(_ number: UInt64) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }
    private static func bytes(_ caller: CloudCaller) -> Data {
        Data((caller.account.rawValue + caller.device.rawValue).utf8)
    }
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
