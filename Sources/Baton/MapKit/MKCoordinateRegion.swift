import Foundation

/// How far an area goes, in degrees. MapKit's.
public struct MKCoordinateSpan: Sendable, Hashable {
    /// From north to south.
    public var latitudeDelta: CLLocationDegrees
    /// From west to east.
    public var longitudeDelta: CLLocationDegrees

    /// Nothing.
    public init() { self.init(latitudeDelta: 0, longitudeDelta: 0) }

    /// An extent.
    public init(latitudeDelta: CLLocationDegrees, longitudeDelta: CLLocationDegrees) {
        self.latitudeDelta = latitudeDelta
        self.longitudeDelta = longitudeDelta
    }
}

/// An area around a point. MapKit's.
public struct MKCoordinateRegion: Sendable, Hashable {
    /// The point in the middle.
    public var center: CLLocationCoordinate2D
    /// How far it goes.
    public var span: MKCoordinateSpan

    /// Nothing, where the equator meets the meridian of Greenwich.
    public init() { self.init(center: CLLocationCoordinate2D(), span: MKCoordinateSpan()) }

    /// An area in degrees.
    public init(center: CLLocationCoordinate2D, span: MKCoordinateSpan) {
        self.center = center
        self.span = span
    }

    /// An area in metres.
    public init(
        center: CLLocationCoordinate2D, latitudinalMeters: CLLocationDistance, longitudinalMeters: CLLocationDistance
    ) {
        let degree = 111_195.0
        let narrowing = max(0.01, cos(center.latitude * .pi / 180))
        self.init(
            center: center,
            span: MKCoordinateSpan(
                latitudeDelta: min(180, latitudinalMeters / degree),
                longitudeDelta: min(360, longitudinalMeters / (degree * narrowing))))
    }

    /// The world, the region of a search without limits.
    static let world = MKCoordinateRegion(
        center: CLLocationCoordinate2D(), span: MKCoordinateSpan(latitudeDelta: 180, longitudeDelta: 360))

    /// Around all of the points; nil for none.
    init?(around points: [CLLocationCoordinate2D]) {
        guard let first = points.first else { return nil }
        var (low, high) = (first, first)
        for point in points {
            low.latitude = min(low.latitude, point.latitude)
            low.longitude = min(low.longitude, point.longitude)
            high.latitude = max(high.latitude, point.latitude)
            high.longitude = max(high.longitude, point.longitude)
        }
        self.init(
            center: CLLocationCoordinate2D(
                latitude: (low.latitude + high.latitude) / 2, longitude: (low.longitude + high.longitude) / 2),
            span: MKCoordinateSpan(
                latitudeDelta: high.latitude - low.latitude, longitudeDelta: high.longitude - low.longitude))
    }

    /// The point that answers are to be near; nil for the whole world.
    var focus: CLLocationCoordinate2D? {
        span.latitudeDelta < 90 && CLLocationCoordinate2DIsValid(center) ? center : nil
    }

    /// The south-west and the north-east corner, on the earth: an area across the date line ends there.
    var corners: (CLLocationCoordinate2D, CLLocationCoordinate2D) {
        let (height, width) = (span.latitudeDelta / 2, span.longitudeDelta / 2)
        return (
            CLLocationCoordinate2D(
                latitude: max(-90, center.latitude - height), longitude: max(-180, center.longitude - width)),
            CLLocationCoordinate2D(
                latitude: min(90, center.latitude + height), longitude: min(180, center.longitude + width))
        )
    }

    /// Whether a point lies within it. One of no extent has none in it.
    func contains(_ point: CLLocationCoordinate2D) -> Bool {
        abs(point.latitude - center.latitude) <= span.latitudeDelta / 2
            && abs(point.longitude - center.longitude) <= span.longitudeDelta / 2
    }
}
