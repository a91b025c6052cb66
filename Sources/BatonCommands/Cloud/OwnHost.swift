import BatonCore
import Dispatch
import Glibc

/// A warning for an address that leads to this machine: from another machine it leads to that machine, or nowhere.
enum OwnHost: Hashable {
    /// It means another machine on each.
    case loopback
    /// A name of this machine, which others may not know.
    /// - Parameter address: by which they reach it.
    case name(address: String)

    /// Nil for a host that is another machine, or an address of this one that others can use.
    /// - Parameters:
    ///   - addresses: of the host, here.
    ///   - own: those of this machine.
    init?(_ host: String, addresses: [String], own: Set<String>) {
        if LocalHost(host: host) != nil || addresses.contains(where: { LocalHost(host: $0) != nil }) {
            self = .loopback
            return
        }
        // The address itself is what it is for the others, too.
        guard !addresses.contains(host), let address = addresses.first(where: own.contains) else { return nil }
        self = .name(address: address)
    }

    static func lookUp(_ host: String) async -> (addresses: [String], own: Set<String>) {
        await withCheckedContinuation { continuation in
            // Names are asked for over the network, which takes time.
            DispatchQueue.global().async { continuation.resume(returning: (addresses(of: host), ownAddresses())) }
        }
    }

    /// As connecting would find them; none for a name that cannot be resolved. Blocks.
    private static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [String] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            if let address = entry.ai_addr, let text = text(address, entry.ai_addrlen) { found.append(text) }
        }
        return found
    }

    private static func ownAddresses() -> Set<String> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: Set<String> = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr else { continue }
            let sizes = [AF_INET: MemoryLayout<sockaddr_in>.size, AF_INET6: MemoryLayout<sockaddr_in6>.size]
            guard let size = sizes[Int32(address.pointee.sa_family)] else { continue }
            if let text = text(address, socklen_t(size)) { found.insert(text) }
        }
        return found
    }

    private static func text(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
