package import WebMarkup

/// A place that a person looked at, with everything that says so.
package struct KnownPlace: Sendable, Equatable {
    /// Names it until the daemon ends, and nothing after that.
    package let id: UInt64
    package var place: Place
    /// The newest last.
    package var evidence: [PlaceEvidence]

    package init(id: UInt64, place: Place, evidence: [PlaceEvidence]) {
        self.id = id
        self.place = place
        self.evidence = evidence
    }

    package var lastSeen: UInt64 { evidence.map(\.lastSeen).max() ?? 0 }
    package var views: Int { evidence.reduce(0) { $0 + $1.views } }
    /// The newest.
    package var source: PlaceEvidence? { evidence.max { $0.lastSeen < $1.lastSeen } }

    /// Whether one may be led there: unless every app that showed it says otherwise.
    package var supportsNavigation: Bool { evidence.contains { $0.supportsNavigation != false } }
    package var supportsPhoneCall: Bool { evidence.contains { $0.supportsPhoneCall != false } }

    /// Why it is no suggestion (P-20, P-22); nil where it is one.
    package var obstacle: String? {
        guard place.name != nil else {
            return "It has no name (namedLocation), which every suggestion needs."
        }
        guard place.hasAddress || place.coordinate != nil else {
            return "It has neither an address nor a coordinate, so there are no directions to it."
        }
        return nil
    }

    /// Parts that look wrong, and are shown as they were given.
    package var warnings: [String] {
        var warnings = place.remarks
        if let coordinate = place.coordinate, coordinate.longitude > 0, isInTheUnitedStates {
            warnings.append(
                "Its longitude, \(coordinate.longitude), is east of Greenwich, and its address is in the United States. "
                    + "It is used as it was given; a minus sign may be missing.")
        }
        return warnings
    }

    private var isInTheUnitedStates: Bool {
        if let country = place.country {
            return ["us", "usa", "united states", "united states of america"].contains(country.lowercased())
        }
        return place.region.map { Self.states.contains($0.uppercased()) } ?? false
    }

    /// Those that lie west of Greenwich, which is all but some islands.
    private static let states = Set(
        """
        AL AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC
        SD TN TX UT VT VA WA WV WI WY DC
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
