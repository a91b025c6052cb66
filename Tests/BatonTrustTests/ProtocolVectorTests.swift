import BatonCore
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

@testable import BatonTrust

/// docs/vectors.json was computed by other code than this; docs/protocol.md refers to it.
struct ProtocolVectorTests {
    private struct Vectors: Decodable {
        var identifiers: Identifiers
        var team: Team
        var discovery: DiscoveryVector
        var pairing: Pairing
        var membership: Statement
        var profile: Profile
    }

    private struct Identifiers: Decodable {
        var root_public_key: String
        var account_id: String
        var device_public_key: String
        var device_id: String
    }

    private struct Team: Decodable {
        var seed: String
        var public_key: String
        var fingerprint: String
        var team_id: String
        var manifest: String
        var signature: String
    }

    private struct DiscoveryVector: Decodable {
        var discovery_key: String
        var instance: String
        var device_id: String
        var txt: [String: String]
        var nonce: String
        var server_name: String
    }

    private struct Pairing: Decodable {
        var joiner_private_key: String
        var joiner_public_key: String
        var joiner_nonce: String
        var sponsor_private_key: String
        var sponsor_public_key: String
        var sponsor_nonce: String
        var session_id: String
        var commitment: String
        var transcript_hash: String
        var code: String
        var plaintext: String
        var sealed_by_joiner: String
    }

    private struct Statement: Decodable {
        var account_id: String
        var signer: String
        var signer_public_key: String
        var sequence: UInt64
        var timestamp: UInt64
        var revokes: String
        var statement: String
        var hash: String
        var signature: String
    }

    private struct Profile: Decodable {
        var device_id: String
        var device_public_key: String
        var timestamp: UInt64
        var name: String
        var profile: String
        var signature: String
    }

    private let vectors: Vectors

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/vectors.json")
        vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
    }

    @Test("Identifiers of accounts and devices follow from their keys as the vectors say")
    func identifiers() throws {
        let vector = vectors.identifiers
        let root = try P256.Signing.PublicKey(x963Representation: bytes(vector.root_public_key))
        let device = try P256.Signing.PublicKey(x963Representation: bytes(vector.device_public_key))
        #expect(AccountID(rootKey: root).rawValue == vector.account_id)
        #expect(DeviceID(key: device).rawValue == vector.device_id)
    }

    @Test("A Team ID follows from the team's key, and its signature of a manifest verifies, as the vectors say")
    func team() throws {
        let vector = vectors.team
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes(vector.seed))
        let team = try TeamKey(name: "Vector", key: key)
        #expect(try team.publicKey == bytes(vector.public_key))
        #expect(try team.identity.fingerprint == bytes(vector.fingerprint))
        #expect(team.identity.id.rawValue == vector.team_id)
        let signed = try Array("baton-code-v1\0".utf8) + bytes(vector.manifest)
        #expect(
            TeamKey.isSignature(
                try bytes(vector.signature), of: signed, byPublicKey: try bytes(vector.public_key)))
    }

    @Test("Announcements and server names hold the tokens of the vectors")
    func discovery() throws {
        let vector = vectors.discovery
        let key = try DiscoveryKey(timestamp: .zero, bytes: bytes(vector.discovery_key))
        let device = try DeviceID(validating: vector.device_id)
        #expect(LinkTokens.attributes(instance: vector.instance, device: device, key: key) == vector.txt)
        let name = LinkTokens.serverName(instance: vector.instance, key: key, nonce: try bytes(vector.nonce))
        #expect(name == vector.server_name)
        let recognised = LinkTokens.recognise(
            instance: vector.instance, attributes: vector.txt, keys: [key], members: [device])
        #expect(recognised == .ours(device, key: key))
    }

    @Test("Both sides of a pairing come to the commitment, the transcript and the code of the vectors")
    func pairing() throws {
        let vector = vectors.pairing
        let transcript = PairingTranscript(
            version: 1, commitment: try bytes(vector.commitment), sessionID: vector.session_id,
            sponsorKey: try bytes(vector.sponsor_public_key), sponsorNonce: try bytes(vector.sponsor_nonce),
            joinerKey: try bytes(vector.joiner_public_key), joinerNonce: try bytes(vector.joiner_nonce))
        let commitment = PairingTranscript.commitment(key: transcript.joinerKey, nonce: transcript.joinerNonce)
        #expect(commitment == transcript.commitment)
        #expect(try transcript.hash == bytes(vector.transcript_hash))

        let joiner = try PairingSecrets(
            transcript, own: .init(rawRepresentation: bytes(vector.joiner_private_key)), peer: transcript.sponsorKey)
        let sponsor = try PairingSecrets(
            transcript, own: .init(rawRepresentation: bytes(vector.sponsor_private_key)), peer: transcript.joinerKey)
        #expect(joiner.code.digits == vector.code)
        #expect(sponsor.code.digits == vector.code)
        let sealed = Data(try bytes(vector.sealed_by_joiner))
        #expect(try joiner.seal(Data(bytes(vector.plaintext)), .joinerToSponsor) == sealed)
        #expect(try Array(sponsor.open(sealed, .joinerToSponsor)) == bytes(vector.plaintext))
    }

    @Test("A membership statement has the hash and the signature of the vectors")
    func membership() throws {
        let vector = vectors.membership
        let message = Baton_Link_V1_SignedStatement.with {
            $0.statement = Data((try? bytes(vector.statement)) ?? [])
            $0.signature = Data((try? bytes(vector.signature)) ?? [])
        }
        let statement = try MembershipStatement(message, account: try AccountID(validating: vector.account_id))
        #expect(statement.signer == .device(try DeviceID(validating: vector.signer)))
        #expect(statement.sequence == vector.sequence)
        #expect(statement.timestamp.rawValue == vector.timestamp)
        let revoked = try DeviceID(validating: vector.revokes)
        #expect(statement.kind == .revoke(revoked, lastSequence: 0, lastHash: []))
        #expect(try statement.hash == bytes(vector.hash))
        #expect(statement.isSigned(by: try .init(x963Representation: bytes(vector.signer_public_key))))
    }

    @Test("A device's profile has the signature of the vectors")
    func profile() throws {
        let vector = vectors.profile
        let key = try P256.Signing.PublicKey(x963Representation: bytes(vector.device_public_key))
        let message = Baton_Link_V1_DeviceProfile.with {
            $0.profile = Data((try? bytes(vector.profile)) ?? [])
            $0.signature = Data((try? bytes(vector.signature)) ?? [])
        }
        let (device, profile) = try #require(DeviceProfiles.read(message) { _ in key })
        #expect(device.rawValue == vector.device_id)
        #expect(profile.name == vector.name)
        #expect(profile.timestamp.rawValue == vector.timestamp)
    }

    private func bytes(_ hex: String) throws -> [UInt8] {
        let digits = Array(hex)
        return try stride(from: 0, to: digits.count - 1, by: 2).map { index in
            try #require(UInt8(String(digits[index...index + 1]), radix: 16))
        }
    }
}
