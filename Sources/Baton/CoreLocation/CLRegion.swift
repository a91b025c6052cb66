public import Foundation

/// An area. CoreLocation's: there are only circles.
open class CLRegion: NSObject, NSCopying, @unchecked Sendable {
    /// Names it within the app.
    public let identifier: String

    init(identifier: String) {
        self.identifier = identifier
        super.init()
    }

    /// An area does not change, so this is the object itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The area around a point. CoreLocation's.
//
// @unchecked: all stored properties are constants.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
    /// The point in the middle.
    public let center: CLLocationCoordinate2D
    /// How far it goes, in metres.
    public let radius: CLLocationDistance

    /// A circle. A radius below zero counts as zero.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = max(0, radius)
        super.init(identifier: identifier)
    }

    /// Whether a point lies within it.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool { center.distance(to: coordinate) <= radius }

    /// Areas are equal if they are the same circle.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLCircularRegion else { return false }
        return other.center == center && other.radius == radius && other.identifier == identifier
    }

    /// Equal areas have it in common.
    open override var hash: Int { center.hashValue }
}
