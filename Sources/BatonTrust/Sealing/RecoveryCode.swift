package import BatonCore
package import Crypto
import Foundation

/// A code on paper that re-enters an account whose devices are all lost.
///
/// It holds the account's identifier and a secret, from which the key of one device of the account is derived: the
/// recovery key. That device exists on paper only; it is a member, gets content keys as every member does, and can be
/// revoked.
///
/// On paper: 60 characters of Crockford's base32 in groups of five, the version, the account (26), the secret (26) and a
/// checksum (7).
package struct RecoveryCode: Sendable, Equatable {
    package static let secretSize = 16
    /// The name of its device.
    package static let deviceName = "Recovery key"

    private static let version: UInt8 = 1
    private static let groupSize = 5
    private static let accountSize = 26
    private static let secretSymbols = 26
    private static let checksumSymbols = 7
    private static let bodySize = 1 + accountSize + secretSymbols
    /// Characters, without what separates the groups.
    package static let size = bodySize + checksumSymbols

    package let account: AccountID
    /// Never logged.
    package let secret: [UInt8]

    /// - Parameter secret: 16 random bytes.
    package init(account: AccountID, secret: [UInt8]) {
        precondition(secret.count == Self.secretSize, "a recovery key's secret has 16 bytes")
        self.account = account
        self.secret = secret
    }

    /// The key of the device that the code stands for.
    package func key() throws(BatonError) -> P256.Signing.PrivateKey {
        // Bytes that are no P-256 key come once in 2^32 times.
        for attempt in UInt8(0)..<8 {
            let bytes = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), salt: Data(account.rawValue.utf8),
                info: Data("baton-recovery-key-v1\0".utf8) + [attempt], outputByteCount: 32)
            let key = bytes.withUnsafeBytes { try? P256.Signing.PrivateKey(rawRepresentation: $0) }
            if let key { return key }
        }
        throw BatonError(.internal, reason: "recovery_key_not_made", "A recovery key could not be made. Try again.")
    }

    // MARK: On paper

    package var text: String {
        let body = [Self.version] + Self.symbols(of: account) + Self.symbols(of: secret)
        let characters = (body + Self.checksum(body)).map { Character(UnicodeScalar(Self.alphabet[Int($0)])) }
        return stride(from: 0, to: Self.size, by: Self.groupSize)
            .map { String(characters[$0..<$0 + Self.groupSize]) }.joined(separator: "-")
    }

    /// Parses typed text: in upper or lower case, with or without spaces and hyphens; `O` is taken for 0, `I` and `L`
    /// for 1.
    /// - Throws: `invalid_argument` with the probable mistake.
    package init(typed text: String) throws(BatonError) {
        let symbols = try Self.symbols(typed: text)
        guard symbols.count == Self.size else {
            throw Self.mistyped("It has \(symbols.count) characters, and should have \(Self.size).")
        }
        let body = Array(symbols.prefix(Self.bodySize))
        guard Self.checksum(body) == Array(symbols.suffix(Self.checksumSymbols)) else {
            throw Self.mistyped(
                Self.suspect(symbols).map { "Look at group \($0) again." } ?? "Compare it with the paper.")
        }
        guard body[0] == Self.version else {
            throw BatonError(
                .unimplemented, reason: "recovery_code_too_new",
                "This recovery code was made by a newer version of Baton. Install that version.")
        }
        guard let account = Self.account(body[1...Self.accountSize]),
            let secret = Self.secret(body[(1 + Self.accountSize)...])
        else { throw Self.mistyped("Compare it with the paper.") }
        self.init(account: account, secret: secret)
    }

    private static func symbols(typed text: String) throws(BatonError) -> [UInt8] {
        var symbols: [UInt8] = []
        for character in text where !character.isWhitespace && character != "-" {
            let canonical: Character =
                switch character {
                case "o", "O": "0"
                case "i", "I", "l", "L": "1"
                default: character
                }
            guard let ascii = canonical.asciiValue,
                let value = alphabet.firstIndex(of: (97...122).contains(ascii) ? ascii - 32 : ascii)
            else {
                throw mistyped(
                    "Character \(symbols.count % groupSize + 1) of group \(symbols.count / groupSize + 1) "
                        + "is not a valid recovery-code character.")
            }
            symbols.append(UInt8(value))
            // A text without end is not read to its end.
            guard symbols.count <= 4 * size else { break }
        }
        return symbols
    }

    /// The group in which one wrong character, or two that were exchanged, explain what was typed.
    private static func suspect(_ symbols: [UInt8]) -> Int? {
        func isRight(_ symbols: [UInt8]) -> Bool {
            checksum(Array(symbols.prefix(bodySize))) == Array(symbols.suffix(checksumSymbols))
        }
        var tried = symbols
        for place in symbols.indices {
            for value in UInt8(0)..<32 {
                tried[place] = value
                if isRight(tried) { return place / groupSize + 1 }
            }
            tried[place] = symbols[place]
            guard place + 1 < symbols.count else { continue }
            tried.swapAt(place, place + 1)
            if isRight(tried) { return place / groupSize + 1 }
            tried.swapAt(place, place + 1)
        }
        return nil
    }

    // MARK: Symbols of five bits

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let identifierAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// 35 bits of a hash.
    private static func checksum(_ body: [UInt8]) -> [UInt8] {
        let hash = SHA256.hash(data: Data("baton-recovery-code-v1\0".utf8) + body)
        return Array(symbols(of: Array(hash.prefix(5))).prefix(checksumSymbols))
    }

    private static func symbols(of account: AccountID) -> [UInt8] {
        account.rawValue.utf8.compactMap { identifierAlphabet.firstIndex(of: $0).map(UInt8.init) }
    }

    private static func account(_ symbols: some Sequence<UInt8>) -> AccountID? {
        AccountID(rawValue: String(decoding: symbols.map { identifierAlphabet[Int($0)] }, as: UTF8.self))
    }

    private static func symbols(of bytes: [UInt8]) -> [UInt8] {
        Base32.encode(bytes).utf8.compactMap { identifierAlphabet.firstIndex(of: $0).map(UInt8.init) }
    }

    private static func secret(_ symbols: some Sequence<UInt8>) -> [UInt8]? {
        let bytes = Base32.decode(String(decoding: symbols.map { identifierAlphabet[Int($0)] }, as: UTF8.self))
        return bytes?.count == secretSize ? bytes : nil
    }

    private static func mistyped(_ what: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "recovery_code_mistyped", "The recovery code is not right. \(what)")
    }
}

extension RecoveryCode: CustomStringConvertible {
    /// Without the secret.
    package var description: String { "recovery code of account \(account)" }
}
