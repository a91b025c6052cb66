import BatonCore
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

@testable import BatonTrust

/// docs/vectors.json was computed by other code than this; docs/sync.md refers to it.
@Suite("Sealing, known answers")
struct SealingVectorTests {
    private struct Vectors: Decodable {
        var sealing: Sealing
        var content_key: Generation
        var blob: Blob
        var content_key_envelope: Envelope
        var recovery: Recovery
    }

    private struct Sealing: Decodable {
        var account_id: String
        var secret: String
        var first_generation: String
        var zone: String
        var zone_id: String
        var item: String
        var item_id: String
        var nonce: String
        var content: String
        var sealed: String
        var large_content_size: Int
        var large_sealed_sha256: String
        var padded: [[Int]]
    }

    private struct Generation: Decodable {
        var account_id: String
        var issuer_public_key: String
        var issuer: String
        var counter: UInt64
        var revoked: [String]
        var key: String
        var statement: String
        var id: String
        var signature: String
        var sealed: String
    }

    private struct Blob: Decodable {
        var key: String
        var size: Int
        var sealed_size: UInt64
        var sealed_sha256: String
        var empty_sealed: String
    }

    private struct Envelope: Decodable {
        var zone_id: String
        var item_id: String
        var root_private_key: String
        var writer_private_key: String
        var recipient_private_key: String
        var envelope: String
    }

    private struct Recovery: Decodable {
        var account_id: String
        var secret: String
        var code: String
        var device_public_key: String
        var device_id: String
    }

    private let vectors: Vectors

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/vectors.json")
        vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
    }

    private func ring() throws -> KeyRing {
        try KeyRing(
            account: AccountID(validating: vectors.sealing.account_id), secret: bytes(vectors.sealing.secret))
    }

    @Test("The first generation, names and a sealed item are those of the vectors")
    func items() throws {
        let vector = vectors.sealing
        let ring = try ring()
        let membership = try TestAccount().membership
        #expect(try ring.first.id.bytes == bytes(vector.first_generation))
        let zone = ring.zoneID(of: vector.zone)
        #expect(try Array(zone) == bytes(vector.zone_id))
        let item = ring.itemID(vector.item, zoneID: zone)
        #expect(try Array(item) == bytes(vector.item_id))
        let content = Data(try bytes(vector.content))
        let sealed = try ring.seal(
            content, name: vector.item, zoneID: zone, membership: membership, nonce: bytes(vector.nonce))
        #expect(try Array(sealed) == bytes(vector.sealed))
        let opened = try ring.open(sealed, zoneID: zone, itemID: item)
        #expect(opened.name == vector.item && opened.content == content)
        let large = Data((0..<vector.large_content_size).map { UInt8(truncatingIfNeeded: $0 * 7) })
        let sealedLarge = try ring.seal(
            large, name: vector.item, zoneID: zone, membership: membership, nonce: bytes(vector.nonce))
        #expect(try Array(SHA256.hash(data: sealedLarge)) == bytes(vector.large_sealed_sha256))
    }

    @Test("Sizes are padded as the vectors say")
    func padding() {
        for pair in vectors.sealing.padded { #expect(Padding.paddedSize(pair[0]) == pair[1]) }
    }

    @Test("A generation has the identifier and the signature of the vectors, and opens what was sealed under it")
    func generation() throws {
        let vector = vectors.content_key
        let account = try AccountID(validating: vector.account_id)
        var message = Baton_Link_V1_ContentKey()
        message.statement = Data(try bytes(vector.statement))
        message.signature = Data(try bytes(vector.signature))
        message.key = Data(try bytes(vector.key))
        let key = try ContentKey(message, account: account)
        #expect(try key.id.bytes == bytes(vector.id))
        #expect(key.issuer?.rawValue == vector.issuer)
        #expect(key.counter == vector.counter)
        #expect(key.revoked.map(\.rawValue).sorted() == vector.revoked)
        #expect(key.isSigned(by: try .init(x963Representation: bytes(vector.issuer_public_key))))
        let ring = try KeyRing(account: account, secret: bytes(vectors.sealing.secret), restoring: [message])
        let zone = ring.zoneID(of: vectors.sealing.zone)
        let opened = try ring.open(
            Data(bytes(vector.sealed)), zoneID: zone, itemID: ring.itemID(vectors.sealing.item, zoneID: zone))
        #expect(try Array(opened.content) == bytes(vectors.sealing.content))
    }

    @Test("A blob is sealed as the vectors say")
    func blob() throws {
        let vector = vectors.blob
        let content = Data((0..<vector.size).map { UInt8(truncatingIfNeeded: $0 * 31 + 7) })
        var sealer = try BlobSealer(key: bytes(vector.key))
        var sealed = try sealer.seal(content.prefix(BlobCipher.chunkSize), isLast: false)
        sealed += try sealer.seal(content.dropFirst(BlobCipher.chunkSize), isLast: true)
        #expect(UInt64(sealed.count) == vector.sealed_size)
        #expect(BlobCipher.sealedSize(of: UInt64(vector.size)) == vector.sealed_size)
        #expect(try Array(SHA256.hash(data: sealed)) == bytes(vector.sealed_sha256))
        var empty = try BlobSealer(key: bytes(vector.key))
        #expect(try Array(empty.seal(Data(), isLast: true)) == bytes(vector.empty_sealed))
    }

    @Test("An envelope of the vectors opens; its zone and item are named as they say")
    func envelope() throws {
        let vector = vectors.content_key_envelope
        let root = try P256.Signing.PrivateKey(rawRepresentation: bytes(vector.root_private_key))
        let writer = try P256.Signing.PrivateKey(rawRepresentation: bytes(vector.writer_private_key))
        let recipient = try P256.Signing.PrivateKey(rawRepresentation: bytes(vector.recipient_private_key))
        let genesis = try Membership.genesis(
            rootKey: root, device: writer.publicKey, now: testNow, timestamp: time(0))
        let membership = try Membership(rootKey: root.publicKey, genesis: genesis)
        let envelope = try ContentKeyEnvelope(Data(bytes(vector.envelope)), account: membership.accountID)
        #expect(try Array(ContentKeyEnvelopes.zoneID) == bytes(vector.zone_id))
        let item = ContentKeyEnvelopes.itemID(
            generation: envelope.generation, recipient: DeviceID(key: recipient.publicKey))
        #expect(try Array(item) == bytes(vector.item_id))
        let opened = try envelope.open(with: recipient, membership: membership)
        guard case .later(let message) = opened.key else {
            Issue.record("It holds the first generation.")
            return
        }
        #expect(try Array(message.key) == bytes(vectors.content_key.key))
        #expect(opened.discoveryKey?.timestamp.rawValue == 77)
    }

    @Test("A recovery code, and the device that follows from it, are those of the vectors")
    func recovery() throws {
        let vector = vectors.recovery
        let code = RecoveryCode(account: try AccountID(validating: vector.account_id), secret: try bytes(vector.secret))
        #expect(code.text == vector.code)
        #expect(try RecoveryCode(typed: vector.code) == code)
        let key = try code.key().publicKey
        #expect(try Array(key.x963Representation) == bytes(vector.device_public_key))
        #expect(DeviceID(key: key).rawValue == vector.device_id)
    }

    private func bytes(_ hex: String) throws -> [UInt8] {
        let digits = Array(hex)
        return try stride(from: 0, to: digits.count - 1, by: 2).map { index in
            try #require(UInt8(String(digits[index...index + 1]), radix: 16))
        }
    }
}
