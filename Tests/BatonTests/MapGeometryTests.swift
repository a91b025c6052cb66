import Foundation
import Testing

@testable import Baton

/// Points, rectangles and lines on the flat map, as routing apps and those with many places use them.
@Suite struct MapGeometryTests {
    private let berlin = CLLocationCoordinate2D(latitude: 52.52, longitude: 13.405)
    private let sydney = CLLocationCoordinate2D(latitude: -33.8688, longitude: 151.2093)

    @Test("a coordinate has a point on Mercator's map, and a point its coordinate")
    func points() {
        let middle = MKMapPoint(CLLocationCoordinate2D())
        #expect(middle == MKMapPoint(x: 134_217_728, y: 134_217_728) && MKMapPointEqualToPoint(middle, middle))
        let point = MKMapPoint(berlin)
        #expect(abs(point.x - 144_213_220.47) < 0.01 && abs(point.y - 88_034_793.14) < 0.01)
        for place in [berlin, sydney, CLLocationCoordinate2D(latitude: -85, longitude: 180)] {
            let back = MKMapPoint(place).coordinate
            #expect(abs(back.latitude - place.latitude) < 1e-9 && abs(back.longitude - place.longitude) < 1e-9)
        }
        // The map has no poles.
        #expect(MKMapPoint(CLLocationCoordinate2D(latitude: 90, longitude: -180)) == MKMapPoint())
        #expect(MKMapPoint(CLLocationCoordinate2D(latitude: -90, longitude: 0)).y == MKMapSize.world.height)
        #expect(MKMapPoint(kCLLocationCoordinate2DInvalid) == MKMapPoint(x: -1, y: -1))
        let nowhere = CLLocationCoordinate2D(latitude: .nan, longitude: 0)
        #expect(MKMapPoint(nowhere) == MKMapPoint(x: -1, y: -1))
        for point in [MKMapPoint(x: -1, y: 5), MKMapPoint(x: 5, y: .infinity), MKMapPoint(x: .nan, y: 0)] {
            #expect(point.coordinate == kCLLocationCoordinate2DInvalid)
        }
    }

    @Test("distances on the map are those on the earth")
    func distances() {
        let metres = CLLocation(latitude: berlin.latitude, longitude: berlin.longitude)
            .distance(from: CLLocation(latitude: sydney.latitude, longitude: sydney.longitude))
        #expect(abs(MKMapPoint(berlin).distance(to: MKMapPoint(sydney)) - metres) < 0.01)
        var east = MKMapPoint(berlin)
        east.x += 100 * MKMapPointsPerMeterAtLatitude(berlin.latitude)
        #expect(abs(MKMapPoint(berlin).distance(to: east) - 100) < 0.01)
        #expect(abs(MKMetersPerMapPointAtLatitude(60) * MKMapPointsPerMeterAtLatitude(60) - 1) < 1e-12)
        #expect(MKMapPointsPerMeterAtLatitude(90) == MKMapPointsPerMeterAtLatitude(86))
    }

