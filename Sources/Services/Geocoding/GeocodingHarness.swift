import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers apps about places.
package struct GeocodingHarness: Sendable {
    private let service: Geocoding

    package init(_ service: Geocoding) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.app(PlaceMethods.lookUpPlaces) { [self] request, caller in
            let answer = try await service.answer(try query(request), for: caller.identity.bundleID)
            return .with {
                $0.isPartial = answer.isPartial
                $0.places = answer.places.map { place in
                    .with {
                        $0.attributes = .init(attributes: place.attributes)
                        $0.source = Self.source(place.source)
                    }
                }
            }
        }
    }

    private static func source(_ source: FoundPlace.Source) -> Baton_App_V1_FoundPlace.Source {
        switch source {
        case .known: .known
        case .geocoder: .geocoder
        case .gazetteer: .gazetteer
        }
    }

    private func query(_ request: Baton_App_V1_LookUpPlacesRequest) throws(BatonError) -> GeocodeQuery {
        let purpose: GeocodeQuery.Purpose =
            switch request.purpose {
            case .search: .search
            case .complete: .complete
            case .geocode, .unspecified, .UNRECOGNIZED: .geocode
            }
        var query = GeocodeQuery(try subject(request), purpose: purpose)
        if request.hasNear { query.near = try point(request.near) }
        query.language = String(request.language.filter { $0.isASCII && ($0.isLetter || $0 == "-") }.prefix(20))
        if request.limit > 0 { query.limit = min(Int(request.limit), GeocodeQuery.maximumResults) }
        return query
    }

    private func subject(_ request: Baton_App_V1_LookUpPlacesRequest) throws(BatonError) -> GeocodeQuery.Subject {
        switch request.subject {
        case .text(let text)?:
            try check(text)
            return .text(text)
        case .address(let address)?:
            var texts: [String: String] = [:]
            for case (let name, .string(let text)) in try address.attributes() { texts[name] = text }
            for text in texts.values { try check(text) }
            return .address(GeocodeQuery.Address(texts: texts))
        case .point(let point)?:
            return .point(try self.point(point))
        case .ofKind(let area)?:
            let kind = GeocodeQuery.Kind(
                tag: area.kind, southWest: try point(area.southWest), northEast: try point(area.northEast))
            guard let kind else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_area",
                    "Name a kind as in “amenity=cafe”, and an area from its south-west to its north-east corner.")
            }
            return .kind(kind)
        case nil:
            throw BatonError(.invalidArgument, reason: "no_place", "Say which place is to be looked up.")
        }
    }

    private func check(_ text: String) throws(BatonError) {
        guard text.utf8.count <= GeocodeQuery.maximumBytes else {
            throw BatonError(
                .invalidArgument, reason: "address_too_long",
                "An address has at most \(GeocodeQuery.maximumBytes) bytes. Shorten it.")
        }
    }

    private func point(_ point: Baton_App_V1_PlacePoint) throws(BatonError) -> GeoPoint {
        guard let point = GeoPoint(latitude: point.latitude, longitude: point.longitude) else {
            throw BatonError(
                .invalidArgument, reason: "invalid_coordinate",
                "A latitude lies within 90 degrees, a longitude within 180.")
        }
        return point
    }
}
