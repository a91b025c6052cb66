import BatonConcurrency
import Glibc

/// Looks names of hosts up as other programs of this machine do.
enum HostAddresses {
    private static let queue = BlockingQueue("baton.hosts")

    /// - Returns: none for a name that cannot be found now.
    static func find(_ host: String) async -> [String] { await queue.run { addresses(of: host) } }

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
            guard let address = entry.ai_addr else { continue }
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(name.count)
            guard getnameinfo(address, entry.ai_addrlen, &name, length, nil, 0, NI_NUMERICHOST) == 0 else { continue }
            found.append(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return found
    }
}
