import Foundation

/// Addresses of the public internet, as opposed to those of this machine and of private networks.
package enum PublicAddress {
    /// - Parameter text: an IPv4 or IPv6 address; anything else is not public.
    package static func contains(_ text: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return containsV4(bytes) }
        return inet_pton(AF_INET6, text, &bytes) == 1 && containsV6(bytes)
    }

    private static func containsV4(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): false
        case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _): false
        // Protocol assignments and documentation.
        case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113): false
        default: true
        }
    }

    private static func containsV6(_ bytes: [UInt8]) -> Bool {
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return containsV4(Array(bytes[12...]))
        }
        // NAT64: the last four bytes are an IPv4 address.
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return containsV4(Array(bytes[12...])) }
        // Global unicast is 2000::/3; 2001:db8::/32 is documentation, 2002::/16 is 6to4 with an IPv4 address inside.
        guard bytes[0] & 0xE0 == 0x20, !bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) else { return false }
        return bytes.starts(with: [0x20, 0x02]) ? containsV4(Array(bytes[2..<6])) : true
    }
}
