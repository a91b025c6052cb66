public import Foundation

/// Where it is (P-18).
extension CSSearchableItemAttributeSet {
    /// Its description in one line.
    public var headline: String? {
        get { store.string("headline") }
        set { store.set("headline", newValue) }
    }

    /// How to use or get to it.
    public var instructions: String? {
        get { store.string("instructions") }
        set { store.set("instructions", newValue) }
    }

    /// The name of the place, which every use of a place needs (P-20).
    public var namedLocation: String? {
        get { store.string("namedLocation") }
        set { store.set("namedLocation", newValue) }
    }

    /// The street.
    public var thoroughfare: String? {
        get { store.string("thoroughfare") }
        set { store.set("thoroughfare", newValue) }
    }

    /// The number in the street.
    public var subThoroughfare: String? {
        get { store.string("subThoroughfare") }
        set { store.set("subThoroughfare", newValue) }
    }

    /// The postal code.
    public var postalCode: String? {
        get { store.string("postalCode") }
        set { store.set("postalCode", newValue) }
    }

    /// The city.
    public var city: String? {
        get { store.string("city") }
        set { store.set("city", newValue) }
    }

    /// The state or province.
    public var stateOrProvince: String? {
        get { store.string("stateOrProvince") }
        set { store.set("stateOrProvince", newValue) }
    }

    /// The country.
    public var country: String? {
        get { store.string("country") }
        set { store.set("country", newValue) }
    }

    /// The whole address, as it is written on letters.
    public var fullyFormattedAddress: String? {
        get { store.string("fullyFormattedAddress") }
        set { store.set("fullyFormattedAddress", newValue) }
    }

    /// Metres above the sea.
    public var altitude: NSNumber? {
        get { store.number("altitude") }
        set { store.set("altitude", newValue) }
    }

    /// Degrees north of the equator (WGS 84).
    public var latitude: NSNumber? {
        get { store.number("latitude") }
        set { store.set("latitude", newValue) }
    }

    /// Degrees east of Greenwich (WGS 84).
    public var longitude: NSNumber? {
        get { store.number("longitude") }
        set { store.set("longitude", newValue) }
    }

    /// Kilometres per hour.
    public var speed: NSNumber? {
        get { store.number("speed") }
        set { store.set("speed", newValue) }
    }

    /// When it was there.
    public var timestamp: Date? {
        get { store.date("timestamp") }
        set { store.set("timestamp", newValue) }
    }

    /// To where the camera looked, in degrees from north.
    public var imageDirection: NSNumber? {
        get { store.number("imageDirection") }
        set { store.set("imageDirection", newValue) }
    }
}
