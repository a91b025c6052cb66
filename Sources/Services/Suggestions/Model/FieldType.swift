import WebMarkup

/// The content type of a text field, as far as a place can fill it.
package struct FieldType: Sendable, Equatable {
    package let name: String
    private let text: @Sendable (Place) -> String?

    /// The text of a place for such a field; nil where it has none.
    package func text(of place: KnownPlace) -> String? {
        if name == "telephoneNumber", !place.supportsPhoneCall { return nil }
        return text(place.place)
    }

    private init(_ name: String, _ text: @escaping @Sendable (Place) -> String?) {
        self.name = name
        self.text = text
    }

    package static func == (one: Self, other: Self) -> Bool { one.name == other.name }

    /// By Apple's names of `UITextContentType`.
    package static let all: [FieldType] = [
        FieldType("fullStreetAddress") { $0.hasAddress ? $0.addressLine : nil },
        FieldType("streetAddressLine1") { $0.street },
        FieldType("addressCity") { $0.locality },
        FieldType("addressState") { $0.region },
        FieldType("addressCityAndState") { place in
            // Berlin is in Berlin.
            place.locality.map { city in
                place.region.flatMap { $0.lowercased() == city.lowercased() ? nil : "\(city), \($0)" } ?? city
            }
        },
        FieldType("postalCode") { $0.postalCode },
        FieldType("countryName") { $0.country },
        FieldType("location") { place in
            [place.name, place.hasAddress ? place.addressLine : nil].compactMap { $0 }.joined(separator: ", ")
        },
        FieldType("telephoneNumber") { $0.telephone },
        FieldType("organizationName") { $0.name },
        FieldType("URL") { $0.address },
    ]

    /// A type by its name, or by the token that web pages use for it (`autocomplete`), which is Apple's raw value too; nil
    /// for a type that no place can fill.
    package static func named(_ name: String) -> FieldType? {
        let name = tokens[name.lowercased()] ?? name
        return all.first { $0.name.lowercased() == name.lowercased() }
    }

    private static let tokens = [
        "street-address": "fullStreetAddress", "address-line1": "streetAddressLine1",
        "address-level2": "addressCity", "address-level1": "addressState", "address-level1+2": "addressCityAndState",
        "postal-code": "postalCode", "country-name": "countryName", "tel": "telephoneNumber",
        "organization": "organizationName", "organization-name": "organizationName",
    ]
}
