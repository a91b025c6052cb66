package import BatonCore
package import BatonWire
import Crypto
import Foundation
import SwiftProtobuf

/// One statement of who belongs to an account: well-formed, of that account, but not yet verified.
package struct MembershipStatement: Sendable {
    /// Bytes of one statement.
    package static let maximumSize = 64 << 10
    static let signingDomain = Data("baton-membership-v1\0".utf8)

    package enum Signer: Hashable, Sendable {
        /// The account's root key.
        case root
        case device(DeviceID)
    }

    package enum Kind: Sendable, Equatable {
        case add(DeviceID, certificate: [UInt8])
        /// The device's statements up to `lastSequence`, whose hash is `lastHash`, stay valid.
        case revoke(DeviceID, lastSequence: UInt64, lastHash: [UInt8])
        /// A statement of a newer version: a link of its signer's chain, without effect here (H-98).
        case unknown
    }

    package let signer: Signer
    package let sequence: UInt64
    package let previous: [UInt8]
    package let timestamp: HybridTimestamp
    package let kind: Kind
    /// SHA-256 of the statement's bytes: its name.
    package let hash: [UInt8]
    /// Built from the parsed fields: unknown ones are neither kept nor passed on, or they would escape every bound.
    package let message: Baton_Link_V1_SignedStatement

    var size: Int { message.statement.count + message.signature.count }

    /// - Throws: `invalid_argument` when it is malformed or too large, `permission_denied` when it is of another
    ///   account.
    package init(_ message: Baton_Link_V1_SignedStatement, account: AccountID) throws(BatonError) {
        guard message.statement.count <= Self.maximumSize, message.signature.count == 64 else {
            throw Self.malformed("its size is wrong")
        }
        let content: Baton_Link_V1_MembershipStatement
        do {
            content = try Baton_Link_V1_MembershipStatement(serializedBytes: message.statement)
        } catch {
            throw Self.malformed("it cannot be read")
        }
        guard content.accountID == account.rawValue else {
            throw BatonError(
                .permissionDenied, reason: "foreign_statement", "A statement of another account was refused.")
        }
        signer = try Self.signer(content.signer, account: account)
        sequence = content.sequence
        previous = Array(content.previous)
        guard sequence >= 1, sequence <= UInt64(Membership.maximumStatements),
            previous.count == (sequence == 1 ? 0 : 32)
        else { throw Self.malformed("its place in its signer's chain is wrong") }
        kind = try Self.kind(content)
        timestamp = HybridTimestamp(rawValue: content.timestamp)
        hash = Array(SHA256.hash(data: message.statement))
        self.message = .with {
            $0.statement = message.statement
            $0.signature = message.signature
        }
    }

    /// Makes and signs a statement.
    static func sign(
        _ content: Baton_Link_V1_MembershipStatement, with key: P256.Signing.PrivateKey
    ) throws(BatonError) -> Baton_Link_V1_SignedStatement {
        do {
            var message = Baton_Link_V1_SignedStatement()
            message.statement = try content.serializedBytes()
            message.signature = try key.signature(for: signingDomain + message.statement).rawRepresentation
            return message
        } catch {
            throw BatonError(.internal, reason: "statement_not_made", "A statement could not be signed.", cause: error)
        }
    }

    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: message.signature) else {
            return false
        }
        return key.isValidSignature(signature, for: Self.signingDomain + message.statement)
    }

    /// Whether it stands right after another in its signer's chain.
    func follows(_ other: MembershipStatement) -> Bool {
        other.signer == signer && other.sequence + 1 == sequence && previous == other.hash
    }

    private static func signer(_ text: String, account: AccountID) throws(BatonError) -> Signer {
        if text == account.rawValue { return .root }
        guard let device = DeviceID(rawValue: text) else { throw malformed("its signer is not named") }
        return .device(device)
    }

    private static func kind(_ content: Baton_Link_V1_MembershipStatement) throws(BatonError) -> Kind {
        switch content.kind {
        case .add(let add):
            guard let device = DeviceID(rawValue: add.deviceID), add.certificate.count <= DeviceCertificate.maximumSize
            else { throw malformed("the device that it adds is not named") }
            return .add(device, certificate: Array(add.certificate))
        case .revoke(let revoke):
            guard let device = DeviceID(rawValue: revoke.deviceID),
                revoke.lastValidHash.count == (revoke.lastValidSequence == 0 ? 0 : 32)
            else { throw malformed("the device that it revokes is not named") }
            return .revoke(device, lastSequence: revoke.lastValidSequence, lastHash: Array(revoke.lastValidHash))
        case nil:
            return .unknown
        }
    }

    private static func malformed(_ what: String) -> BatonError {
        BatonError(.invalidArgument, reason: "malformed_statement", "A statement was refused: \(what).")
    }
}
