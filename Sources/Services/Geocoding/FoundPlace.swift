package import BatonCore

/// A point of the earth, in degrees (WGS 84).
package struct GeoPoint: Sendable, Hashable, Codable {
    package var latitude: Double
    package var longitude: Double

    /// Nil for what is not on the earth.
    package init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A place that was found, by the names that placemarks have in the app library.
package struct FoundPlace: Sendable, Hashable, Codable {
    /// The source that knows it.
    package enum Source: String, Sendable, Codable, CaseIterable {
        case known
        case geocoder
        case gazetteer
    }

    package var source: Source
    /// Texts under `name`, `thoroughfare`, `subThoroughfare`, `subLocality`, `locality`, `subAdministrativeArea`,
    /// `administrativeArea`, `postalCode`, `country`, `isoCountryCode`, `timeZone`, `phoneNumber` and `url`; a tag of
    /// OpenStreetMap under `kind`.
    package var texts: [String: String]
    package var point: GeoPoint?
    /// Within how many metres the point is right.
    package var accuracy: Double

    package init(source: Source, texts: [String: String], point: GeoPoint?, accuracy: Double) {
        self.source = source
        self.texts = texts.filter { !$0.value.isEmpty }
        self.point = point
        self.accuracy = accuracy
    }

    /// Whether it is as exact as a street, or more.
    package var hasStreet: Bool { texts["thoroughfare"] != nil || texts["street"] != nil }

    /// The values of a placemark in the app library.
    package var attributes: [String: PropertyValue] {
        var attributes = texts.mapValues(PropertyValue.string)
        if let point {
            attributes["latitude"] = .real(point.latitude)
            attributes["longitude"] = .real(point.longitude)
            attributes["horizontalAccuracy"] = .real(accuracy)
        }
        return attributes
    }
}
