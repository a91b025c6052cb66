import Glibc

/// An address of this machine that other machines can use, as far as the machine knows.
enum ReachableAddress {
    /// The one from which this machine would reach others far away, else the first that is not its own alone. Nil where there
    /// is none.
    static func current() -> String? { outward(AF_INET) ?? outward(AF_INET6) ?? first() }

    /// Asks the kernel by connecting a datagram socket, which sends nothing. To addresses that are kept for documentation.
    private static func outward(_ family: Int32) -> String? {
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var there = sockaddr_storage()
        var size = 0
        withUnsafeMutableBytes(of: &there) { bytes in
            if family == AF_INET {
                let address = bytes.bindMemory(to: sockaddr_in.self)
                address[0].sin_family = sa_family_t(AF_INET)
                address[0].sin_port = in_port_t(9).bigEndian
                inet_pton(AF_INET, "192.0.2.1", &address[0].sin_addr)
                size = MemoryLayout<sockaddr_in>.size
            } else {
                let address = bytes.bindMemory(to: sockaddr_in6.self)
                address[0].sin6_family = sa_family_t(AF_INET6)
                address[0].sin6_port = in_port_t(9).bigEndian
                inet_pton(AF_INET6, "2001:db8::1", &address[0].sin6_addr)
                size = MemoryLayout<sockaddr_in6>.size
            }
        }
        var here = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withUnsafePointer(to: &there) { there in
            there.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(size)) == 0 }
        }
        guard isKnown else { return nil }
        return withUnsafeMutablePointer(to: &here) { here in
            here.withMemoryRebound(to: sockaddr.self, capacity: 1) { here in
                getsockname(descriptor, here, &length) == 0 ? text(here, length) : nil
            }
        }
    }

    /// IPv4 before IPv6.
    private static func first() -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var found: [Int32: String] = [:]
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard entry.ifa_flags & UInt32(IFF_UP) != 0, let address = entry.ifa_addr else { continue }
            let family = Int32(address.pointee.sa_family)
            let sizes = [AF_INET: MemoryLayout<sockaddr_in>.size, AF_INET6: MemoryLayout<sockaddr_in6>.size]
            guard found[family] == nil, let size = sizes[family] else { continue }
            found[family] = text(address, socklen_t(size))
        }
        return found[AF_INET] ?? found[AF_INET6]
    }

    /// Nil for an address that means something on this machine or its link alone.
    private static func text(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let isOwn = text.hasPrefix("127.") || text.hasPrefix("169.254.") || text == "0.0.0.0" || text == "::1"
        return isOwn || text == "::" || text.lowercased().hasPrefix("fe80:") ? nil : text
    }
}
