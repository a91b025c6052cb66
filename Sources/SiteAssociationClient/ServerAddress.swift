package import BatonCore

/// Where the server of a domain is asked in place of where the DNS says: `HOST` or `HOST:PORT`, IPv6 in brackets.
package struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    package let host: String
    package let port: Int

    /// - Throws: `invalid_argument` with reason `invalid_server_address`.
    package init(_ text: String) throws(BatonError) {
        var host = text[...]
        var port: Substring?
        let isBracketed = host.hasPrefix("[")
        if isBracketed, let end = host.firstIndex(of: "]") {
            let rest = host[host.index(after: end)...]
            port = rest.hasPrefix(":") ? rest.dropFirst() : rest.isEmpty ? nil : ""
            host = host[host.index(after: host.startIndex)..<end]
        } else if let colon = host.lastIndex(of: ":") {
            port = host[host.index(after: colon)...]
            host = host[..<colon]
        }
        let number = port.map { Int($0) ?? 0 } ?? 443
        guard !host.isEmpty, (1...65_535).contains(number), !host.contains(where: { "[]".contains($0) }),
            isBracketed || !host.contains(":")
        else {
            throw BatonError(
                .invalidArgument, reason: "invalid_server_address",
                "“\(text.prefix(100))” is no address of a server: write HOST, HOST:PORT or [IPV6]:PORT.")
        }
        self.host = String(host)
        self.port = number
    }

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
