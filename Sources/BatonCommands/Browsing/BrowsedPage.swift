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
