public import Foundation

/// Points on the map, in their order. MapKit's.
//
// @unchecked: the points are constants, and the rest is the base class's.
open class MKMultiPoint: MKShape, @unchecked Sendable {
    // They have one address for as long as the object lives, which is the promise of `points()`.
    private let first: UnsafeMutablePointer<MKMapPoint>
    /// How many points there are.
    public let pointCount: Int

    init(points: [MKMapPoint]) {
        first = .allocate(capacity: points.count)
        first.initialize(from: points, count: points.count)
        pointCount = points.count
        super.init()
    }

    deinit { first.deallocate() }

    /// The points, ``pointCount`` of them. They live as long as the object does, and are not to be changed.
    open func points() -> UnsafeMutablePointer<MKMapPoint> { first }

    /// Copies the coordinates of some of the points.
    ///
    /// - Parameters:
    ///   - coords: has room for as many as the range is long.
    ///   - range: which points. One that reaches beyond the last point is a mistake of the program, which goes to
    ///     ``BatonExceptions/handler``; nothing is copied.
    open func getCoordinates(_ coords: UnsafeMutablePointer<CLLocationCoordinate2D>, range: NSRange) {
        guard range.location >= 0, range.length >= 0, range.location <= pointCount,
            range.length <= pointCount - range.location
        else {
            return BatonExceptions.raiseInvalidArgument("There are \(pointCount) points, and not all of \(range).")
        }
        for offset in 0..<range.length {
            (coords + offset).initialize(to: first[range.location + offset].coordinate)
        }
    }

    /// The smallest part of the map that holds all points; `MKMapRect.null` when there are none.
    open var boundingMapRect: MKMapRect { MKMapRect(around: UnsafeBufferPointer(start: first, count: pointCount)) }

    /// The middle of ``boundingMapRect``; invalid when there are no points.
    open override var coordinate: CLLocationCoordinate2D {
        let rect = boundingMapRect
        return MKMapPoint(x: rect.midX, y: rect.midY).coordinate
    }
}

/// A line on the map, as that of a way. MapKit's; there is no map that draws it.
///
/// Apple: <https://developer.apple.com/documentation/mapkit/mkpolyline>
//
// @unchecked: as the base class.
open class MKPolyline: MKMultiPoint, MKOverlay, @unchecked Sendable {
    /// A line through points.
    /// - Parameter count: how many there are.
    public convenience init(points: UnsafePointer<MKMapPoint>, count: Int) {
        self.init(points: Array(UnsafeBufferPointer(start: points, count: max(0, count))))
    }

    /// A line through coordinates.
    /// - Parameters:
    ///   - coords: coordinates, an array of them for instance.
    ///   - count: how many there are.
    public convenience init(coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
        self.init(points: UnsafeBufferPointer(start: coords, count: max(0, count)).map { MKMapPoint($0) })
    }
}
