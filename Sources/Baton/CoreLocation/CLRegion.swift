public import Foundation
import Synchronization

/// An area. CoreLocation's: there are only circles.
//
// @unchecked: what changes lies behind a lock.
open class CLRegion: NSObject, NSCopying, @unchecked Sendable {
    /// Names it within the app.
    public let identifier: String

    private let notices = Mutex((entry: true, exit: true))

    init(identifier: String) {
        self.identifier = identifier
        super.init()
    }

    /// Whether the app wants to hear that the device enters the area. No area is watched here.
    open var notifyOnEntry: Bool {
        get { notices.withLock { $0.entry } }
        set { notices.withLock { $0.entry = newValue } }
    }

    /// Whether the app wants to hear that the device leaves the area. No area is watched here.
    open var notifyOnExit: Bool {
        get { notices.withLock { $0.exit } }
        set { notices.withLock { $0.exit = newValue } }
    }

    /// The object itself: where the area is does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The area around a point. CoreLocation's.
//
// @unchecked: its own stored properties are constants.
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
