package import BatonCore
package import BatonWire
package import Crypto
package import Foundation
import SwiftProtobuf

/// How content keys lie in the cloud: each generation once for each member, sealed to that device's key.
///
/// Names in this zone follow from no key, since who reads it has none yet: the cloud can see which devices have which
/// generations, as it can from the statements of membership that it has.
package enum ContentKeyEnvelopes {
    private static let label = Data("baton-content-keys-v1\0".utf8)

    /// The identifier of the zone `content-keys`.
    package static let zoneID = Data(SHA256.hash(data: label))

    package static func itemID(generation: ContentKey.ID, recipient: DeviceID) -> Data {
        Data(SHA256.hash(data: label + generation.bytes + Data(recipient.rawValue.utf8)))
    }

    /// One that is to be written.
    package struct Missing: Hashable, Sendable {
        package let itemID: Data
        package let generation: ContentKey.ID
        package let recipient: DeviceID

        package init(itemID: Data, generation: ContentKey.ID, recipient: DeviceID) {
            self.itemID = itemID
            self.generation = generation
            self.recipient = recipient
        }
    }

    /// The envelopes that present members need and the zone lacks: absent ones, unreadable ones, and those whose writer
    /// is no longer a member, since a device that recovers the account could not trust them.
    /// - Parameter existing: the zone's items, by their identifiers.
    package static func missing(
        _ ring: KeyRing, membership: Membership, existing: [Data: Data]
    ) -> [Missing] {
        let members = membership.members().keys.sorted()
        return ring.generations.flatMap { generation in
            members.compactMap { member in
                let missing = Missing(
                    itemID: itemID(generation: generation.id, recipient: member), generation: generation.id,
                    recipient: member)
                guard let content = existing[missing.itemID],
                    let envelope = try? ContentKeyEnvelope(content, account: membership.accountID),
                    envelope.generation == missing.generation, envelope.recipient == member,
                    membership.isMember(envelope.writer), envelope.isSigned(membership: membership)
                else { return missing }
                return nil
            }
        }
    }

    /// Items of devices that are members no more: to be deleted, so that the zone is bounded by who is there.
    package static func superfluous(
        _ ring: KeyRing, membership: Membership, existing: some Sequence<Data>
    ) -> [Data] {
        let members = membership.members().keys
        let gone = (membership.revoked).flatMap { device in
            ring.generations.map { itemID(generation: $0.id, recipient: device) }
        }
        let needed = Set(ring.generations.flatMap { key in members.map { itemID(generation: key.id, recipient: $0) } })
        let known = Set(gone).subtracting(needed)
        return existing.filter { known.contains($0) }
    }
}

