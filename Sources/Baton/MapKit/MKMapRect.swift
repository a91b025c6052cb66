/// A rectangle on the flat map. MapKit's.
///
/// Its edges belong to it: rectangles that touch intersect, in one that ``isEmpty``. It may reach over 180 degrees of longitude, to the
/// east or to the west of the map.
///
/// Apple: <https://developer.apple.com/documentation/mapkit/mkmaprect>
public struct MKMapRect: Sendable, Hashable {
    /// The north-western corner.
    public var origin: MKMapPoint
    /// How far it reaches from there.
    public var size: MKMapSize

    /// Nothing, in the north-western corner of the map.
    public init() { self.init(origin: MKMapPoint(), size: MKMapSize()) }

    /// A rectangle by its corner and its size.
    public init(origin: MKMapPoint, size: MKMapSize) {
        self.origin = origin
        self.size = size
    }

    /// A rectangle by its corner and its size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: MKMapPoint(x: x, y: y), size: MKMapSize(width: width, height: height))
    }

    /// The rectangle that holds all of the points; ``null`` for none.
    init(around points: UnsafeBufferPointer<MKMapPoint>) {
        self = points.reduce(.null) { $0.union(MKMapRect(origin: $1, size: MKMapSize())) }
    }

    /// The whole map.
    public static let world = MKMapRect(origin: MKMapPoint(), size: .world)
    /// No rectangle: what two that lie apart have in common.
    public static let null = MKMapRect(origin: MKMapPoint(x: .infinity, y: .infinity), size: MKMapSize())

    /// The western edge.
    public var minX: Double { origin.x }
    /// The northern edge.
    public var minY: Double { origin.y }
    /// The middle between west and east.
    public var midX: Double { origin.x + size.width / 2 }
    /// The middle between north and south.
    public var midY: Double { origin.y + size.height / 2 }
    /// The eastern edge.
    public var maxX: Double { origin.x + size.width }
    /// The southern edge.
    public var maxY: Double { origin.y + size.height }
    /// From west to east.
    public var width: Double { size.width }
    /// From north to south.
    public var height: Double { size.height }

    /// Whether it is ``null``.
    public var isNull: Bool { origin.x.isInfinite || origin.y.isInfinite }
    /// Whether it has no area: so has ``null``.
    public var isEmpty: Bool { isNull || size.width <= 0 || size.height <= 0 }

    /// The smallest rectangle that holds both.
    public func union(_ rect: MKMapRect) -> MKMapRect {
        if isNull { return rect }
        if rect.isNull { return self }
        return Self(
            west: min(minX, rect.minX), north: min(minY, rect.minY), east: max(maxX, rect.maxX),
            south: max(maxY, rect.maxY))
    }

    /// The part that both have in common; ``null`` when they lie apart.
    public func intersection(_ rect: MKMapRect) -> MKMapRect {
        guard !isNull, !rect.isNull else { return .null }
        let (west, north) = (max(minX, rect.minX), max(minY, rect.minY))
        let (east, south) = (min(maxX, rect.maxX), min(maxY, rect.maxY))
        return west <= east && north <= south ? Self(west: west, north: north, east: east, south: south) : .null
    }

    /// Whether both have something in common, a point of their edges included.
    public func intersects(_ rect: MKMapRect) -> Bool { !intersection(rect).isNull }

    /// Whether a point lies in it or on its edge.
    public func contains(_ point: MKMapPoint) -> Bool {
        !isNull && (minX <= point.x && point.x <= maxX) && (minY <= point.y && point.y <= maxY)
    }

    /// Whether another one lies in it. ``null`` lies in none.
    public func contains(_ rect: MKMapRect) -> Bool {
        guard !isNull, !rect.isNull else { return false }
        return minX <= rect.minX && rect.maxX <= maxX && minY <= rect.minY && rect.maxY <= maxY
    }

    /// Smaller by these distances on both sides, or larger where they are negative; ``null`` when nothing is left.
    public func insetBy(dx: Double, dy: Double) -> MKMapRect {
        let (width, height) = (size.width - 2 * dx, size.height - 2 * dy)
        guard !isNull, width >= 0, height >= 0 else { return .null }
        return MKMapRect(x: minX + dx, y: minY + dy, width: width, height: height)
    }

    /// Moved by these distances.
    public func offsetBy(dx: Double, dy: Double) -> MKMapRect {
        isNull ? self : MKMapRect(x: minX + dx, y: minY + dy, width: width, height: height)
    }

    /// Whether it reaches over 180 degrees of longitude.
    public var spans180thMeridian: Bool { !isNull && (minX < 0 || maxX > MKMapRect.world.maxX) }

    /// The part beyond 180 degrees of longitude, as it lies on the map; ``null`` for a rectangle that does not reach so far.
    public func remainder() -> MKMapRect {
        guard spans180thMeridian else { return .null }
        let world = MKMapRect.world.width
        let west = intersection(MKMapRect(x: -world, y: minY, width: world, height: height))
        if minX < 0 { return west.offsetBy(dx: world, dy: 0) }
        return intersection(MKMapRect(x: world, y: minY, width: world, height: height)).offsetBy(dx: -world, dy: 0)
    }

    private init(west: Double, north: Double, east: Double, south: Double) {
        self.init(x: west, y: north, width: east - west, height: south - north)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether two rectangles are the same.
public func MKMapRectEqualToRect(_ rect1: MKMapRect, _ rect2: MKMapRect) -> Bool { rect1 == rect2 }

extension MKCoordinateRegion {
    /// The area of a rectangle on the map, as far as that lies on the map; of no extent for ``MKMapRect/null``.
    ///
    /// One that reaches over 180 degrees of longitude goes on there, as Apple's: its center is on the map.
    public init(_ rect: MKMapRect) {
        let world = MKMapRect.world
        let (north, south) = (max(0, min(world.maxY, rect.minY)), max(0, min(world.maxY, rect.maxY)))
        guard !rect.isNull else {
            self.init()
            return
        }
        let (top, bottom) = (MKMapPoint(x: 0, y: north).coordinate, MKMapPoint(x: 0, y: south).coordinate)
        // Over the western edge is on the map's other side.
        let middle = rect.midX - (rect.midX / world.width).rounded(.down) * world.width
        self.init(
            center: CLLocationCoordinate2D(
                latitude: (top.latitude + bottom.latitude) / 2,
                longitude: MKMapPoint(x: rect.midX == world.maxX ? rect.midX : middle, y: north).coordinate.longitude),
            span: MKCoordinateSpan(
                latitudeDelta: top.latitude - bottom.latitude,
                longitudeDelta: min(360, rect.width / world.width * 360)))
    }
}
