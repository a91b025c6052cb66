public import Foundation

/// How a person travels. MapKit's.
public struct MKDirectionsTransportType: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// A set of Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// By car.
    public static let automobile = Self(rawValue: 1)
    /// On foot.
    public static let walking = Self(rawValue: 2)
    /// By public transport.
    public static let transit = Self(rawValue: 4)
    /// In any way.
    public static let any = Self(rawValue: 0x0FFF_FFFF)
}

/// Directions. MapKit's. There is no server that computes routes: ``calculate(completionHandler:)`` ends with
/// ``MKError/Code/directionsNotFound``. ``MKMapItem/openMaps(with:launchOptions:)`` has an app that computes them show the way.
///
/// Apple: <https://developer.apple.com/documentation/mapkit/mkdirections>
//
// @unchecked: it has no state.
open class MKDirections: NSObject, @unchecked Sendable {
    /// The handler of ``calculate(completionHandler:)``.
    public typealias DirectionsHandler = (Response?, (any Error)?) -> Void
    /// The handler of ``calculateETA(completionHandler:)``.
    public typealias ETAHandler = (ETAResponse?, (any Error)?) -> Void

    /// For a request.
    public init(request: Request) { super.init() }

    /// Whether ways are being computed: false.
    open var isCalculating: Bool { false }

    /// Does nothing: nothing is computed.
    open func cancel() {}

    /// - Parameter completionHandler: called on the main thread, later, with ``MKError/Code/directionsNotFound``.
    open func calculate(completionHandler: @escaping DirectionsHandler) {
        // Apple's handler, which is called once, on the main thread.
        nonisolated(unsafe) let handler = completionHandler
        AppRuntime.current.onMain { handler(nil, Self.noRoutes) }
    }

    /// - Throws: ``MKError/Code/directionsNotFound``.
    open func calculate() async throws -> Response { throw Self.noRoutes }

    /// - Parameter completionHandler: called on the main thread, later, with ``MKError/Code/directionsNotFound``.
    open func calculateETA(completionHandler: @escaping ETAHandler) {
        // As above.
        nonisolated(unsafe) let handler = completionHandler
        AppRuntime.current.onMain { handler(nil, Self.noRoutes) }
    }

    /// - Throws: ``MKError/Code/directionsNotFound``.
    open func calculateETA() async throws -> ETAResponse { throw Self.noRoutes }

    private static var noRoutes: MKError {
        MKError(
            .directionsNotFound,
            "Baton computes no routes. Have an app for directions show the way: MKMapItem.openMaps(with:launchOptions:)."
        )
    }

    /// A preference for a way.
    public enum RoutePreference: Int, Sendable {
        /// Whatever is best.
        case any = 0
        /// Without it, if that is possible.
        case avoid = 1
    }

    /// A request for directions, as a routing app is given one (U-26).
    ///
    /// It comes as a file of the type `com.apple.maps.directionsrequest`, by the method that URLs come by. Apple does
    /// not publish what is in such a file; docs/opening.md says what is in Baton's. Ask ``isDirectionsRequest(_:)``
    /// first. Not safe to use from several threads at once.
    ///
    /// Apple: <https://developer.apple.com/documentation/mapkit/mkdirections/request>
    open class Request: NSObject {
        /// Where the way begins; nil when the request does not say.
        open var source: MKMapItem?
        /// Where it leads. It may lack a coordinate: then its address is to be looked up.
        open var destination: MKMapItem?
        /// How the person travels.
        open var transportType = MKDirectionsTransportType.any
        /// Whether more than one way is wanted.
        open var requestsAlternateRoutes = false
        /// When the person leaves; nil for now.
        open var departureDate: Date?
        /// When the person wants to be there; nil for no wish.
        open var arrivalDate: Date?
        /// Whether roads with tolls are to be avoided.
        open var tollPreference = RoutePreference.any
        /// Whether highways are to be avoided.
        open var highwayPreference = RoutePreference.any

        /// A request that says nothing yet.
        public override init() { super.init() }

        /// The request in a file; one that says nothing where ``isDirectionsRequest(_:)`` is false.
        public init(contentsOf url: URL) {
            let content = DirectionsRequestFile(contentsOf: url)
            source = content?.source?.mapItem
            destination = content?.destination?.mapItem
            if let bits = content?.transportType { transportType = MKDirectionsTransportType(rawValue: bits) }
            requestsAlternateRoutes = content?.requestsAlternateRoutes ?? false
            departureDate = content?.departure.map { Date(timeIntervalSince1970: $0) }
            arrivalDate = content?.arrival.map { Date(timeIntervalSince1970: $0) }
            if content?.avoidsTolls == true { tollPreference = .avoid }
            if content?.avoidsHighways == true { highwayPreference = .avoid }
            super.init()
        }

        /// Whether a URL is the file of a request. Reads the file, of which 64 KiB count at most.
        open class func isDirectionsRequest(_ url: URL) -> Bool { DirectionsRequestFile(contentsOf: url) != nil }
    }
}

extension MKDirections {
    // @unchecked: all stored properties are constants, which do not change.
    /// The ways that were computed. Baton makes none.
    public final class Response: NSObject, @unchecked Sendable {
        /// Where they begin.
        public let source: MKMapItem
        /// Where they lead.
        public let destination: MKMapItem
        /// The ways, the best first.
        public let routes: [MKRoute]

        init(source: MKMapItem, destination: MKMapItem, routes: [MKRoute]) {
            self.source = source
            self.destination = destination
            self.routes = routes
        }
    }

    // @unchecked: as above.
    /// How long a way takes. Baton makes none.
    public final class ETAResponse: NSObject, @unchecked Sendable {
        /// Where it begins.
        public let source: MKMapItem
        /// Where it leads.
        public let destination: MKMapItem
        /// Seconds.
        public let expectedTravelTime: TimeInterval
        /// Metres.
        public let distance: CLLocationDistance
        /// When the person leaves.
        public let expectedDepartureDate: Date
        /// When the person is there.
        public let expectedArrivalDate: Date
        /// How the person travels.
        public let transportType: MKDirectionsTransportType

        init(
            source: MKMapItem, destination: MKMapItem, expectedTravelTime: TimeInterval, distance: CLLocationDistance,
            expectedDepartureDate: Date, transportType: MKDirectionsTransportType
        ) {
            self.source = source
            self.destination = destination
            self.expectedTravelTime = expectedTravelTime
            self.distance = distance
            self.expectedDepartureDate = expectedDepartureDate
            expectedArrivalDate = expectedDepartureDate.addingTimeInterval(expectedTravelTime)
            self.transportType = transportType
        }
    }
}