/// One generation for one device, well-formed; not yet verified.
package struct ContentKeyEnvelope: Sendable {
    package static let maximumSize = ContentKey.maximumStatementSize + 2048

    private static let signingDomain = Data("baton-content-key-envelope-v1\0".utf8)
    private static let suite = HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .chaChaPoly)

    package let writer: DeviceID
    package let recipient: DeviceID
    package let generation: ContentKey.ID
    /// X9.63; the account's identifier follows from it.
    package let rootKey: P256.Signing.PublicKey
    private let content: Baton_Link_V1_ContentKeyEnvelopeContent
    private let bytes: Data
    private let signature: Data

    /// - Throws: `invalid_argument` when it is malformed, `permission_denied` when it is of another account.
    package init(_ item: Data, account: AccountID) throws(BatonError) {
        guard item.count <= Self.maximumSize,
            let message = try? Baton_Link_V1_ContentKeyEnvelope(serializedBytes: item), message.signature.count == 64,
            let content = try? Baton_Link_V1_ContentKeyEnvelopeContent(serializedBytes: message.content),
            let writer = DeviceID(rawValue: content.writer), let recipient = DeviceID(rawValue: content.recipient),
            let generation = ContentKey.ID(content.generationID),
            let rootKey = try? P256.Signing.PublicKey(x963Representation: content.rootPublicKey)
        else {
            throw BatonError(
                .invalidArgument, reason: "malformed_envelope", "A content key in the cloud cannot be read.")
        }
        guard content.accountID == account.rawValue, AccountID(rootKey: rootKey) == account else {
            throw BatonError(
                .permissionDenied, reason: "foreign_content_key", "A content key of another account was refused.")
        }
        self.writer = writer
        self.recipient = recipient
        self.generation = generation
        self.rootKey = rootKey
        self.content = content
        bytes = message.content
        signature = message.signature
    }

    /// Whether the device that it names wrote it.
    package func isSigned(membership: Membership) -> Bool {
        guard let key = membership.key(of: writer),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: Self.signingDomain + bytes)
    }

    // MARK: Writing

    /// The item for the cloud.
    /// - Throws: `failed_precondition` when the recipient is no member, or the generation names it; `not_found` for a
    ///   generation that is not in the ring.
    package static func make(
        _ missing: ContentKeyEnvelopes.Missing, ring: KeyRing, membership: Membership,
        writer: P256.Signing.PrivateKey, discoveryKey: DiscoveryKey?
    ) throws(BatonError) -> Data {
        guard let generation = ring.generation(missing.generation) else {
            throw BatonError(.notFound, reason: "unknown_content_key", "That content key is not known here.")
        }
        guard membership.isMember(missing.recipient), !generation.revoked.contains(missing.recipient),
            let key = membership.key(of: missing.recipient)
        else {
            throw BatonError(
                .failedPrecondition, reason: "not_a_member", "Content keys are handed to members of the account only.")
        }
        var content = Baton_Link_V1_ContentKeyEnvelopeContent()
        content.accountID = membership.accountID.rawValue
        content.writer = DeviceID(key: writer.publicKey).rawValue
        content.recipient = missing.recipient.rawValue
        content.generationID = Data(generation.id.bytes)
        content.statement = generation.message?.statement ?? Data()
        content.statementSignature = generation.message?.signature ?? Data()
        content.rootPublicKey = membership.rootKey.x963Representation
        var secret = Baton_Link_V1_ContentKeyEnvelopeSecret()
        secret.key = Data(generation.issuer == nil ? ring.secret : generation.key)
        if let discoveryKey {
            secret.discoveryKey.timestamp = discoveryKey.timestamp.rawValue
            secret.discoveryKey.key = Data(discoveryKey.bytes)
        }
        do {
            var sender = try HPKE.Sender(
                recipientKey: P256.KeyAgreement.PublicKey(x963Representation: key.x963Representation),
                ciphersuite: suite, info: info(content))
            content.encapsulatedKey = sender.encapsulatedKey
            content.sealed = try sender.seal(secret.serializedBytes() as Data)
            var message = Baton_Link_V1_ContentKeyEnvelope()
            message.content = try content.serializedBytes()
            message.signature = try writer.signature(for: signingDomain + message.content).rawRepresentation
            return try message.serializedBytes()
        } catch {
            throw BatonError(
                .internal, reason: "envelope_not_made", "A content key could not be sealed for a device.", cause: error)
        }
    }

    // MARK: Opening

    /// The contents of an envelope.
    package struct Opened: Sendable {
        package enum Key: Sendable {
            /// The secret of the first generation.
            case first([UInt8])
            /// To be merged into a ring, which verifies its issuer.
            case later(Baton_Link_V1_ContentKey)
        }
        package let key: Key
        package let discoveryKey: DiscoveryKey?
    }

    /// Opens an envelope that was written for this device.
    ///
    /// A member must have written that of the first generation. For a later one its issuer vouches, whichever member wrote the
    /// envelope: what was sealed under it by a device that was revoked then can still be read.
    /// - Throws: `permission_denied` when it is for another device, its writer is not believed, or it was not sealed to this
    ///   device's key; `invalid_argument` for an invalid key.
    package func open(with key: P256.Signing.PrivateKey, membership: Membership) throws(BatonError) -> Opened {
        guard recipient == DeviceID(key: key.publicKey) else { throw Self.refused("it is for another device", nil) }
        let isOfMember = membership.isMember(writer) && isSigned(membership: membership)
        guard isOfMember || !content.statement.isEmpty else {
            throw Self.refused("no device of the account wrote it", nil)
        }
        let secret: Baton_Link_V1_ContentKeyEnvelopeSecret
        do {
            var opener = try HPKE.Recipient(
                privateKey: P256.KeyAgreement.PrivateKey(rawRepresentation: key.rawRepresentation),
                ciphersuite: Self.suite, info: Self.info(content), encapsulatedKey: content.encapsulatedKey)
            secret = try Baton_Link_V1_ContentKeyEnvelopeSecret(serializedBytes: opener.open(content.sealed))
        } catch {
            throw Self.refused("it was not sealed to this device", error)
        }
        let discoveryKey = isOfMember ? DiscoveryKeys.read([secret.discoveryKey]).first : nil
        guard !content.statement.isEmpty else {
            guard secret.key.count == ContentKey.size,
                ContentKey(firstOf: Array(secret.key)).id == generation
            else { throw Self.refused("it does not hold the key that it names", nil) }
            return Opened(key: .first(Array(secret.key)), discoveryKey: discoveryKey)
        }
        let message = Baton_Link_V1_ContentKey.with {
            $0.statement = content.statement
            $0.signature = content.statementSignature
            $0.key = secret.key
        }
        guard try ContentKey(message, account: membership.accountID).id == generation else {
            throw Self.refused("it does not hold the key that it names", nil)
        }
        return Opened(key: .later(message), discoveryKey: discoveryKey)
    }

    /// Binds what is sealed to account, writer, recipient and generation.
    private static func info(_ content: Baton_Link_V1_ContentKeyEnvelopeContent) -> Data {
        var info = Data("baton-content-key-envelope-v1\0".utf8)
        for part in [content.accountID, content.writer, content.recipient] { info += Data("\(part)\0".utf8) }
        return info + content.generationID
    }

    private static func refused(_ why: String, _ cause: (any Error)?) -> BatonError {
        BatonError(
            .permissionDenied, reason: "envelope_refused", "A content key in the cloud was refused: \(why).",
            cause: cause)
    }
}
