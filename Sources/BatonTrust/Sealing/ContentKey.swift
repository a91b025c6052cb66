package import BatonCore
package import BatonWire
import Crypto
import Foundation
import SwiftProtobuf

/// One generation of the account's content keys.
///
/// A generation names every device that was revoked when it was made. None of them may ever have its key, and once another
/// device is revoked nothing more is sealed under it.
package struct ContentKey: Sendable {
    /// Size of a generation's key, and of the secret of the first generation.
    package static let size = 32
    /// Bytes of the statement: all devices that an account can have fit.
    package static let maximumStatementSize = 32 << 10

    static let signingDomain = Data("baton-content-key-v1\0".utf8)
    private static let idDomain = Data("baton-content-key-id-v1\0".utf8)
    private static let hashDomain = Data("baton-content-key-hash-v1\0".utf8)

    /// 16 bytes that follow from the generation's statement, which holds the hash of its key: no one can make two
    /// generations of one identifier.
    package struct ID: Hashable, Comparable, Sendable, CustomStringConvertible {
        package static let size = 16
        package let bytes: [UInt8]

        /// Nil unless there are 16 bytes.
        package init?(_ bytes: some Sequence<UInt8>) {
            self.bytes = Array(bytes)
            guard self.bytes.count == Self.size else { return nil }
        }

        fileprivate init(statement: Data) {
            bytes = Array(SHA256.hash(data: ContentKey.idDomain + statement).prefix(Self.size))
        }

        package var description: String { Base32.encode(bytes) }

        package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
    }

    package let id: ID
    package let counter: UInt64
    /// Nil for the first generation, which is older than all revocations.
    package let issuer: DeviceID?
    package let revoked: Set<DeviceID>
    /// The 32 bytes that items' keys are derived from. Never logged.
    let key: [UInt8]
    /// Built from the parsed fields: unknown fields are neither kept nor passed on. Nil for the first generation.
    package let message: Baton_Link_V1_ContentKey?

    /// Size in a message, frame included.
    var size: Int {
        guard let message else { return 0 }
        return message.statement.count + message.signature.count + message.key.count + 16
    }

    /// The first generation of an account.
    /// - Parameter secret: 32 bytes that the account's first device drew.
    init(firstOf secret: [UInt8]) {
        id = ID(unchecked: Self.derive("baton-content-key-v1 first identifier", from: secret, ID.size))
        counter = 0
        issuer = nil
        revoked = []
        key = Self.derive("baton-content-key-v1 first", from: secret, Self.size)
        message = nil
    }

    /// A generation that is well-formed and of this account, with the key that its statement names; not yet verified.
    /// - Throws: `invalid_argument` when it is malformed, `permission_denied` when it is of another account.
    package init(_ message: Baton_Link_V1_ContentKey, account: AccountID) throws(BatonError) {
        let statement = try Statement(message.statement, account: account)
        guard message.signature.count == 64 else { throw Self.malformed("its signature is invalid") }
        guard message.key.count == Self.size, ConstantTime.equal(Self.hash(message.key), statement.keyHash) else {
            throw Self.malformed("its key is not the one that it names")
        }
        id = ID(statement: message.statement)
        counter = statement.counter
        issuer = statement.issuer
        revoked = statement.revoked
        key = Array(message.key)
        self.message = .with {
            $0.statement = message.statement
            $0.signature = message.signature
            $0.key = message.key
        }
    }

    /// A new generation.
    /// - Parameter key: 32 random bytes.
    static func make(
        account: AccountID, counter: UInt64, revoked: Set<DeviceID>, key: [UInt8], issuer: P256.Signing.PrivateKey
    ) throws(BatonError) -> ContentKey {
        var statement = Baton_Link_V1_ContentKeyStatement()
        statement.accountID = account.rawValue
        statement.issuer = DeviceID(key: issuer.publicKey).rawValue
        statement.counter = counter
        statement.revoked = revoked.map(\.rawValue).sorted()
        statement.keyHash = Data(hash(key))
        var message = Baton_Link_V1_ContentKey()
        do {
            message.statement = try statement.serializedBytes()
            message.signature = try issuer.signature(for: signingDomain + message.statement).rawRepresentation
        } catch {
            throw BatonError(
                .internal, reason: "content_key_not_made", "A content key could not be signed.", cause: error)
        }
        message.key = Data(key)
        return try ContentKey(message, account: account)
    }

    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard let message, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: message.signature) else {
            return false
        }
        return key.isValidSignature(signature, for: Self.signingDomain + message.statement)
    }

    /// The identifier that a message's generation would have: cheaper than reading it.
    static func id(of message: Baton_Link_V1_ContentKey) -> ID { ID(statement: message.statement) }

    static func derive(_ purpose: String, from secret: [UInt8], _ count: Int) -> [UInt8] {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data(purpose.utf8), outputByteCount: count
        ).withUnsafeBytes { Array($0) }
    }

    private static func hash(_ key: some DataProtocol) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: hashDomain)
        hash.update(data: key)
        return Array(hash.finalize())
    }

    fileprivate static func malformed(_ what: String) -> BatonError {
        BatonError(.invalidArgument, reason: "malformed_content_key", "A content key was refused: \(what).")
    }
}

extension ContentKey.ID {
    fileprivate init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

extension ContentKey: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && ConstantTime.equal(left.key, right.key)
    }
}

extension ContentKey: CustomStringConvertible {
    /// Without the key.
    package var description: String { "content key \(id), number \(counter)" }
}

/// The public part of a generation, as its issuer signed it.
private struct Statement {
    let issuer: DeviceID
    let counter: UInt64
    let revoked: Set<DeviceID>
    let keyHash: [UInt8]

    init(_ bytes: Data, account: AccountID) throws(BatonError) {
        guard bytes.count <= ContentKey.maximumStatementSize,
            let content = try? Baton_Link_V1_ContentKeyStatement(serializedBytes: bytes)
        else { throw ContentKey.malformed("it cannot be read") }
        guard content.accountID == account.rawValue else {
            throw BatonError(
                .permissionDenied, reason: "foreign_content_key", "A content key of another account was refused.")
        }
        guard let issuer = DeviceID(rawValue: content.issuer), content.counter > 0, content.keyHash.count == 32 else {
            throw ContentKey.malformed("its issuer, number or hash is invalid")
        }
        let devices = content.revoked.compactMap(DeviceID.init(rawValue:))
        guard devices.count == content.revoked.count, devices.count <= Membership.maximumDevices,
            zip(devices, devices.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw ContentKey.malformed("the devices that it names are not in order") }
        self.issuer = issuer
        counter = content.counter
        revoked = Set(devices)
        keyHash = Array(content.keyHash)
    }
}
