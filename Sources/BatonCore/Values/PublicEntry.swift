import Foundation

/// A page that an app offers to everybody (H-37), as a public index may have it: no query, no fragment, and no address that leads into
/// a person's own network. A value; the device and the cloud hold to the same rules.
package struct PublicEntry: Sendable, Hashable, Codable {
    package static let maximumAddress = 1024
    package static let maximumTitle = 256
    /// Policy: further ones are left out.
    package static let maximumKeywords = 16
    package static let maximumKeyword = 64

    package let url: String
    package let title: String
    package let keywords: [String]

    /// Nil for a private address, or no page.
    package init?(url text: String, title: String, keywords: [String] = []) {
        guard let page = try? WebPage(text), let url = Self.bare(page) else { return nil }
        let title = Self.clean(title, Self.maximumTitle)
        guard !title.isEmpty else { return nil }
        self.url = url
        self.title = title
        var kept: [String] = []
        for keyword in keywords.prefix(64) {
            let keyword = Self.clean(keyword, Self.maximumKeyword).lowercased()
            if !keyword.isEmpty, !kept.contains(keyword) { kept.append(keyword) }
        }
        self.keywords = kept.prefix(Self.maximumKeywords).sorted()
    }

    private static func clean(_ text: String, _ limit: Int) -> String {
        let line = text.shownLine(toBytes: limit)
        return line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Without query, fragment and parameters of the path; nil for a host that is not in the public name space. Hosts that are numbers name no site.
    private static func bare(_ page: WebPage) -> String? {
        let text = page.text.prefix { $0 != "?" && $0 != "#" && $0 != ";" }
        guard let start = text.range(of: "://")?.upperBound else { return nil }
        let authority = text[start...].prefix { $0 != "/" }
        let host = authority.lowercased()
        guard isPublic(host), !page.isLoopback else { return nil }
        let path = text[start...].dropFirst(authority.count)
        let url = text[..<start].lowercased() + host + (path.isEmpty ? "/" : path)
        return url.utf8.count <= maximumAddress ? url : nil
    }

    /// Endings of names that are of one network alone, or of none: RFC 6761, 6762, 8375, 9476, and what routers use.
    private static let privateEndings: Set<String> = [
        "localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan", "arpa", "test",
        "example", "invalid", "onion", "alt", "box",
    ]

    private static func isPublic(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, host.utf8.count <= 253, let last = labels.last, !privateEndings.contains(String(last))
        else { return false }
        // No port, no bracket, nothing percent-encoded, and no number in the place of a domain.
        guard last.contains(where: \.isLetter), !WebPage.isNumber(last) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
                }
        }
    }
}
