package import BatonCore
import Files

/// A link that a sender offers: an element of `Items` of `/Ask`. Nothing is uploaded for it. Which schemes may be opened
/// is the receiver's decision.
package struct OfferedLink: Hashable, Sendable {
    /// Printable ASCII, with a scheme.
    package let text: String
    package let scheme: URLScheme

    /// - Throws: `airdrop_invalid_link`.
    package init(_ text: String) throws(BatonError) {
        guard text.utf8.count <= AirDropLimits.linkSize, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let scheme = URLScheme(ofURL: text), text.utf8.count > scheme.rawValue.utf8.count + 1
        else {
            throw BatonError(
                .invalidArgument, reason: "airdrop_invalid_link",
                "“\(SafeName.display(text))” is not a link. Percent-encode what is not ASCII, and begin with a scheme, as in "
                    + "https://example.com.")
        }
        self.text = text
        self.scheme = scheme
    }
}
