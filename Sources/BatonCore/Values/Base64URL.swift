package import Foundation

/// Base64 for heads of requests: RFC 4648, section 5, without padding.
package enum Base64URL {
    // By bytes: characters would be looked at by the rules of all scripts, and the cloud reads one with each call.

    package static func encode(_ data: Data) -> String {
        let standard = data.base64EncodedData()
        let bytes = standard.lazy.filter { $0 != UInt8(ascii: "=") }.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: Array(bytes), as: UTF8.self)
    }

    /// - Returns: nil for an invalid text, and for more than 4,096 characters.
    package static func decode(_ text: some StringProtocol) -> Data? {
        let utf8 = text.utf8
        guard utf8.count <= 4096 else { return nil }
        var standard: [UInt8] = []
        standard.reserveCapacity(utf8.count + 3)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: standard.append(byte)
            }
        }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(standard))
    }
}
