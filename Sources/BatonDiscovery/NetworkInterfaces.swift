import CAvahi
import Glibc

/// An address of this machine on an interface.
struct InterfaceAddress: Hashable, Sendable {
    enum Family: Hashable, Sendable { case ipv4, ipv6 }

    var interface: String
    var index: UInt32
    var family: Family
    /// 4 or 16 bytes, network order.
    var bytes: [UInt8]

    fileprivate var sortKey: (Int, String) { (bytes.count, bytes.description) }
}

/// The interfaces of this machine that discovery may use, with their addresses, as they are now.
struct NetworkInterfaces: Hashable, Sendable {
    /// Addresses of multicast-capable interfaces that are up and have a carrier, plus loopback.
    private(set) var addresses: Set<InterfaceAddress> = []
    private(set) var loopbacks: Set<String> = []
    /// Interfaces that are up but leave this machine no way to multicast.
    private(set) var unsuitable: Set<String> = []

    /// Reads the kernel's list: blocks shortly. In the network namespace of the calling thread.
    /// - Parameter allowed: nil for every interface but the loopback.
    static func current(allowed: [String]?) -> NetworkInterfaces {
        var result = NetworkInterfaces()
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return result }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next {
            result.add(entry.pointee, allowed: allowed)
            next = entry.pointee.ifa_next
        }
        return result
    }

    /// `IFF_LOWER_UP` of the kernel, which Glibc leaves out: its `IFF_RUNNING` is not set for some that do work.
    static let lowerUp: Int32 = 0x1_0000

    mutating func add(_ entry: ifaddrs, allowed: [String]?) {
        let name = String(cString: entry.ifa_name)
        let flags = Int32(bitPattern: entry.ifa_flags)
        let isLoopback = flags & Int32(IFF_LOOPBACK) != 0
        if isLoopback { loopbacks.insert(name) }
        // One whose cable is pulled stays up and keeps its addresses, and reaches nothing.
        let hasCarrier = flags & Self.lowerUp != 0
        guard flags & Int32(IFF_UP) != 0, hasCarrier, allowed?.contains(name) ?? !isLoopback else { return }
        // As Avahi decides: point-to-point links are left alone, and the loopback needs no multicast flag.
        guard isLoopback || flags & Int32(IFF_MULTICAST) != 0,
            flags & Int32(IFF_POINTOPOINT) == 0
        else {
            unsuitable.insert(name)
            return
        }
        guard let address = entry.ifa_addr else { return }
        let family = Int32(address.pointee.sa_family)
        let index = if_nametoindex(name)
        if family == AF_INET {
            let bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
            addresses.insert(InterfaceAddress(interface: name, index: index, family: .ipv4, bytes: bytes))
        } else if family == AF_INET6 {
            let bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
            addresses.insert(InterfaceAddress(interface: name, index: index, family: .ipv6, bytes: bytes))
        }
    }

    /// Why multicast cannot work; nil when it can.
    func obstacle(allowed: [String]?) -> String? {
        guard addresses.isEmpty else { return nil }
        if let allowed, unsuitable.isEmpty {
            return "None of the interfaces \(allowed.joined(separator: ", ")) is up, has a carrier and an address."
        }
        if !unsuitable.isEmpty {
            return "The interfaces that are up (\(unsuitable.sorted().joined(separator: ", "))) cannot multicast."
        }
        return "No network interface is up, has a carrier and an address."
    }

    /// At most this many addresses are announced per interface.
    static let maximumAnnounced = 8

    /// The addresses to announce: per interface, the steadiest first.
    var announced: [InterfaceAddress] {
        Dictionary(grouping: addresses, by: \.interface).values.flatMap { group in
            group.sorted { $0.sortKey < $1.sortKey }.prefix(Self.maximumAnnounced)
        }
    }
}
