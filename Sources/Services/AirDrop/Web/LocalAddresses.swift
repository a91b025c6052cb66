import Glibc
import NIOCore

/// The addresses under which browsers on the local network reach this device.
enum LocalAddresses {
    struct Address: Hashable, Sendable {
        /// 4 or 16 bytes, network order.
        var bytes: [UInt8]
        /// As a URL has it.
        var host: String
    }

    /// Those of IPv4 first, which people can type. Link-local addresses of IPv6 are no use: browsers take no zone.
    /// - Parameter interfaces: nil for every one but the loopback.
    static func current(on interfaces: [String]?) -> [Address] {
        let devices = (try? System.enumerateDevices()) ?? []
        var found: [Address] = []
        for device in devices where interfaces?.contains(device.name) ?? true {
            guard let address = device.address.flatMap(Address.init), !found.contains(address) else { continue }
            if interfaces == nil, address.isLoopback { continue }
            found.append(address)
        }
        return found.filter { $0.bytes.count == 4 } + found.filter { $0.bytes.count == 16 }
    }
}

extension LocalAddresses.Address {
    fileprivate init?(_ address: SocketAddress) {
        switch address {
        case .v4(let v4):
            bytes = withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
            guard let text = address.ipAddress else { return nil }
            host = text
        case .v6(let v6):
            bytes = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
            guard let text = address.ipAddress, !(bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80) else { return nil }
            host = "[\(text)]"
        case .unixDomainSocket: return nil
        }
    }

    fileprivate var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
}
