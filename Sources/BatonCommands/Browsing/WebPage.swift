package import BatonCore
import Foundation

/// A page of the web as a browser can publish it: within the bounds that the daemon sets.
package struct WebPage: Sendable, Hashable {
    /// Bytes; the daemon's own bounds.
    package static let maximumURL = 8192
    package static let maximumTitle = 1024

    package let url: String
    package let title: String?

    /// - Parameter title: shortened when it is too long; an empty one counts as none.
    /// - Throws: `invalid_argument` with reason `invalid_page_url`.
    package init(url: String, title: String?) throws(BatonError) {
        if let problem = Self.problem(url) {
            throw BatonError(.invalidArgument, reason: "invalid_page_url", problem)
        }
        self.url = url
        self.title = title.flatMap { $0.isEmpty ? nil : Self.shortened($0) }
    }

    /// Why a page cannot be published; nil when it can.
    private static func problem(_ text: String) -> String? {
        let shown = text.prefix(200)
        guard text.utf8.count <= maximumURL else {
            return "The page's address has \(text.utf8.count) bytes; at most \(maximumURL) can be carried."
        }
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value) && $0 != "\\"
        }
        guard isPlain else {
            return "The address “\(shown)” has a space, a control character or a backslash. Percent-encode it."
        }
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased() else {
            return "“\(shown)” is not the address of a web page. It begins with https:// or http://."
        }
        guard ["http", "https"].contains(scheme) else {
            return "Only pages of http and https can be continued elsewhere, and this is one of “\(scheme.prefix(40))”."
        }
        guard url.host?.isEmpty == false else {
            return "The address “\(shown)” names no server."
        }
        guard url.user == nil, url.password == nil else {
            return "The address holds a user's name or password, which other devices must not be told. Remove it."
        }
        return nil
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
