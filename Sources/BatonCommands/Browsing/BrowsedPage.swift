package import BatonCore

/// A page that a person is on, as a browser publishes it: its address, and its title within the daemon's bound.
package struct BrowsedPage: Sendable, Hashable {
    /// Bytes; the daemon's own bound.
    package static let maximumTitle = 1024

    package let address: WebPage
    package let title: String?
    package var url: String { address.text }

    /// - Parameter title: shortened when it is too long; an empty one counts as none.
    /// - Throws: `invalid_argument` with reason `invalid_page_url`.
    package init(url: String, title: String?) throws(BatonError) {
        address = try WebPage(url)
        self.title = title.flatMap { $0.isEmpty ? nil : Self.shortened($0) }
    }

    /// As a person types it into a browser: `swift.org` is a page of https.
    package static func completed(_ text: String) -> String {
        let host = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !text.contains("://"), !host.contains("@") else { return text }
        // A port is digits; anything else before a colon is another scheme.
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        let isHost = parts.count == 1 || parts.count == 2 && !parts[1].isEmpty && parts[1].allSatisfy(\.isNumber)
        guard isHost, let name = parts.first, name.contains(".") || name == "localhost" else { return text }
        return "https://\(text)"
    }

    /// Whole characters only.
    private static func shortened(_ title: String) -> String {
        guard title.utf8.count > maximumTitle else { return title }
        var bytes = "…".utf8.count
        let kept = title.prefix { character in
            bytes += character.utf8.count
            return bytes <= maximumTitle
        }
        return kept + "…"
    }
}
