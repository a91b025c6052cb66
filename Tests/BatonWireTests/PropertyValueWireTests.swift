import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import NIOCore
import SwiftProtobuf
import Testing

@Suite("Property values on the wire")
struct PropertyValueWireTests {
    @Test("Any value comes back as it was, in both codecs (H-23)", arguments: 0..<300)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let value = Self.value(depth: 4, &random)
        for codec in [ConnectCodec.proto, .json] {
            let bytes = try codec.encode(Baton_Value_V1_PropertyValue(value))
            let message = try codec.decode(Baton_Value_V1_PropertyValue.self, from: bytes)
            #expect(try PropertyValue(message) == value, "seed \(seed)")
        }
    }

    static func value(depth: Int, _ random: inout SeededGenerator) -> PropertyValue {
        switch Int.random(in: 0..<(depth > 0 ? 14 : 10), using: &random) {
        case 0: .null
        case 1: .boolean(.random(using: &random))
        case 2:
            .integer(
                [.min, .max, 0, -1, Int64.random(in: -1000...1000, using: &random)].randomElement(using: &random) ?? 0)
        case 3: .unsignedInteger(UInt64.random(in: (1 << 63)...UInt64.max, using: &random))
        case 4: .real([0, -0.5, .infinity, 1e300, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0)
        case 5: .string(["", "plain", "ünï \u{1F648}", "\0", "\n\t\""].randomElement(using: &random) ?? "")
        case 6: .data(Data((0..<Int.random(in: 0...20, using: &random)).map { UInt8($0 * 13 % 256) }))
        case 7:
            .date(
                Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 8)
            )
        case 8:
            URL(string: "https://example.org/\(Int.random(in: 0...99, using: &random))?a=b#c").map(PropertyValue.url)
                ?? .null
        case 9:
            .uuid(
                UUID(
                    uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8.random(in: 0...255, using: &random))
                ))
        case 10, 11: .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, &random) })
        case 12: .set(Set((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, &random) }))
        default:
            .dictionary(
                Dictionary(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        (value(depth: depth - 1, &random), value(depth: depth - 1, &random))
                    }, uniquingKeysWith: { $1 }))
        }
    }

    @Test("The deepest value that is allowed crosses the wire")
    func deepest() throws {
        var value = PropertyValue.integer(1)
        for _ in 0..<PropertyValue.maximumDepth { value = .dictionary([.string("k"): value]) }
        for codec in [ConnectCodec.proto, .json] {
            let bytes = try codec.encode(Baton_Value_V1_PropertyValue(value))
            #expect(try PropertyValue(codec.decode(Baton_Value_V1_PropertyValue.self, from: bytes)) == value)
        }
    }

    @Test("Deeper ones are refused, not crashed on", arguments: [PropertyValue.maximumDepth + 1, 300, 5000])
    func tooDeep(depth: Int) throws {
        // Made by hand, innermost first: length-delimited array (11) of values (1).
        var bytes: [UInt8] = [0x18, 0x02]
        for _ in 0..<depth {
            bytes = [0x0A] + Self.varint(bytes.count) + bytes
            bytes = [0x5A] + Self.varint(bytes.count) + bytes
        }
        #expect(throws: BatonError.self) {
            try PropertyValue(
                ConnectCodec.proto.decode(Baton_Value_V1_PropertyValue.self, from: ByteBuffer(bytes: bytes)))
        }
    }

    private static func varint(_ value: Int) -> [UInt8] {
        var value = value
        var bytes: [UInt8] = []
        while value >= 0x80 {
            bytes.append(UInt8(value & 0x7F) | 0x80)
            value >>= 7
        }
        return bytes + [UInt8(value)]
    }

    @Test("Malformed values are refused whole")
    func malformed() {
        let cases: [Baton_Value_V1_PropertyValue] = [
            .init(),
            .with { $0.uuid = Data([1, 2, 3]) },
            .with { $0.url = "http://exa mple/[" },
            .with { $0.date = .nan },
            .with { $0.date = .infinity },
            .with { $0.array.values = [.init()] },
            .with { $0.set.values = [.with { $0.integer = 1 }, .with { $0.integer = 1 }] },
            .with { $0.dictionary.entries = [.with { $0.key.integer = 1 }] },
            .with {
                let entry = Baton_Value_V1_PropertyEntry.with {
                    $0.key.integer = 1
                    $0.value.integer = 2
                }
                $0.dictionary.entries = [entry, entry]
            },
        ]
        for message in cases {
            let error = #expect(throws: BatonError.self) { try PropertyValue(message) }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test("Unknown fields of a newer version survive (H-98)")
    func unknownFields() throws {
        // Field 99, a string, that this version does not know.
        let extra: [UInt8] = [0x9A, 0x06, 0x02, 0x68, 0x69]
        let known = try ConnectCodec.proto.encode(
            Baton_Value_V1_ActivityDescription.with { $0.activityType = "com.example.a" })
        var bytes = known
        bytes.writeBytes(extra)
        let message = try ConnectCodec.proto.decode(Baton_Value_V1_ActivityDescription.self, from: bytes)
        #expect(message.activityType == "com.example.a")
        let again = try ConnectCodec.proto.encode(message)
        #expect(Array(again.readableBytesView).suffix(extra.count) == extra[...])
        let json = try ConnectCodec.json.decode(
            Baton_Value_V1_ActivityDescription.self,
            from: ByteBuffer(string: #"{"activityType":"x","fromTheFuture":{"a":1}}"#))
        #expect(json.activityType == "x")
    }

    @Test("Random bytes never crash the decoders", arguments: 0..<300)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
            UInt8.random(in: .min ... .max, using: &random)
        }
        for codec in [ConnectCodec.proto, .json] {
            if let message = try? codec.decode(Baton_Value_V1_PropertyValue.self, from: ByteBuffer(bytes: bytes)) {
                _ = try? PropertyValue(message)
            }
        }
    }
}
