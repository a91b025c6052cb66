/// Degrees of latitude or longitude. CoreLocation's.
public typealias CLLocationDegrees = Double

/// A point on the earth (WGS 84). CoreLocation's.
public struct CLLocationCoordinate2D: Sendable, Hashable {
    /// North of the equator.
    public var latitude: CLLocationDegrees
    /// East of Greenwich.
    public var longitude: CLLocationDegrees

    /// Where the equator meets the meridian of Greenwich: Apple's value, too, of a coordinate that was not set.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// A point. Nothing is checked: see ``CLLocationCoordinate2DIsValid(_:)``.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A point. Nothing is checked.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the latitude lies within 90 degrees and the longitude within 180.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
