import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

@Suite("Content keys in the cloud")
struct ContentKeyEnvelopeTests {
    private var account: TestAccount
    private let second = TestDevice()
    private let lost = TestDevice()
    private var ring: KeyRing

    init() throws {
        account = try TestAccount()
        try account.add(second, by: account.first)
        try account.add(lost, by: second)
        try account.revoke(lost, by: account.first)
        ring = try KeyRing(of: account)
        try ring.make(by: account.first, account.membership)
    }

    private func write(by device: TestDevice, into zone: inout [Data: Data]) throws {
        for missing in ContentKeyEnvelopes.missing(ring, membership: account.membership, existing: zone) {
            zone[missing.itemID] = try ContentKeyEnvelope.make(
                missing, ring: ring, membership: account.membership, writer: device.key,
                discoveryKey: DiscoveryKey(timestamp: time(3), bytes: [UInt8](repeating: 8, count: 32)))
        }
    }

    private func envelope(of generation: ContentKey, to device: TestDevice, in zone: [Data: Data]) throws -> Data {
        try #require(zone[ContentKeyEnvelopes.itemID(generation: generation.id, recipient: device.id)])
    }

    @Test("Each member gets each generation, nobody else anything, and nothing is written twice")
    func complete() throws {
        var zone: [Data: Data] = [:]
        try write(by: account.first, into: &zone)
        #expect(zone.count == 4)
        #expect(ContentKeyEnvelopes.missing(ring, membership: account.membership, existing: zone).isEmpty)
        for device in [account.first, second] {
            for generation in ring.generations {
                let envelope = try ContentKeyEnvelope(
                    envelope(of: generation, to: device, in: zone), account: ring.account)
                let opened = try envelope.open(with: device.key, membership: account.membership)
                #expect(opened.discoveryKey?.timestamp == time(3))
                switch opened.key {
                case .first(let secret): #expect(secret == ring.secret && generation == ring.first)
                case .later(let message): #expect([message] == ring.messages && generation != ring.first)
                }
                let other = device.id == second.id ? account.first : second
                #expect(
                    reason { try envelope.open(with: other.key, membership: account.membership) } == "envelope_refused")
            }
        }
        for generation in ring.generations {
            #expect(zone[ContentKeyEnvelopes.itemID(generation: generation.id, recipient: lost.id)] == nil)
            let forLost = ContentKeyEnvelopes.Missing.of(generation.id, lost.id)
            #expect(
                reason {
                    try ContentKeyEnvelope.make(
                        forLost, ring: ring, membership: account.membership, writer: account.first.key,
                        discoveryKey: nil)
                } == "not_a_member")
        }
    }

    @Test("The cloud sees no key in what is written")
    func secrecy() throws {
        var zone: [Data: Data] = [:]
        try write(by: account.first, into: &zone)
        let keys = [Data(ring.secret)] + ring.messages.map(\.key)
        for item in zone.values {
            for key in keys { #expect(item.range(of: key) == nil) }
        }
    }

    @Test("Envelopes that are damaged, of another account, or whose writer was revoked since are written anew")
    mutating func repair() throws {
        var zone: [Data: Data] = [:]
        try write(by: second, into: &zone)
        let items = zone.keys.sorted { $0.lexicographicallyPrecedes($1) }
        zone[items[0]]?[40] ^= 1
        zone[items[1]] = Data()
        zone[items[2]] = zone[items[3]]
        #expect(ContentKeyEnvelopes.missing(ring, membership: account.membership, existing: zone).count == 3)
        try write(by: account.first, into: &zone)
        #expect(ContentKeyEnvelopes.missing(ring, membership: account.membership, existing: zone).isEmpty)
        try account.revoke(second, by: account.first)
        // Missing is the envelope that the first device has not written itself.
        let missing = ContentKeyEnvelopes.missing(ring, membership: account.membership, existing: zone)
        let own = try ring.generations.filter {
            let item = try envelope(of: $0, to: account.first, in: zone)
            return try ContentKeyEnvelope(item, account: ring.account).writer == second.id
        }
        #expect(Set(missing.map(\.generation)) == Set(own.map(\.id)))
        #expect(missing.allSatisfy { $0.recipient == account.first.id })
        let gone = ContentKeyEnvelopes.superfluous(ring, membership: account.membership, existing: zone.keys)
        #expect(gone.count == 2)
        #expect(
            Set(gone)
                == Set(ring.generations.map { ContentKeyEnvelopes.itemID(generation: $0.id, recipient: second.id) }))
    }

    @Test("Envelopes that no member wrote, or somebody changed, are not believed")
    mutating func hostile() throws {
        var zone: [Data: Data] = [:]
        try write(by: second, into: &zone)
        let membership = account.membership
        let good = try envelope(of: ring.first, to: account.first, in: zone)
        // By a device that was revoked before, and by one that never was.
        for thief in [lost, TestDevice()] {
            var message = try Baton_Link_V1_ContentKeyEnvelope(serializedBytes: good)
            var content = try Baton_Link_V1_ContentKeyEnvelopeContent(serializedBytes: message.content)
            content.writer = thief.id.rawValue
            message.content = try content.serializedBytes()
            message.signature = try thief.key.signature(
                for: Data("baton-content-key-envelope-v1\0".utf8) + message.content
            ).rawRepresentation
            let envelope = try ContentKeyEnvelope(message.serializedBytes(), account: ring.account)
            #expect(
                reason { try envelope.open(with: account.first.key, membership: membership) } == "envelope_refused")
        }
        // A member that passes another's envelope off as its own, or a generation off as another.
        for field in 0..<5 {
            var message = try Baton_Link_V1_ContentKeyEnvelope(serializedBytes: good)
            var content = try Baton_Link_V1_ContentKeyEnvelopeContent(serializedBytes: message.content)
            switch field {
            case 0: content.writer = account.first.id.rawValue
            case 1: content.generationID = Data(repeating: 1, count: 16)
            case 2: content.sealed[3] ^= 1
            case 3: content.statement = try account.forgeGeneration(by: second, counter: 1, revoked: []).statement
            default: content.encapsulatedKey = Data(repeating: 4, count: 65)
            }
            message.content = try content.serializedBytes()
            let signer = field == 0 ? account.first : second
            message.signature = try signer.key.signature(
                for: Data("baton-content-key-envelope-v1\0".utf8) + message.content
            ).rawRepresentation
            let bytes: Data = try message.serializedBytes()
            #expect(throws: BatonError.self, "field \(field)") {
                try ContentKeyEnvelope(bytes, account: membership.accountID)
                    .open(with: account.first.key, membership: membership)
            }
        }
        for size in stride(from: 0, to: good.count, by: 3) {
            #expect(throws: BatonError.self) {
                try ContentKeyEnvelope(good.prefix(size), account: membership.accountID)
                    .open(with: account.first.key, membership: membership)
            }
        }
        let foreign = try TestAccount()
        #expect(
            reason { try ContentKeyEnvelope(good, account: foreign.membership.accountID) } == "foreign_content_key")
        #expect(
            reason { try ContentKeyEnvelope(Data(count: 100_000), account: membership.accountID) }
                == "malformed_envelope")
    }
}

extension ContentKeyEnvelopes.Missing {
    fileprivate static func of(_ generation: ContentKey.ID, _ recipient: DeviceID) -> Self {
        Self(
            itemID: ContentKeyEnvelopes.itemID(generation: generation, recipient: recipient), generation: generation,
            recipient: recipient)
    }
}
