public import Foundation

/// How an address is written. Contacts'.
public enum CNPostalAddressFormatterStyle: Int, Sendable {
    /// As on a letter.
    case mailingAddress = 0
}

/// Writes addresses as on letters. Contacts'.
///
/// The code goes before the city in countries of Europe and others that write it so, and after the city and state elsewhere.
open class CNPostalAddressFormatter: NSObject {
    /// How this object writes addresses.
    open var style: CNPostalAddressFormatterStyle = .mailingAddress

    /// The address, its lines parted by line feeds.
    open class func string(
        from postalAddress: CNPostalAddress, style: CNPostalAddressFormatterStyle
    ) -> String {
        lines(of: postalAddress).joined(separator: "\n")
    }

    /// The address, its lines parted by line feeds.
    open func string(from postalAddress: CNPostalAddress) -> String { Self.string(from: postalAddress, style: style) }

    /// Where the postal code stands before the city.
    private static let codeFirst: Set<String> = [
        "at", "be", "bg", "ch", "cz", "de", "dk", "ee", "es", "fi", "fr", "gr", "hr", "hu", "il", "is", "it", "li",
        "lt", "lu",
        "mc", "mx", "nl", "no", "pl", "pt", "ro", "rs", "se", "si", "sk", "sm", "tr", "va",
    ]

    static func lines(of address: CNPostalAddress) -> [String] {
        let city: String
        if codeFirst.contains(address.isoCountryCode.lowercased()) {
            city = [address.postalCode, address.city].joined(spacing: " ")
        } else {
            let region = [address.state, address.postalCode].joined(spacing: " ")
            city = [address.city, region].joined(spacing: address.state.isEmpty ? " " : ", ")
        }
        let street = address.street.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return (street + [address.subLocality, city, address.country]).filter { !$0.isEmpty }
    }
}

extension [String] {
    /// Without the empty ones.
    fileprivate func joined(spacing: String) -> String { filter { !$0.isEmpty }.joined(separator: spacing) }
}
