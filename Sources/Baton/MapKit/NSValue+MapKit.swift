public import Foundation

/// Coordinates as objects, which options of ``MKMapItem/openInMaps(launchOptions:)`` hold. MapKit's.
//
// They are kept as points and sizes, since Foundation on Linux keeps no other structures of two numbers.
extension NSValue {
    /// A coordinate.
    public convenience init(mkCoordinate coordinate: CLLocationCoordinate2D) {
        self.init(point: NSPoint(x: coordinate.longitude, y: coordinate.latitude))
    }

    /// The coordinate of ``init(mkCoordinate:)``.
    public var mkCoordinateValue: CLLocationCoordinate2D {
        CLLocationCoordinate2D(latitude: pointValue.y, longitude: pointValue.x)
    }

    /// A span.
    public convenience init(mkCoordinateSpan span: MKCoordinateSpan) {
        self.init(size: NSSize(width: span.longitudeDelta, height: span.latitudeDelta))
    }

    /// The span of ``init(mkCoordinateSpan:)``.
    public var mkCoordinateSpanValue: MKCoordinateSpan {
        MKCoordinateSpan(latitudeDelta: sizeValue.height, longitudeDelta: sizeValue.width)
    }
}
