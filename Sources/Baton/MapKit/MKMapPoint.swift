import Foundation

/// A point on the flat map: Mercator's projection of the earth, as a square. MapKit's.
///
/// `x` grows to the east from 180 degrees west, `y` to the south. Both are ``MKMapSize/world`` at most. Save coordinates, not points.
///
/// Apple: <https://developer.apple.com/documentation/mapkit/mkmappoint>
public struct MKMapPoint: Sendable, Hashable {
    /// From the western edge of the map.
    public var x: Double
    /// From the northern edge of the map.
    public var y: Double

    /// The north-western corner of the map.
    public init() { self.init(x: 0, y: 0) }

    /// A point by its distances from the edges. Nothing is checked.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Where a coordinate is on the map. The map ends at 85.05 degrees of latitude: what lies beyond is on its edge. An invalid coordinate
    /// is the point (-1, -1), which is not on the map.
    public init(_ coordinate: CLLocationCoordinate2D) {
        guard CLLocationCoordinate2DIsValid(coordinate) else {
            self.init(x: -1, y: -1)
            return
        }
        let world = MKMapSize.world
        // At the edge exactly, whatever the functions round to.
        let north =
            switch coordinate.latitude {
            case Self.lastLatitude...: 0.0
            case ...(-Self.lastLatitude): 1.0
            case let latitude: (1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2
            }
        self.init(x: (coordinate.longitude + 180) / 360 * world.width, y: max(0, min(1, north)) * world.height)
    }

    /// The coordinate there; ``kCLLocationCoordinate2DInvalid`` for a point that is not on the map.
    public var coordinate: CLLocationCoordinate2D {
        let world = MKMapSize.world
        guard (0...world.width).contains(x), (0...world.height).contains(y) else {
            return kCLLocationCoordinate2DInvalid
        }
        return CLLocationCoordinate2D(
            latitude: atan(sinh(.pi * (1 - 2 * y / world.height))) * 180 / .pi, longitude: x / world.width * 360 - 180)
    }

    /// Metres to another point, along the surface of the earth: see ``CLLocation/distance(from:)``.
    public func distance(to point: MKMapPoint) -> CLLocationDistance { coordinate.distance(to: point.coordinate) }

    /// The map is a square because it ends here.
    static let lastLatitude = atan(sinh(Double.pi)) * 180 / .pi
}

/// A width and a height on the flat map. MapKit's.
public struct MKMapSize: Sendable, Hashable {
    /// From west to east.
    public var width: Double
    /// From north to south.
    public var height: Double

    /// Nothing.
    public init() { self.init(width: 0, height: 0) }

    /// A width and a height.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The whole map: 2^28 points in both directions, as at Apple.
    public static let world = MKMapSize(width: 268_435_456, height: 268_435_456)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How many points of the map a metre is, at a latitude. At more than 85.05 degrees, it is as many as at the edge of the map.
public func MKMapPointsPerMeterAtLatitude(_ latitude: CLLocationDegrees) -> Double {
    let latitude = max(-MKMapPoint.lastLatitude, min(MKMapPoint.lastLatitude, latitude))
    return MKMapSize.world.width / (2 * .pi * CLLocationCoordinate2D.earthRadius * cos(latitude * .pi / 180))
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How many metres a point of the map is, at a latitude.
public func MKMetersPerMapPointAtLatitude(_ latitude: CLLocationDegrees) -> CLLocationDistance {
    1 / MKMapPointsPerMeterAtLatitude(latitude)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether two points are the same.
public func MKMapPointEqualToPoint(_ point1: MKMapPoint, _ point2: MKMapPoint) -> Bool { point1 == point2 }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether two sizes are the same.
public func MKMapSizeEqualToSize(_ size1: MKMapSize, _ size2: MKMapSize) -> Bool { size1 == size2 }
