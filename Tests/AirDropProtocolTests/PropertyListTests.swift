import AirDropProtocol
import BatonCore
import BatonTestSupport
import Foundation
import Testing

@Suite("Binary property lists")
struct PropertyListTests {
    private static let limits = BinaryPropertyList.Limits(size: 1 << 20)

    private static let everyKind: PropertyListValue = .dictionary([
        "a": .array([1, 255, 256, 65536, 1 << 32, -1, Int64.max].map(PropertyListValue.integer)),
        "b": .boolean(true), "c": .boolean(false), "d": .real(1.5), "e": .data([1, 2]), "f": .date(60),
        "g": .string("text"), "h": .string("Ünïcode 🎉"), "i": .dictionary([:]),
        "long": .string(String(repeating: "x", count: 20)), "m": .array((0..<20).map { .integer($0) }),
    ])

    @Test("What Python writes is read")
    func reading() throws {
        #expect(try BinaryPropertyList.decode(MessageFixtures.everyKind, limits: Self.limits) == Self.everyKind)
    }

    @Test("What is written is read by Foundation and by ourselves")
    func writing() throws {
        let bytes = BinaryPropertyList.encode(Self.everyKind)
        #expect(try BinaryPropertyList.decode(bytes, limits: Self.limits) == Self.everyKind)
        let plist = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
        let members = try #require(plist as? [String: Any])
        #expect(members["h"] as? String == "Ünïcode 🎉")
        #expect(members["e"] as? Data == Data([1, 2]))
        #expect((members["a"] as? [Any])?.count == 7)
        #expect(members["f"] as? Date == Date(timeIntervalSinceReferenceDate: 60))
    }

    @Test("Many objects need wider references")
    func many() throws {
        for count in [254, 255, 256, 300, 70_000] {
            let value = PropertyListValue.array((0..<count).map { .integer(Int64($0)) })
            #expect(try BinaryPropertyList.decode(BinaryPropertyList.encode(value), limits: Self.limits) == value)
        }
    }

