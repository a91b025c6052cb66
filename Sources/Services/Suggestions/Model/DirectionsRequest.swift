import Foundation
package import WebMarkup

/// A request for directions: the file of a routing app, or the address for the desktop's handler of `geo:`.
package enum DirectionsRequest {
    /// The contents of a `.mkdirectionsrequest` file, which `docs/opening.md` describes.
    package static func file(to place: Place) -> [UInt8] {
        var destination = JSONObject()
        if let name = place.name { destination["name"] = .string(name) }
        if let coordinate = place.coordinate {
            destination["latitude"] = .number("\(coordinate.latitude)")
            destination["longitude"] = .number("\(coordinate.longitude)")
        }
        var address = JSONObject()
        let street = place.street ?? (place.locality == nil ? place.addressText : nil)
        for (key, text) in [
            ("Street", street), ("City", place.locality), ("State", place.region), ("ZIP", place.postalCode),
            ("Country", place.country),
        ] {
            if let text { address[key] = .string(text) }
        }
        if !address.isEmpty { destination["address"] = .object(address) }
        let request = JSONObject([
            ("source", .object(JSONObject([("isCurrentLocation", .bool(true))]))),
            ("destination", .object(destination)),
        ])
        return Array(JSONWriter.text(.object(request)).utf8)
    }

    /// `geo:LAT,LON?q=LAT,LON(NAME)`, by its address without a coordinate (P-27).
    package static func geo(to place: Place) -> String? {
        guard let coordinate = place.coordinate else {
            guard let line = place.addressLine else { return nil }
            let query = [place.name, line].compactMap { $0 }.joined(separator: ", ")
            return "geo:0,0?q=" + escaped(query)
        }
        let point = "\(degrees(coordinate.latitude)),\(degrees(coordinate.longitude))"
        let label = place.name.map { "(\(escaped($0)))" } ?? ""
        return "geo:\(point)?q=\(point)\(label)"
    }

    /// The place in a text that is a coordinate, as in `48.1374, 11.5755`, or an address of `geo:`. A place without either where it
    /// is an address of `geo:` that names none on the earth; nil for another text.
    package static func place(_ text: String) -> Place? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.lowercased().hasPrefix("geo:") else {
            guard text.contains("."), let coordinate = coordinate(text[...]) else { return nil }
            var place = Place()
            place.coordinate = coordinate
            return place
        }
        let parts = text.dropFirst(4).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var place = Place()
        place.coordinate = parts.first.flatMap { coordinate($0.prefix { $0 != ";" }) }
        let query = parts.dropFirst().first?.split(separator: "&").first { $0.hasPrefix("q=") }?.dropFirst(2)
        guard let query = query?.replacing("+", with: " ").removingPercentEncoding else { return place }
        // `LAT,LON(NAME)`, or an address, for which 0,0 stands in front.
        let point = query.prefix { $0 != "(" }
        if let named = coordinate(point) {
            place.coordinate = named
            place.name = PlaceText.clean(String(query.dropFirst(point.count + 1).dropLast()))
        } else if let address = PlaceText.clean(query) {
            place.addressText = address
            if place.coordinate == Place.Coordinate(latitude: 0, longitude: 0) { place.coordinate = nil }
        }
        return place
    }

    /// Two numbers of degrees with a comma between them; an altitude after them is left out.
    private static func coordinate(_ text: Substring) -> Place.Coordinate? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { PlaceText.degrees(String($0)) }
        guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        return Place.Coordinate(latitude: latitude, longitude: longitude)
    }

    /// A place in a sentence: its name, its address, or where it is.
    package static func shown(_ place: Place) -> String {
        place.name ?? place.addressLine
            ?? place.coordinate.map { "\(degrees($0.latitude)), \(degrees($0.longitude))" } ?? ""
    }

    /// Without an exponent, which the scheme does not have: seven digits are a centimetre.
    private static func degrees(_ value: Double) -> String {
        var text = String(format: "%.7f", value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    private static func escaped(_ text: String) -> String {
        let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
