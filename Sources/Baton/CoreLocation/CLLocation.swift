import BatonCore
public import Foundation

/// A distance in metres. CoreLocation's.
public typealias CLLocationDistance = Double
/// Metres within which something is right; negative if it is not known. CoreLocation's.
public typealias CLLocationAccuracy = Double
/// Metres per second. CoreLocation's.
public typealias CLLocationSpeed = Double
/// Metres per second within which a speed is right; negative if that is not known. CoreLocation's.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees within which a direction is right; negative if that is not known. CoreLocation's.
public typealias CLLocationDirectionAccuracy = Double
/// Degrees from north, clockwise. CoreLocation's.
public typealias CLLocationDirection = Double

/// Where something is, how exactly that is known, and when it was. CoreLocation's.
///
/// ``horizontalAccuracy`` is where a geocoder says how exact it was: a town is right within thousands of metres.
public final class CLLocation: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// Where.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above the sea.
    public let altitude: CLLocationDistance
    /// Within how many metres the coordinate is right; negative if the coordinate is invalid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// Within how many metres the altitude is right; negative if it is not known.
    public let verticalAccuracy: CLLocationAccuracy
    /// To where it moves; negative if that is not known.
    public let course: CLLocationDirection
    /// Within how many degrees the course is right; negative if that is not known. The desktop's service does not say.
    public let courseAccuracy: CLLocationDirectionAccuracy
    /// How fast it moves; negative if that is not known.
    public let speed: CLLocationSpeed
    /// Within how many metres per second the speed is right; negative if that is not known. The desktop's service does not say.
    public let speedAccuracy: CLLocationSpeedAccuracy
    /// When it was there.
    public let timestamp: Date

    /// A point, as exact as its numbers.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// A point that does not move.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// A point that moves.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1,
            timestamp: timestamp)
    }

    /// A point that moves, and how exactly it is known how.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
        super.init()
    }

    /// Metres to another point along the surface of the earth, taken for a sphere: right within half a percent.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        coordinate.distance(to: location.coordinate)
    }

    // MARK: Copies and archives

    /// A location does not change, so this is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    private var values: [String: PropertyValue] {
        [
            "latitude": .real(coordinate.latitude), "longitude": .real(coordinate.longitude),
            "altitude": .real(altitude), "horizontalAccuracy": .real(horizontalAccuracy),
            "verticalAccuracy": .real(verticalAccuracy), "course": .real(course), "speed": .real(speed),
            "courseAccuracy": .real(courseAccuracy), "speedAccuracy": .real(speedAccuracy),
            "timestamp": .date(timestamp),
        ]
    }

    /// Writes everything, in an archive of Baton's own.
    public func encode(with coder: NSCoder) { AttributeArchive.encode(values, with: coder) }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public convenience init?(coder: NSCoder) {
        guard let values = AttributeArchive.decode(coder) else { return nil }
        let store = AttributeStore(values)
        guard let latitude = store.real("latitude"), let longitude = store.real("longitude") else { return nil }
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: store.real("altitude") ?? 0, horizontalAccuracy: store.real("horizontalAccuracy") ?? -1,
            verticalAccuracy: store.real("verticalAccuracy") ?? -1, course: store.real("course") ?? -1,
            courseAccuracy: store.real("courseAccuracy") ?? -1, speed: store.real("speed") ?? -1,
            speedAccuracy: store.real("speedAccuracy") ?? -1,
            timestamp: store.date("timestamp") ?? Date(timeIntervalSinceReferenceDate: 0))
    }

    /// Locations are equal if they say the same.
    public override func isEqual(_ object: Any?) -> Bool { (object as? CLLocation)?.values == values }

    /// Equal locations have it in common.
    public override var hash: Int { coordinate.hashValue }
}

extension CLLocationCoordinate2D {
    /// The mean one, in metres.
    static let earthRadius = 6_371_008.8

    /// By the haversine formula.
    func distance(to other: CLLocationCoordinate2D) -> Double {
        let radians = Double.pi / 180
        let latitudes = (latitude * radians, other.latitude * radians)
        let vertical = sin((latitudes.1 - latitudes.0) / 2)
        let horizontal = sin((other.longitude - longitude) * radians / 2)
        let part = vertical * vertical + cos(latitudes.0) * cos(latitudes.1) * horizontal * horizontal
        return 2 * Self.earthRadius * asin(min(1, part.squareRoot()))
    }
}
