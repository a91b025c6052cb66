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

/// Directions. MapKit's, of which only ``Request`` is here: there is no server that computes routes.
public enum MKDirections {
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

        /// A request that says nothing yet.
        public override init() { super.init() }

        /// The request in a file; one that says nothing where ``isDirectionsRequest(_:)`` is false.
        public init(contentsOf url: URL) {
            let content = DirectionsRequestFile(contentsOf: url)
            source = content?.source?.mapItem
            destination = content?.destination?.mapItem
            if let bits = content?.transportType { transportType = MKDirectionsTransportType(rawValue: bits) }
            super.init()
        }

        /// Whether a URL is the file of a request. Reads the file, of which 64 KiB count at most.
        open class func isDirectionsRequest(_ url: URL) -> Bool { DirectionsRequestFile(contentsOf: url) != nil }
    }
}

/// What is in the file of a request: JSON.
private struct DirectionsRequestFile: Decodable {
    static let fileExtension = "mkdirectionsrequest"
    static let maximumSize = 64 << 10

    struct Place: Decodable {
        var name: String?
        var latitude: Double?
        var longitude: Double?
        /// With the keys of `MKPlacemark`'s address dictionary.
        var address: [String: String]?
        var isCurrentLocation: Bool?

        var mapItem: MKMapItem {
            if isCurrentLocation == true { return .forCurrentLocation() }
            var coordinate = kCLLocationCoordinate2DInvalid
            if let latitude, let longitude {
                coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
            }
            let item = MKMapItem(placemark: MKPlacemark(coordinate: coordinate, addressDictionary: address))
            if let name { item.name = name }
            return item
        }
    }

    var source: Place?
    var destination: Place?
    var transportType: UInt?

    /// - Returns: nil for what is no request.
    init?(contentsOf url: URL) {
        guard url.isFileURL, url.pathExtension.lowercased() == Self.fileExtension,
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
            attributes[.type] as? FileAttributeType == .typeRegular,
            let file = try? FileHandle(forReadingFrom: url),
            let data = try? file.read(upToCount: Self.maximumSize + 1), data.count <= Self.maximumSize,
            let content = try? JSONDecoder().decode(Self.self, from: data),
            content.source != nil || content.destination != nil
        else { return nil }
        self = content
    }
}
