package import BatonCore

/// The address of a web page, split as RFC 3986 splits it, each part percent-encoded.
///
/// The segments `.` and `..` of the path are resolved, as every browser does before anybody sees the URL:
/// `/open/../own` is the page `/own`, and the rules for `/own` decide about it. Parts that programs read differently
/// (control characters, backslashes, another port's server) are refused, since a page that is not what it seems must
/// not open an app.
package struct WebPageURL: Sendable, Hashable, CustomStringConvertible {
    /// Bytes of a URL; longer ones belong to no app.
    package static let maximumLength = 32 << 10

    /// As it was written.
    package let description: String
    package let host: DomainName
    /// At least “/”, without dot segments.
    package let path: [UInt8]
    /// Whether the path was written with dot segments, so that it is another one here.
    package let hadDotSegments: Bool
    /// Without “?”; empty when there is none.
    package let query: [UInt8]
    /// Without “#”; empty when there is none.
    package let fragment: [UInt8]

    /// - Throws: `invalid_argument` with reason `invalid_page_url`.
    package init(_ text: String) throws(BatonError) {
        func refused(_ why: String) -> BatonError {
            BatonError(
                .invalidArgument, reason: "invalid_page_url", "The URL “\(text.prefix(200))” \(why)")
        }
        guard text.utf8.count <= Self.maximumLength else {
            throw refused("has more than \(Self.maximumLength) bytes.")
        }
        var rest = Array(text.utf8)[...]
        guard !rest.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            throw refused("has a space, a control character or a backslash. Percent-encode it.")
        }
        guard let defaultPort = Self.takeScheme(&rest) else {
            throw refused("must begin with https:// or http://.")
        }
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        rest = rest[end...]
        let server = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        let parts = server.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard server.first != UInt8(ascii: "["), !Self.isAddress(parts.first ?? []) else {
            throw refused("has an IP address for its host. Associated domains go by names: write the domain's name.")
        }
        guard parts.count < 2 || parts[1].isEmpty || parts[1].elementsEqual(defaultPort.utf8) else {
            throw refused("names a port. Associated domains have none: they are about the site on the usual one.")
        }
        guard let host = DomainName(host: String(decoding: parts.first ?? [], as: UTF8.self)) else {
            throw refused("names no fully qualified domain: \(DomainName.rule).")
        }
        self.host = host
        fragment = Self.take(from: &rest, after: UInt8(ascii: "#"))
        query = Self.take(from: &rest, after: UInt8(ascii: "?"))
        let path = PercentEncoding.encoded(rest)
        let resolved = Self.withoutDotSegments(path)
        hadDotSegments = resolved != path
        self.path = resolved.isEmpty ? [UInt8(ascii: "/")] : resolved
        description = text
    }

    /// Whether a host is an IPv4 address in any of the forms that browsers take for one: its last label is a number.
    private static func isAddress(_ host: ArraySlice<UInt8>) -> Bool {
        let name = host.last == UInt8(ascii: ".") ? host.dropLast() : host
        let label = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? []
        if label.starts(with: "0x".utf8) || label.starts(with: "0X".utf8) {
            return label.dropFirst(2).allSatisfy(PercentEncoding.isHexDigit)
        }
        return !label.isEmpty && label.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// - Parameter path: empty, or with a leading slash.
    private static func withoutDotSegments(_ path: [UInt8]) -> [UInt8] {
        let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.contains(where: { dotCount(of: $0) != nil }) else { return path }
        var kept: [ArraySlice<UInt8>] = []
        for (index, segment) in segments.enumerated() {
            guard let dots = dotCount(of: segment) else {
                kept.append(segment)
                continue
            }
            if dots == 2, !kept.isEmpty { kept.removeLast() }
            // A dot segment at the end stands for a folder.
            if index == segments.count - 1 { kept.append([]) }
        }
        return kept.flatMap { [UInt8(ascii: "/")] + $0 }
    }

    /// 1 for the segment “.”, 2 for “..”, escaped or not; nil for any other.
    private static func dotCount(of segment: ArraySlice<UInt8>) -> Int? {
        guard (1...6).contains(segment.count) else { return nil }
        let text = PercentEncoding.decoded(segment)
        return text.count <= 2 && text.allSatisfy { $0 == UInt8(ascii: ".") } ? text.count : nil
    }

    /// - Returns: the scheme's port.
    private static func takeScheme(_ rest: inout ArraySlice<UInt8>) -> String? {
        for (scheme, port) in [("https://", "443"), ("http://", "80")] {
            let head = rest.prefix(scheme.utf8.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            guard head.elementsEqual(scheme.utf8) else { continue }
            rest = rest.dropFirst(scheme.utf8.count)
            return port
        }
        return nil
    }

    private static func take(from rest: inout ArraySlice<UInt8>, after mark: UInt8) -> [UInt8] {
        guard let index = rest.firstIndex(of: mark) else { return [] }
        defer { rest = rest[..<index] }
        return PercentEncoding.encoded(rest[(index + 1)...])
    }
}

/// Percent-encoding (RFC 3986, section 2.1).
enum PercentEncoding {
    /// The same text with what is not ASCII encoded. Escapes stay as they are written: `%AF` is not `%af` to Apple's devices.
    static func encoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte >= 0x80 {
                result += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// With each valid escape replaced by its byte.
    static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let escape = Array(bytes[index...].prefix(3))
            if escape.count == 3, escape[0] == UInt8(ascii: "%"), let high = value(escape[1]),
                let low = value(escape[2])
            {
                result.append(high << 4 | low)
                index = bytes.index(index, offsetBy: 3)
            } else {
                result.append(bytes[index])
                index = bytes.index(after: index)
            }
        }
        return result
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    static func isHexDigit(_ byte: UInt8) -> Bool { value(byte) != nil }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
