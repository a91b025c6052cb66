public import Foundation

/// A place that has a title. MapKit's; there is no map that shows it.
public protocol MKAnnotation: NSObjectProtocol {
    /// Where.
    var coordinate: CLLocationCoordinate2D { get }
    /// Its title. Optional at Apple: nil unless the class has one.
    var title: String? { get }
    /// A second line. Optional at Apple: nil unless the class has one.
    var subtitle: String? { get }
}

extension MKAnnotation {
    /// Nil.
    public var title: String? { nil }
    /// Nil.
    public var subtitle: String? { nil }
}

/// Something that takes up a part of the map. MapKit's; there is no map that shows it.
public protocol MKOverlay: MKAnnotation {
    /// The part of the map.
    var boundingMapRect: MKMapRect { get }
}

extension MKPlacemark: MKAnnotation {}
