import BatonCore
package import BatonWire

/// A place that a field of a page is offered. The extension shows it, and gives the page only what the person takes.
package struct FormSuggestion: Sendable, Equatable {
    package var place: Baton_Control_V1_PlaceSuggestion

    package init(_ place: Baton_Control_V1_PlaceSuggestion) { self.place = place }

    /// At most this many for a field.
    static let limit: UInt32 = 3
    /// Bytes of a field's name that are looked at; the longest of `autocomplete` has 20.
    static let maximumField = 64

    package var json: JSONValue {
        [
            "text": .string(place.text), "name": .init(nonEmpty: place.name), "address": .init(nonEmpty: place.address),
            "street": .init(nonEmpty: place.street), "locality": .init(nonEmpty: place.locality),
            "region": .init(nonEmpty: place.region), "postalCode": .init(nonEmpty: place.postalCode),
            "country": .init(nonEmpty: place.country), "telephone": .init(nonEmpty: place.telephone),
            "url": .init(nonEmpty: place.url), "source": .init(nonEmpty: place.sources.first?.name ?? ""),
        ]
    }
}
