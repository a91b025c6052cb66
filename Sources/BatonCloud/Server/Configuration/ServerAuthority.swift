/// A name of the server, as devices sign it: host:port.
enum ServerAuthority {
    /// - Parameter text: HOST or HOST:PORT; an IPv6 address in brackets. Without a port, that of HTTPS is meant.
    /// - Returns: nil for what is no such name.
    static func complete(_ text: String) -> String? {
        let end =
            if text.hasPrefix("[") {
                text.firstIndex(of: "]").map { text.index(after: $0) }
            } else {
                text.firstIndex(of: ":")
            }
        let host = text[..<(end ?? text.endIndex)]
        let rest = text[host.endIndex...]
        guard isHost(host) else { return nil }
        if rest.isEmpty { return "\(host):443" }
        guard rest.hasPrefix(":"), rest.dropFirst().utf8.allSatisfy({ isDigit($0) }), let port = Int(rest.dropFirst()),
            (1...65_535).contains(port)
        else { return nil }
        return "\(host):\(port)"
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") {
            let address = host.dropFirst().dropLast()
            return host.hasSuffix("]") && address.contains(":")
                && address.utf8.allSatisfy { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || isHexadecimal($0) }
        }
        return !host.isEmpty
            && host.utf8.allSatisfy {
                isDigit($0) || isLetter($0) || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains($0)
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
