import BatonCore
import BatonTrust
package import Foundation

/// The zone of content keys: what lies there is sealed for one device each, and named so that a device without keys finds it.
package struct KeyZoneCodec: ZoneCodec {
    package init() {}

    package func zoneID(of zone: ZoneName) -> Data { ContentKeyEnvelopes.zoneID }

    package func itemID(of name: String, in zone: ZoneName) -> Data { Self.bytes(name) ?? Data() }

    package func seal(_ content: Data, name: String, in zone: ZoneName) throws -> Data { content }

    package func open(_ sealed: Data, itemID: Data, in zone: ZoneName) throws -> (name: String, content: Data) {
        (Self.name(itemID), sealed)
    }

    static func name(_ itemID: Data) -> String {
        itemID.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func bytes(_ name: String) -> Data? {
        let digits = name.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init(clamping:)) }
        guard digits.count == 64, name.utf8.count == 64 else { return nil }
        return Data(stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