    @Test("Foundation's writer is understood")
    func foundation() throws {
        let data = try PropertyListSerialization.data(
            fromPropertyList: ["Files": [["FileName": "ä.txt", "Flag": true]]], format: .binary, options: 0)
        #expect(
            try BinaryPropertyList.decode(Array(data), limits: Self.limits)
                == .dictionary([
                    "Files": .array([.dictionary(["FileName": .string("ä.txt"), "Flag": .boolean(true)])])
                ]))
    }

    // MARK: Hostile ones

    /// Objects as bytes, with references of one byte.
    private static func plist(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(truncatingIfNeeded: bytes.count))
            bytes += object
        }
        let table = UInt8(truncatingIfNeeded: bytes.count)
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)] + [0, 0, 0, 0, 0, 0, 0, top]
            + [0, 0, 0, 0, 0, 0, 0, table]
        return bytes + offsets + trailer
    }

    private static func reason(_ bytes: [UInt8], _ limits: BinaryPropertyList.Limits = Self.limits) -> String? {
        do throws(BatonError) {
            _ = try BinaryPropertyList.decode(bytes, limits: limits)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Damaged and hostile ones are refused")
    func hostile() {
        let invalid = "property_list_invalid"
        #expect(Self.reason(Self.plist([[0x51, 0x61]])) == nil)
        #expect(Self.reason([]) == invalid)
        #expect(Self.reason(Array("<?xml version=\"1.0\"?><plist><dict/></plist>".utf8)) == invalid)
        #expect(Self.reason(Self.plist([[0x51, 0x61]], top: 1)) == invalid)
        // An array that holds itself; two that hold each other.
        #expect(Self.reason(Self.plist([[0xA1, 0]])) == invalid)
        #expect(Self.reason(Self.plist([[0xA1, 1], [0xA1, 0]])) == invalid)
        // A reference, a text and counts beyond the end.
        #expect(Self.reason(Self.plist([[0xA1, 9]])) == invalid)
        #expect(Self.reason(Self.plist([[0x5E, 0x61]])) == invalid)
        #expect(Self.reason(Self.plist([[0x4F, 0x13] + [UInt8](repeating: 0xFF, count: 8)])) == invalid)
        #expect(Self.reason(Self.plist([[0x6F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)])) == invalid)
        #expect(Self.reason(Self.plist([[0xAF, 0x12, 0, 0, 1, 0]])) == invalid)
        #expect(Self.reason(Self.plist([[0xDF, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)])) != nil)
        // A key that is a number, a key that comes twice, a text with half a character, a kind that does not exist.
        #expect(Self.reason(Self.plist([[0xD1, 1, 1], [0x10, 1]])) == invalid)
        #expect(Self.reason(Self.plist([[0xD2, 1, 1, 1, 1], [0x51, 0x61]])) == invalid)
        #expect(Self.reason(Self.plist([[0x61, 0xD8, 0x00]])) == invalid)
        #expect(Self.reason(Self.plist([[0x51, 0xE9]])) == invalid)
        #expect(Self.reason(Self.plist([[0x70]])) == invalid)
        #expect(Self.reason(Self.plist([[0x80, 0]])) == invalid)
    }

    @Test("A trailer that lies is refused")
    func trailers() {
        let good = Self.plist([[0x51, 0x61]])
        for index in (good.count - 26)..<good.count {
            for value: UInt8 in [0, 2, 9, 0x7F, 0xFF] where good[index] != value {
                var bytes = good
                bytes[index] = value
                _ = Self.reason(bytes)
            }
        }
        var bytes = good
        for index in (good.count - 24)..<(good.count - 16) { bytes[index] = 0xFF }
        #expect(Self.reason(bytes) == "property_list_invalid")
    }

    @Test("A small one cannot become a large one")
    func expansion() {
        // Each level holds the next one 14 times: 14^6 values in 100 bytes.
        let levels: [[UInt8]] = (1...6).map { [0xAE] + [UInt8](repeating: $0, count: 14) } + [[0x51, 0x61]]
        #expect(Self.reason(Self.plist(levels)) == "property_list_too_large")
        // One text of 100 bytes, 14 times.
        let text: [UInt8] = [0x5F, 0x10, 100] + [UInt8](repeating: 0x61, count: 100)
        #expect(
            Self.reason(Self.plist([[0xAE] + [UInt8](repeating: 1, count: 14), text]), .init(size: 1000))
                == "property_list_too_large")
        #expect(Self.reason(MessageFixtures.everyKind, .init(size: 100)) == "property_list_too_large")
    }

    @Test("Nesting is bounded")
    func depth() throws {
        func nested(_ depth: Int) -> PropertyListValue {
            (0..<depth).reduce(.boolean(true)) { value, _ in .array([value]) }
        }
        #expect(Self.reason(BinaryPropertyList.encode(nested(16))) == nil)
        #expect(Self.reason(BinaryPropertyList.encode(nested(17))) == "property_list_invalid")
    }

    @Test("Mutated ones are read or refused, and what is read can be written")
    func mutations() throws {
        var random = SeededGenerator(seed: Schedules.oneSeed)
        let seeds = [
            MessageFixtures.everyKind, MessageFixtures.askRequest, MessageFixtures.askLinks,
            MessageFixtures.discoverAnswer,
        ]
        var read = 0
        for _ in 0..<Schedules.count(6000, soak: 1_000_000) {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
                case 2: bytes.remove(at: index)
                default: bytes.insert(bytes[index], at: index)
                }
            }
            _ = try? AskRequest(bytes)
            guard let value = try? BinaryPropertyList.decode(bytes, limits: Self.limits) else { continue }
            read += 1
            let again = try BinaryPropertyList.decode(BinaryPropertyList.encode(value), limits: Self.limits)
            try #require(BinaryPropertyList.encode(again) == BinaryPropertyList.encode(value))
        }
        #expect(read > 0)
    }
}
