import BatonCore
import Glibc

/// An address that a record gave, and the interface on which it was heard.
struct HostAddress: Hashable, Sendable {
    /// 4 or 16 bytes, network order.
    var bytes: [UInt8]
    var interface: String
    /// Whether `interface` is this machine's loopback.
    var isOnLoopback: Bool

    private var isIPv4: Bool { bytes.count == 4 }
    private var isLinkLocal: Bool {
        isIPv4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }
    private var isLoopback: Bool {
        isIPv4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Not everything that a stranger puts into a record is a place to connect to: its “loopback” is this machine.
    var canBeDialled: Bool {
        guard bytes.count == 4 || bytes.count == 16, bytes.contains(where: { $0 != 0 }) else { return false }
        if isLoopback { return isOnLoopback }
        if isIPv4 { return bytes[0] != 0 && bytes[0] < 224 }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return bytes[0] != 0xFF && !isMapped
    }

    /// The smaller the more promising: routable IPv4, which needs no zone, then IPv6, then what was made up for want of a
    /// server.
    var rank: Int {
        switch (isIPv4, isLinkLocal) {
        case (true, false): 0
        case (false, false): 1
        case (false, true): 2
        case (true, true): 3
        }
    }

    func dialled(port: Int) -> DiscoveredAddress {
        let host = text + (!isIPv4 && isLinkLocal ? "%\(interface)" : "")
        return DiscoveredAddress(host: host, port: port, interface: interface)
    }

    private var text: String {
        var output = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isIPv4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &output, socklen_t(output.count)) != nil else { return "" }
        return String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
