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
