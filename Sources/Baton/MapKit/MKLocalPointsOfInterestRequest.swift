import BatonWire
public import Foundation

/// Asks for the points of interest in an area, for an ``MKLocalSearch``. MapKit's.
///
/// Only the person's geocoder (`places.geocoder`) knows them. It is asked about one category after the other, once a second, and answers
/// each with a selection of 20 at most. So the filter names up to five categories; of more, the first five by their names count, and a
/// request that names none asks for food markets, pharmacies, hotels, cafés and restaurants.
///
/// Apple: <https://developer.apple.com/documentation/mapkit/mklocalpointsofinterestrequest>
open class MKLocalPointsOfInterestRequest: NSObject, NSCopying {
    /// The middle of the area.
    public let coordinate: CLLocationCoordinate2D
    /// Metres from the middle to the edge: of a region, to the corners.
    public let radius: CLLocationDistance
    /// The area, or one around it.
    public let region: MKCoordinateRegion
    /// The categories that count.
    open var pointOfInterestFilter: MKPointOfInterestFilter?

    /// Points within a distance.
    /// - Parameter radius: in metres.
    public init(center coordinate: CLLocationCoordinate2D, radius: CLLocationDistance) {
        self.coordinate = coordinate
        self.radius = radius
        region = MKCoordinateRegion(center: coordinate, latitudinalMeters: 2 * radius, longitudinalMeters: 2 * radius)
        super.init()
    }

    /// Points in a region.
    public init(coordinateRegion region: MKCoordinateRegion) {
        coordinate = region.center
        radius = region.center.distance(to: region.corners.1)
        self.region = region
        super.init()
    }

    private init(_ other: MKLocalPointsOfInterestRequest) {
        (coordinate, radius, region) = (other.coordinate, other.radius, other.region)
        pointOfInterestFilter = other.pointOfInterestFilter
        super.init()
    }

    /// A request that says the same.
    open func copy(with zone: NSZone? = nil) -> Any { MKLocalPointsOfInterestRequest(self) }

    private static let usual: [MKPointOfInterestCategory] = [.foodMarket, .pharmacy, .hotel, .cafe, .restaurant]
    private static let maximumCategories = 5

    /// One for each category. None for an area that is none.
    var queries: [PlaceQuery] {
        guard CLLocationCoordinate2DIsValid(coordinate), radius > 0 else { return [] }
        let categories = (pointOfInterestFilter?.included ?? Self.usual).filter { category in
            pointOfInterestFilter?.includes(category) ?? true
        }
        return categories.compactMap(\.tag).prefix(Self.maximumCategories).map { tag in
            PlaceQuery(subject: .kind(tag, region), purpose: .search, near: coordinate, limit: 20)
        }
    }
}
