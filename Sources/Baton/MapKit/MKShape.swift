public import Foundation
import Synchronization

/// Something with a title on the map. MapKit's; there is no map that shows it.
//
// @unchecked: what changes lies behind a lock.
open class MKShape: NSObject, MKAnnotation, @unchecked Sendable {
    private let texts = Mutex<(title: String?, subtitle: String?)>((nil, nil))

    override init() { super.init() }

    /// Its title.
    open var title: String? {
        get { texts.withLock { $0.title } }
        set { texts.withLock { $0.title = newValue } }
    }

    /// A second line.
    open var subtitle: String? {
        get { texts.withLock { $0.subtitle } }
        set { texts.withLock { $0.subtitle = newValue } }
    }

    /// Where: a class below it says so. Invalid here.
    open var coordinate: CLLocationCoordinate2D { kCLLocationCoordinate2DInvalid }
}

/// A point with a title. MapKit's; there is no map that shows it.
//
// @unchecked: what changes lies behind a lock.
open class MKPointAnnotation: MKShape, @unchecked Sendable {
    private let place = Mutex(CLLocationCoordinate2D())

    /// A point that is not set yet.
    public override init() { super.init() }

    /// A point without a title.
    public convenience init(coordinate: CLLocationCoordinate2D) {
        self.init()
        self.coordinate = coordinate
    }

    /// A point with a title.
    public convenience init(coordinate: CLLocationCoordinate2D, title: String?, subtitle: String?) {
        self.init(coordinate: coordinate)
        self.title = title
        self.subtitle = subtitle
    }

    /// Where.
    open override var coordinate: CLLocationCoordinate2D {
        get { place.withLock { $0 } }
        set { place.withLock { $0 = newValue } }
    }
}
