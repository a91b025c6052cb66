/// A question about places: a pure value.
package struct GeocodeQuery: Sendable, Hashable {
    /// The parts of a postal address, empty where they are not known.
    package struct Address: Sendable, Hashable {
        package var name = ""
        package var street = ""
        package var city = ""
        package var state = ""
        package var postalCode = ""
        package var country = ""
        package var countryCode = ""

        package init() {}

        /// By the names that placemarks and postal addresses have in the app library.
        package init(texts: [String: String]) {
            func first(_ names: String...) -> String {
                names.lazy.compactMap { texts[$0] }.first { !$0.isEmpty } ?? ""
            }
            name = first("name")
            street = first("street")
            if street.isEmpty {
                street = [first("subThoroughfare"), first("thoroughfare")].filter { !$0.isEmpty }.joined(separator: " ")
            }
            city = first("city", "locality")
            state = first("state", "administrativeArea")
            postalCode = first("postalCode")
            country = first("country")
            countryCode = first("isoCountryCode")
        }

        /// On one line.
        package var text: String {
            let region = [state, postalCode].filter { !$0.isEmpty }.joined(separator: " ")
            return [street, city, region, country.isEmpty ? countryCode : country]
                .filter { !$0.isEmpty }.joined(separator: ", ")
        }
    }

    package enum Subject: Sendable, Hashable {
        case text(String)
        case address(Address)
        case point(GeoPoint)
        case kind(Kind)
    }

    /// Points of interest of one kind in an area.
    package struct Kind: Sendable, Hashable {
        /// A tag of OpenStreetMap, as in `amenity=cafe`.
        package var tag: String
        package var southWest: GeoPoint
        package var northEast: GeoPoint

        /// Nil for what is no tag or no area.
        package init?(tag: String, southWest: GeoPoint, northEast: GeoPoint) {
            guard Self.isTag(tag), southWest.latitude < northEast.latitude, southWest.longitude < northEast.longitude
            else { return nil }
            self.tag = tag
            self.southWest = southWest
            self.northEast = northEast
        }

        /// Small letters and underscores on both sides of one equals sign.
        static func isTag(_ text: String) -> Bool {
            let parts = text.utf8.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
            return text.utf8.count <= 64 && parts.count == 2
                && parts.allSatisfy { part in
                    !part.isEmpty
                        && part.allSatisfy {
                            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
                        }
                }
        }
    }

    package enum Purpose: Sendable, Hashable {
        /// The coordinate of an address, or the address of a coordinate.
        case geocode
        /// Places with a name.
        case search
        /// While text is typed. No server is ever asked.
        case complete
    }

    package var subject: Subject
    package var purpose: Purpose
    /// Nearer results go first.
    package var near: GeoPoint?
    /// The language of answers, as in `de`; empty for the places' own.
    package var language = ""
    package var limit = 5

    package init(_ subject: Subject, purpose: Purpose = .geocode) {
        self.subject = subject
        self.purpose = purpose
    }

    /// More than this is no address.
    package static let maximumBytes = 1024
    package static let maximumResults = 20
}

/// The answer to a query.
package struct GeocodeAnswer: Sendable, Hashable {
    /// The best first.
    package var places: [FoundPlace] = []
    /// An address was asked for, and `places` are only the towns that it may be in.
    package var isPartial = false

    package init(places: [FoundPlace] = [], isPartial: Bool = false) {
        self.places = places
        self.isPartial = isPartial
    }
}
