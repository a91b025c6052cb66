/// Knows the places that the person has just looked at.
package protocol KnownPlaces: Sendable {
    /// All of them, the latest first; a few hundred at most.
    func places() async -> [FoundPlace]
}

/// None is known.
package struct NoKnownPlaces: KnownPlaces {
    package init() {}
    package func places() async -> [FoundPlace] { [] }
}

/// Which of the known places a query means: a pure function.
enum KnownPlaceMatch {
    /// Within so many metres a coordinate is the place's own.
    private static let exactness = 10.0

    /// An app that names the place, its whole address or its coordinate gets it. One that does not know of it cannot list what is known: a
    /// fragment that is typed finds only names, by three letters or more.
    static func places(_ known: [FoundPlace], for query: GeocodeQuery) -> [FoundPlace] {
        Array(known.lazy.filter { matches($0, query) }.prefix(query.limit))
    }

    private static func matches(_ place: FoundPlace, _ query: GeocodeQuery) -> Bool {
        guard let point = place.point else { return false }
        let name = PlaceWords.fold(place.texts["name"] ?? "")
        let address = GeocodeQuery.Address(texts: place.texts)
        switch query.subject {
        case .kind:
            // The app that asks does not know of the place.
            return false
        case .point(let other):
            return place.hasStreet && point.distance(to: other) <= exactness
        case .address(let other):
            return !other.street.isEmpty && PlaceWords.fold(other.street) == PlaceWords.fold(address.street)
                && PlaceWords.fold(other.city) == PlaceWords.fold(address.city)
        case .text(let text) where query.purpose == .complete:
            let words = PlaceWords.fold(text)
            return words.utf8.count >= 3 && (name.hasPrefix(words) || name.contains(" " + words))
        case .text(let text):
            let words = PlaceWords.fold(text)
            guard !words.isEmpty else { return false }
            if !name.isEmpty, words == name || words == PlaceWords.fold("\(name) \(address.city)") { return true }
            guard !address.street.isEmpty, !address.city.isEmpty else { return false }
            let street = PlaceWords.fold("\(address.street) \(address.city)")
            return words == street || words == PlaceWords.fold(address.text)
                || words.hasPrefix(street + " ") && PlaceWords.fold(address.text).hasPrefix(words)
        }
    }
}
