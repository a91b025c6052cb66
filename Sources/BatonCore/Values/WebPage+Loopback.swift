import Foundation

/// Pages that lead to the machine of the person who opens them: no other device may have one of those opened.
extension WebPage {
    /// The host as the address has it: without name, password and port.
    package var host: String {
        let start = text.range(of: "://")?.upperBound ?? text.startIndex
        let server = text[start...].prefix { !"/?#".contains($0) }
        if server.first == "[" { return String(server.prefix { $0 != "]" }) + "]" }
        return String(server.prefix { $0 != ":" })
    }

    /// Its host, however that is written: with or without capitals, “www.” and a dot at the end.
    package var site: String {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return name.hasPrefix("www.") ? String(name.dropFirst(4)) : name
    }

    /// For people: of a long host the end, which says whose it is.
    package var shownHost: String {
        let host = host
        return host.count <= 60 ? host : "…" + host.suffix(59)
    }

    /// A page that another device handed over; nil for an invalid one, or one that leads to this machine.
    package static func fromOtherDevice(_ text: String) -> WebPage? {
        guard let page = try? WebPage(text), !page.isLoopback else { return nil }
        return page
    }

    /// Whether a browser may take the host for the machine that it runs on, in whatever form it is written. A host that
    /// browsers read otherwise than it stands there, or cannot read, is taken for one.
    package var isLoopback: Bool {
        let host = host.lowercased()
        // Browsers decode it, and names of sites never need it.
        guard !host.isEmpty, !host.contains("%") else { return true }
        if host.hasPrefix("[") { return Self.isLoopbackIPv6(String(host.dropFirst().dropLast())) }
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last == "" { labels.removeLast() }
        guard let last = labels.last, !last.isEmpty else { return true }
        if last == "localhost" || Self.localNames.contains(labels.joined(separator: ".")) { return true }
        guard Self.isNumber(last) else { return false }
        guard let address = Self.address(labels) else { return true }
        return Self.isLoopback(address)
    }

    /// As distributions have them in `/etc/hosts`.
    private static let localNames: Set<String> = [
        "localhost.localdomain", "localhost4", "localhost4.localdomain4", "localhost6", "localhost6.localdomain6",
        "ip6-localhost", "ip6-loopback",
    ]

    // MARK: IPv4, as the URL Standard reads it

    static func isNumber(_ label: Substring) -> Bool {
        label.utf8.allSatisfy { (0x30...0x39).contains($0) }
            || label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    /// One to four numbers, decimal, octal (`0…`) or hexadecimal (`0x…`); the last one fills what is left.
    static func address(_ labels: [Substring]) -> UInt32? {
        guard (1...4).contains(labels.count) else { return nil }
        var numbers: [UInt64] = []
        for label in labels {
            guard let number = number(label) else { return nil }
            numbers.append(number)
        }
        let last = numbers.removeLast()
        guard numbers.allSatisfy({ $0 <= 255 }), last < 1 << (8 * (4 - UInt64(numbers.count))) else { return nil }
        let head = numbers.enumerated().reduce(UInt64(0)) { $0 | $1.element << (24 - 8 * UInt64($1.offset)) }
        return UInt32(head | last)
    }

    private static func number(_ label: Substring) -> UInt64? {
        if label.hasPrefix("0x") { return label.count == 2 ? 0 : UInt64(label.dropFirst(2), radix: 16) }
        if label.count > 1, label.hasPrefix("0") { return UInt64(label.dropFirst(), radix: 8) }
        return UInt64(label)
    }

    /// The unspecified addresses lead to this machine, too.
    private static func isLoopback(_ address: UInt32) -> Bool { [0, 127].contains(address >> 24) }

    // MARK: IPv6

    private static func isLoopbackIPv6(_ text: String) -> Bool {
        var parsed = in6_addr()
        guard inet_pton(AF_INET6, text, &parsed) == 1 else { return true }
        let bytes = withUnsafeBytes(of: parsed) { Array($0) }
        let last = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let head = bytes.prefix(12)
        let isMapped = head.prefix(10).allSatisfy { $0 == 0 } && head.suffix(2).allSatisfy { $0 == 0xFF }
        // “::”, “::1” and the older form “::127.0.0.1”.
        if head.allSatisfy({ $0 == 0 }) { return last <= 1 || isLoopback(last) }
        return isMapped && isLoopback(last)
    }
}
