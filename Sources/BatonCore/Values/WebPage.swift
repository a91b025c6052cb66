import Foundation

/// The address of a page that one device may hand to another, for its browser or for an app that claims the page's site.
///
/// `http` or `https` (H-96) with a host, in ASCII: what is not is percent-encoded, and a host in other letters becomes its
/// `xn--` form, so that it reads the same to everybody. Control characters and backslashes, which programs read
/// differently, are refused; so are names and passwords, which are not for other devices, and pass one site off as another.
package struct WebPage: Hashable, Sendable, CustomStringConvertible {
    /// In bytes.
    package static let maximumLength = 8192

    package let text: String
    package var description: String { text }

    /// - Throws: `invalid_argument` with reason `invalid_page_url`, and what to do. The sentence repeats nothing of the
    ///   address but its scheme, since it may end up in a log.
    package init(_ text: String) throws(BatonError) {
        let length = text.utf8.count
        guard length <= Self.maximumLength else {
            throw Self.refused("The page's address has \(length) bytes; at most \(Self.maximumLength) can be carried.")
        }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            throw Self.refused(
                "The page's address has a space, a control character or a backslash. Percent-encode it.")
        }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else {
            throw Self.refused("That is not the address of a web page. It begins with https:// or http://.")
        }
        guard ["http", "https"].contains(scheme) else {
            throw Self.refused(
                "Only pages of http and https can be opened on other devices, and this is one of “\(scheme.prefix(40))”."
            )
        }
        let address = url.absoluteString
        guard address.utf8.count <= Self.maximumLength, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let start = address.range(of: "://")?.upperBound, url.host?.isEmpty == false
        else { throw Self.refused("The page's address names no site.") }
        guard !address[start...].prefix(while: { !"/?#".contains($0) }).contains("@") else {
            throw Self.refused(
                "The page's address holds a user's name or password, which must not be sent to other devices. Remove it."
            )
        }
        self.text = address
    }

    private static func refused(_ message: String) -> BatonError {
        BatonError(.invalidArgument, reason: "invalid_page_url", message)
    }
}
