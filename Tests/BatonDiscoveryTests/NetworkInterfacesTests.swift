import Glibc
import Testing

@testable import BatonDiscovery

@Suite("Interfaces of this machine")
struct NetworkInterfacesTests {
    /// The interfaces of a machine whose only one has these flags, and an IPv4 address.
    private static func interfaces(_ flags: Int...) -> NetworkInterfaces {
        var interfaces = NetworkInterfaces()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0xC000_0201).bigEndian
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var name = Array("eth0".utf8CString)
                name.withUnsafeMutableBufferPointer { name in
                    guard let name = name.baseAddress else { return }
                    var entry = ifaddrs()
                    entry.ifa_name = name
                    entry.ifa_flags = flags.reduce(0) { $0 | UInt32($1) }
                    entry.ifa_addr = address
                    interfaces.add(entry, allowed: nil)
                }
            }
        }
        return interfaces
    }

    @Test("one whose cable is pulled keeps its address, and is none to be found by")
    func carrier() {
        let plugged = Self.interfaces(Int(IFF_UP), Int(IFF_MULTICAST), Int(NetworkInterfaces.lowerUp))
        #expect(plugged.addresses.map(\.bytes) == [[192, 0, 2, 1]])
        let pulled = Self.interfaces(Int(IFF_UP), Int(IFF_MULTICAST))
        #expect(pulled.addresses.isEmpty)
        #expect(pulled.obstacle(allowed: nil) == "No network interface is up, has a carrier and an address.")
    }
}
