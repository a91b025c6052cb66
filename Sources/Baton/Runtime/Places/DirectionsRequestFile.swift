import BatonCore
import Foundation

/// The content of the file of a request for directions: JSON, as docs/opening.md has it.
struct DirectionsRequestFile: Codable {
    static let type = "com.apple.maps.directionsrequest"
    static let fileExtension = "mkdirectionsrequest"
    static let maximumSize = 64 << 10

    struct Place: Codable {
        var name: String?
        var latitude: Double?
        var longitude: Double?
        /// With the keys of `MKPlacemark`'s address dictionary.
        var address: [String: String]?
        var phoneNumber: String?
        var url: String?
        var isCurrentLocation: Bool?

        init(_ item: MKMapItem) {
            if item.isCurrentLocation {
                isCurrentLocation = true
                return
            }
            name = item.name
            phoneNumber = item.phoneNumber
            url = item.url?.absoluteString
            if let coordinate = item.placemark.location?.coordinate {
                latitude = coordinate.latitude
                longitude = coordinate.longitude
            }
            var address: [String: String] = [:]
            for case (let key as String, let text as String) in item.placemark.addressDictionary ?? [:] {
                address[key] = text
            }
            self.address = address.isEmpty ? nil : address
        }

        var mapItem: MKMapItem {
            if isCurrentLocation == true { return .forCurrentLocation() }
            var coordinate = kCLLocationCoordinate2DInvalid
            if let latitude, let longitude {
                coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
            }
            let item = MKMapItem(placemark: MKPlacemark(coordinate: coordinate, addressDictionary: address))
            if let name { item.name = name }
            item.phoneNumber = phoneNumber
            item.url = url.flatMap { URL(string: $0) }
            return item
        }
    }

    var source: Place?
    var destination: Place?
    var transportType: UInt?
    var requestsAlternateRoutes: Bool?
    /// Seconds since 1970, as the other date.
    var departure: Double?
    var arrival: Double?
    var avoidsTolls: Bool?
    var avoidsHighways: Bool?

    init(_ request: MKDirections.Request) {
        source = request.source.map(Place.init)
        destination = request.destination.map(Place.init)
        if request.transportType != .any { transportType = request.transportType.rawValue }
        if request.requestsAlternateRoutes { requestsAlternateRoutes = true }
        departure = request.departureDate?.timeIntervalSince1970
        arrival = request.arrivalDate?.timeIntervalSince1970
        if request.tollPreference == .avoid { avoidsTolls = true }
        if request.highwayPreference == .avoid { avoidsHighways = true }
    }

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
