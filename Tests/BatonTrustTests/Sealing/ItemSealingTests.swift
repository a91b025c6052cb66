import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import Testing

@Suite("Sealed items")
struct ItemSealingTests {
    private let account: TestAccount
    private let ring: KeyRing
    private let zone: Data

    init() throws {
        account = try TestAccount()
        ring = try KeyRing(of: account)
        zone = ring.zoneID(of: "key-value/com.example.App")
    }

    private func seal(_ content: Data, _ name: String = "name") throws -> Data {
        try ring.seal(content, name: name, zoneID: zone, membership: account.membership)
    }

    @Test("A sealed item opens at its place, whole, whatever its size and name")
    func roundTrip() throws {
        for size in [0, 1, 47, 48, 63, 64, 65, 1000, 1024, 1025, 65_536, 262_000] {
            for name in ["n", "Größe 🎈", String(repeating: "x", count: 1024)] {
                let content = Data(randomBytes(size))
                let sealed = try seal(content, name)
                #expect(sealed.count == KeyRing.sealedSize(name: name, contentSize: size))
                #expect(KeyRing.generation(of: sealed) == ring.first.id)
                // A slice with indices of its own, as a frame's part has.
                let slice = (Data([1, 2, 3]) + sealed).dropFirst(3)
                let opened = try ring.open(slice, zoneID: zone, itemID: ring.itemID(name, zoneID: zone))
                #expect(opened.name == name && opened.content == content)
            }
        }
    }

    @Test("The same content is never sealed the same way twice, and its size tells steps only")
    func sizes() throws {
        #expect(try seal(Data([1])) != seal(Data([1])))
        let sizes = try Set((0...52).map { try seal(Data(count: $0)).count })
        #expect(sizes.count == 1)
        for size in stride(from: 1, to: 200_000, by: 997) {
            let padded = Padding.paddedSize(size)
            #expect(padded >= size && (size <= 1024 ? padded - size < 64 : Double(padded) <= 1.12 * Double(size)))
            #expect(Padding.paddedSize(padded) == padded)
        }
    }

    @Test("Any changed bit, any end that is missing, and any other place are noticed")
    func damage() throws {
        let sealed = try seal(Data("content".utf8))
        let item = ring.itemID("name", zoneID: zone)
        for bit in 0..<sealed.count * 8 {
            var damaged = sealed
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let reason = reason { try ring.open(damaged, zoneID: zone, itemID: item) }
            let expected: [String] =
                switch bit / 8 {
                case 0: ["unknown_item_format"]
                case 1...16: ["unknown_content_key"]
                default: ["damaged_item"]
                }
            #expect(expected.contains(reason), "bit \(bit)")
        }
        for size in 1..<sealed.count {
            #expect(reason { try ring.open(sealed.prefix(size), zoneID: zone, itemID: item) } == "damaged_item")
        }
        #expect(reason { try ring.open(Data(), zoneID: zone, itemID: item) } == "damaged_item")
        #expect(reason { try ring.open(sealed + [0], zoneID: zone, itemID: item) } == "damaged_item")
        let otherItem = ring.itemID("other", zoneID: zone)
        #expect(reason { try ring.open(sealed, zoneID: zone, itemID: otherItem) } == "damaged_item")
        let otherZone = ring.zoneID(of: "key-value/other")
        #expect(reason { try ring.open(sealed, zoneID: otherZone, itemID: item) } == "damaged_item")
    }

    @Test("Noise of any size is refused, and nothing of it is believed")
    func noise() throws {
        var random = SeededGenerator(seed: 42)
        let item = ring.itemID("name", zoneID: zone)
        for _ in 0..<2000 {
            var noise = Data(
                (0..<Int.random(in: 0...200, using: &random)).map { _ in .random(in: 0...255, using: &random) })
            if Bool.random(using: &random), noise.count > 17 {
                noise.replaceSubrange(0..<17, with: [1] + ring.first.id.bytes)
            }
            #expect(throws: BatonError.self) { try ring.open(noise, zoneID: zone, itemID: item) }
        }
    }

    @Test("A name that is empty or too long, and a zone that is none, are refused")
    func names() throws {
        #expect(reason { try seal(Data(), "") } == "invalid_item_name")
        #expect(reason { try seal(Data(), String(repeating: "x", count: 1025)) } == "invalid_item_name")
        #expect(
            reason { try ring.seal(Data(), name: "x", zoneID: Data([1]), membership: account.membership) }
                == "invalid_item_name")
    }

    @Test("Names are blinded: they differ by account and zone, and a zone's is no item's")
    func blinding() throws {
        let other = try KeyRing(of: account, secret: [UInt8](repeating: 4, count: 32))
        #expect(other.zoneID(of: "a/b") != ring.zoneID(of: "a/b"))
        #expect(ring.zoneID(of: "a/b") == ring.zoneID(of: "a/b"))
        let (one, two) = (ring.zoneID(of: "a/1"), ring.zoneID(of: "a/2"))
        #expect(ring.itemID("x", zoneID: one) != ring.itemID("x", zoneID: two))
        #expect(ring.itemID("x", zoneID: one).count == KeyRing.blindedSize)
    }

    @Test("Names of items stay the same under every generation")
    func stableNames() throws {
        var account = account
        var ring = ring
        let lost = TestDevice()
        try account.add(lost, by: account.first)
        try account.revoke(lost, by: account.first)
        let before = ring.itemID("name", zoneID: zone)
        #expect(try ring.make(by: account.first, account.membership))
        #expect(ring.itemID("name", zoneID: zone) == before && ring.zoneID(of: "key-value/com.example.App") == zone)
        let sealed = try ring.seal(Data([1]), name: "name", zoneID: zone, membership: account.membership)
        #expect(KeyRing.generation(of: sealed) != ring.first.id)
        #expect(reason { try self.ring.open(sealed, zoneID: zone, itemID: before) } == "unknown_content_key")
        #expect(try ring.open(sealed, zoneID: zone, itemID: before).content == Data([1]))
        // Items sealed before stay readable.
        #expect(try ring.open(seal(Data([2])), zoneID: zone, itemID: before).content == Data([2]))
    }
}
