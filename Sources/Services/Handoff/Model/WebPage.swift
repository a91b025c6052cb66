package import BatonCore
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

    /// - Throws: `invalid_argument` with reason `invalid_page`, and what is wrong.
    package init(_ text: String) throws(BatonError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw Self.refused("It has more than \(Self.maximumLength) bytes.")
        }
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            throw Self.refused("It has a space, a control character or a backslash.")
        }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw Self.refused("It is no http or https address.")
        }
        let address = url.absoluteString
        guard address.utf8.count <= Self.maximumLength, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let start = address.range(of: "://")?.upperBound, url.host?.isEmpty == false
        else { throw Self.refused("It names no site.") }
        guard !address[start...].prefix(while: { !"/?#".contains($0) }).contains("@") else {
            throw Self.refused("It has a name or a password in it.")
        }
        self.text = address
    }

    private static func refused(_ why: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "invalid_page",
            "The webpageURL cannot be opened on another device. \(why)")
    }
}
