import Foundation

/// Hosts that mean something else on each machine.
package enum LocalHost: Hashable, Sendable {
    /// Every address of a machine: to listen on, not to connect to.
    case unspecified
    /// The machine itself.
    case loopback

    /// Nil for a host that is the same wherever it is asked for, as far as its name shows.
    /// - Parameter host: a name or an address, in brackets or not.
    package init?(host: String) {
        var name = host.lowercased().filter { $0 != "[" && $0 != "]" }
        if name.hasSuffix(".") { name.removeLast() }
        guard !name.isEmpty else { return nil }
        if name == "localhost" || name.hasSuffix(".localhost") {
            self = .loopback
            return
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, name, &bytes) == 1 else {
            // In any form that connecting takes, as 0 or 127.1.
            self.init(version4: UInt32(bigEndian: inet_addr(name)))
            return
        }
        var end: UInt32 = 0
        for byte in bytes[12...] { end = end << 8 | UInt32(byte) }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            self.init(version4: end)
            return
        }
        guard bytes[..<12].allSatisfy({ $0 == 0 }), end <= 1 else { return nil }
        self = end == 0 ? .unspecified : .loopback
    }

    private init?(version4 address: UInt32) {
        switch address {
        case 0: self = .unspecified
        case 0x7F00_0000...0x7FFF_FFFF: self = .loopback
        default: return nil
        }
    }
}
