package import BatonCore
package import Foundation

/// The calls of a Nominatim server, and what its answers say: pure functions.
package enum Nominatim {
    /// More bytes of an answer are not read.
    package static let maximumAnswer = 1 << 20

    /// - Returns: nil for “none”.
    /// - Throws: `invalid_argument` with reason `invalid_setting`.
    package static func base(_ text: String) throws(BatonError) -> URL? {
        if text == "none" || text.isEmpty { return nil }
        guard text.utf8.count <= 2048, let url = URL(string: text),
            ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false, url.query == nil, url.fragment == nil, url.user == nil
        else {
            throw BatonError(
                .invalidArgument, reason: "invalid_setting",
                "“\(text.prefix(100))” is no address of a Nominatim server. Give one that begins with https://, or “none”."
            )
        }
        return url
    }

    /// The parameters of a request to the server.
    package static func url(_ query: GeocodeQuery, base: URL) -> URL? {
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: false) else { return nil }
        let path = parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
        var items = [("format", "jsonv2"), ("addressdetails", "1")]
        switch query.subject {
        case .point(let point):
            parts.path = path + "/reverse"
            items += [("lat", "\(point.latitude)"), ("lon", "\(point.longitude)")]
        case .address(let address):
            parts.path = path + "/search"
            items += [
                ("street", address.street), ("city", address.city), ("state", address.state),
                ("postalcode", address.postalCode),
                ("country", address.country.isEmpty ? address.countryCode : address.country),
            ].filter { !$0.1.isEmpty }
            items.append(("limit", "\(query.limit)"))
        case .kind(let kind):
            parts.path = path + "/search"
            let corners = [kind.southWest, kind.northEast].map { "\($0.longitude),\($0.latitude)" }
            items += [
                ("q", "[\(kind.tag)]"), ("viewbox", corners.joined(separator: ",")), ("bounded", "1"),
                ("limit", "\(query.limit)"),
            ]
        case .text(let text):
            parts.path = path + "/search"
            items += [("q", text), ("limit", "\(query.limit)")]
        }
        if !query.language.isEmpty { items.append(("accept-language", query.language)) }
        parts.queryItems = items.map { URLQueryItem(name: $0.0, value: $0.1) }
        // A plus is a space to many servers.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        return parts.url
    }

    private struct Place: Decodable {
        var lat: String?
        var lon: String?
        var name: String?
        var address: [String: String]?
        var boundingbox: [String]?
        var error: String?
        /// The parts of the tag by which it is what it is.
        var category: String?
        var type: String?

        enum Keys: String, CodingKey { case lat, lon, name, address, boundingbox, error, category, type }

        // A part of another type than the documented one is left out.
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Keys.self)
            func text(_ key: Keys) -> String? {
                if let text = try? values.decode(String.self, forKey: key) { return text }
                return (try? values.decode(Double.self, forKey: key)).map { "\($0)" }
            }
            lat = text(.lat)
            lon = text(.lon)
            name = text(.name)
            error = text(.error)
            category = text(.category)
            type = text(.type)
            address = try? values.decode([String: String].self, forKey: .address)
            boundingbox = try? values.decode([String].self, forKey: .boundingbox)
        }
    }

    /// - Throws: `unavailable` with reason `geocoder_answer_malformed`.
    package static func answer(_ body: Data, to query: GeocodeQuery) throws(BatonError) -> GeocodeAnswer {
        let places: [Place]
        do {
            if case .point = query.subject {
                let place = try JSONDecoder().decode(Place.self, from: body)
                places = place.error == nil ? [place] : []
            } else {
                places = try JSONDecoder().decode([Place].self, from: body)
            }
        } catch {
            throw BatonError(
                .unavailable, reason: "geocoder_answer_malformed",
                "The geocoder does not answer in Nominatim's form. Check the setting places.geocoder.")
        }
        let found = places.prefix(query.limit).compactMap(found)
        return GeocodeAnswer(places: found, isPartial: isPartial(found, query))
    }

    /// A server answers an unknown street with its town: that is no answer to an address.
    private static func isPartial(_ found: [FoundPlace], _ query: GeocodeQuery) -> Bool {
        guard case .address(let address) = query.subject, !address.street.isEmpty, !found.isEmpty else { return false }
        return !found.contains { $0.hasStreet }
    }

    private static func found(_ place: Place) -> FoundPlace? {
        guard let latitude = place.lat.flatMap(Double.init), let longitude = place.lon.flatMap(Double.init),
            let point = GeoPoint(latitude: latitude, longitude: longitude)
        else { return nil }
        let address = place.address ?? [:]
        func first(_ keys: String...) -> String {
            let text = keys.lazy.compactMap { address[$0] }.first { !$0.isEmpty } ?? ""
            return String(
                text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(256).map(Character.init)
            )
        }
        let street = first("road", "pedestrian", "footway", "square")
        let texts = [
            "name": place.name.map { String($0.prefix(256)) } ?? "", "thoroughfare": street,
            "subThoroughfare": first("house_number"), "subLocality": first("suburb", "neighbourhood", "quarter"),
            "locality": first("city", "town", "village", "municipality", "hamlet"),
            "subAdministrativeArea": first("county", "state_district"), "administrativeArea": first("state", "region"),
            "postalCode": first("postcode"), "country": first("country"),
            "isoCountryCode": first("country_code").uppercased(), "kind": kind(place),
        ]
        return FoundPlace(source: .geocoder, texts: texts, point: point, accuracy: accuracy(place, point))
    }

    private static func kind(_ place: Place) -> String {
        guard let category = place.category, let type = place.type else { return "" }
        let tag = "\(category)=\(type)"
        return GeocodeQuery.Kind.isTag(tag) ? tag : ""
    }

    /// Half of the box that the server draws around the place.
    private static func accuracy(_ place: Place, _ point: GeoPoint) -> Double {
        let box = place.boundingbox?.compactMap(Double.init) ?? []
        guard box.count == 4, let low = GeoPoint(latitude: box[0], longitude: box[2]),
            let high = GeoPoint(latitude: box[1], longitude: box[3])
        else { return 100 }
        return max(10, low.distance(to: high) / 2)
    }
}