    @Test("rectangles are joined and cut, and what has nothing in common is null")
    func rectangles() {
        let (one, two) = (MKMapRect(x: 0, y: 0, width: 10, height: 10), MKMapRect(x: 5, y: 6, width: 10, height: 2))
        #expect(one.union(two) == MKMapRect(x: 0, y: 0, width: 15, height: 10))
        #expect(one.intersection(two) == MKMapRect(x: 5, y: 6, width: 5, height: 2) && one.intersects(two))
        let far = MKMapRect(x: 20, y: 0, width: 1, height: 1)
        #expect(one.intersection(far).isNull && !one.intersects(far) && one.intersection(far).isEmpty)
        #expect(one.union(.null) == one && MKMapRect.null.union(one) == one && !one.contains(.null))
        #expect(one.contains(MKMapPoint(x: 10, y: 0)) && !one.contains(MKMapPoint(x: 10.1, y: 0)))
        #expect(!MKMapRect.null.contains(MKMapPoint(x: .infinity, y: .infinity)))
        #expect(MKMapRect.world.contains(two) && !one.contains(two))
        let odd = MKMapRect(x: 140_000_000.3, y: 88_000_000.7, width: 1234.567, height: 765.4321)
        #expect(odd.contains(odd) && odd.contains(odd.insetBy(dx: 0.1, dy: 0.1)))
        #expect(!odd.contains(odd.offsetBy(dx: 1, dy: 0)))
        #expect(one.insetBy(dx: 1, dy: -2) == MKMapRect(x: 1, y: -2, width: 8, height: 14))
        #expect(one.insetBy(dx: 6, dy: 0).isNull && MKMapRect.null.insetBy(dx: -1, dy: -1).isNull)
        #expect(one.offsetBy(dx: 3, dy: 4) == MKMapRect(x: 3, y: 4, width: 10, height: 10))
        #expect((two.midX, two.midY, two.maxX, two.maxY) == (10, 7, 15, 8))
        #expect(
            MKMapRectEqualToRect(one, one) && MKMapSizeEqualToSize(one.size, far.offsetBy(dx: 1, dy: 0).size) == false)
    }

    @Test("a rectangle over 180 degrees of longitude has its rest on the other side of the map")
    func meridian() {
        let world = MKMapRect.world.width
        let east = MKMapRect(x: world - 10, y: 5, width: 30, height: 1)
        #expect(east.spans180thMeridian && east.remainder() == MKMapRect(x: 0, y: 5, width: 20, height: 1))
        let west = MKMapRect(x: -10, y: 5, width: 30, height: 1)
        #expect(west.spans180thMeridian && west.remainder() == MKMapRect(x: world - 10, y: 5, width: 10, height: 1))
        #expect(!MKMapRect.world.spans180thMeridian && MKMapRect.world.remainder().isNull)
        #expect(abs(MKCoordinateRegion(west).center.longitude - MKMapPoint(x: 5, y: 5).coordinate.longitude) < 1e-9)
        let beyond = MKCoordinateRegion(MKMapRect(x: -30, y: 5, width: 20, height: 1))
        #expect(abs(beyond.center.longitude - MKMapPoint(x: world - 20, y: 5).coordinate.longitude) < 1e-9)
        let whole = MKCoordinateRegion(.world)
        #expect(whole.center == CLLocationCoordinate2D() && whole.span.longitudeDelta == 360)
        #expect(abs(whole.span.latitudeDelta - 170.1) < 0.1 && MKCoordinateRegion(.null) == MKCoordinateRegion())
    }

    @Test("a line has its points, their coordinates and the part of the map that holds them")
    func lines() {
        let places = [berlin, sydney, CLLocationCoordinate2D()]
        let line = MKPolyline(coordinates: places, count: places.count)
        line.title = "Way"
        #expect(line.pointCount == 3 && line.points()[1] == MKMapPoint(sydney) && line.title == "Way")
        var found = [CLLocationCoordinate2D](repeating: kCLLocationCoordinate2DInvalid, count: 2)
        line.getCoordinates(&found, range: NSRange(location: 1, length: 2))
        #expect(abs(found[0].latitude - sydney.latitude) < 1e-9 && abs(found[1].longitude) < 1e-9)
        let rect = line.boundingMapRect
        #expect(places.allSatisfy { rect.contains(MKMapPoint($0)) })
        #expect(rect.minY == MKMapPoint(berlin).y && rect.maxX == MKMapPoint(sydney).x)
        let part = MKPolyline(points: line.points(), count: 1)
        #expect(part.boundingMapRect.isEmpty && !part.boundingMapRect.isNull)
        #expect(abs(part.coordinate.latitude - berlin.latitude) < 1e-9)
        let none = MKPolyline(coordinates: [], count: 0)
        #expect(
            none.pointCount == 0 && none.boundingMapRect.isNull && none.coordinate == kCLLocationCoordinate2DInvalid)
    }

    @Test("an app's own class is an annotation with a coordinate alone, and options hold coordinates as objects")
    func annotations() {
        final class Artwork: NSObject, MKAnnotation {
            let coordinate = CLLocationCoordinate2D(latitude: 21.3, longitude: -157.9)
        }
        let shown: [any MKAnnotation] = [
            Artwork(), MKPointAnnotation(coordinate: berlin, title: "Berlin", subtitle: nil),
            MKPlacemark(coordinate: berlin, addressDictionary: [CNPostalAddressCityKey: "Berlin"]),
        ]
        #expect(shown.map(\.title) == [nil, "Berlin", "Berlin"] && shown[1].coordinate == berlin)
        let span = MKCoordinateSpan(latitudeDelta: 1, longitudeDelta: 2)
        #expect(NSValue(mkCoordinate: berlin).mkCoordinateValue == berlin)
        #expect(NSValue(mkCoordinateSpan: span).mkCoordinateSpanValue == span)
    }
}
