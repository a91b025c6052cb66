package import Foundation

/// Base64 for heads of requests: RFC 4648, section 5, without padding.
package enum Base64URL {
    package static func encode(_ data: Data) -> String {
        let standard = data.base64EncodedString()
        return String(standard.compactMap { $0 == "=" ? nil : $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    package static func decode(_ text: some StringProtocol) -> Data? {
        guard text.utf8.count <= 4096, !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
    }
}
