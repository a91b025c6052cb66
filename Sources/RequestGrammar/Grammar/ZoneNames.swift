import Foundation

/// Time zones by the names that people give them.
enum ZoneNames {
    /// As people use them: “EST” is what clocks in New York show, in summer, too.
    private static let short = [
        "utc": "UTC", "gmt": "GMT", "est": "America/New_York", "edt": "America/New_York", "cst": "America/Chicago",
        "cdt": "America/Chicago", "mst": "America/Denver", "mdt": "America/Denver", "pst": "America/Los_Angeles",
        "pdt": "America/Los_Angeles", "bst": "Europe/London", "cet": "Europe/Berlin", "cest": "Europe/Berlin",
        "mez": "Europe/Berlin", "mesz": "Europe/Berlin", "eet": "Europe/Athens", "eest": "Europe/Athens",
        "msk": "Europe/Moscow", "trt": "Europe/Istanbul", "jst": "Asia/Tokyo", "ist": "Asia/Kolkata",
        "aest": "Australia/Sydney", "aedt": "Australia/Sydney",
    ]
    private static let long = [
        "eastern": "America/New_York", "central": "America/Chicago", "mountain": "America/Denver",
        "pacific": "America/Los_Angeles", "central european": "Europe/Berlin", "san francisco": "America/Los_Angeles",
        "new delhi": "Asia/Kolkata", "delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "beijing": "Asia/Shanghai",
        "boston": "America/New_York", "washington": "America/New_York", "seattle": "America/Los_Angeles",
        "munich": "Europe/Berlin", "munchen": "Europe/Berlin", "hamburg": "Europe/Berlin", "ankara": "Europe/Istanbul",
    ]

    /// The cities of the time zone database, folded.
    private static let cities: [String: String] = {
        var cities = long
        for identifier in TimeZone.knownTimeZoneIdentifiers.sorted() where identifier.contains("/") {
            guard let city = identifier.split(separator: "/").last else { continue }
            let name = RequestTokens.fold(city.replacing("_", with: " "))
            if cities[name] == nil { cities[name] = identifier }
        }
        return cities
    }()

    private static let maximumWords = 3

    /// The names that begin at a word, by their length in words.
    static func matches(
        _ tokens: [RequestTokens.Token], at position: Int, areShort: Bool
    ) -> [(length: Int, zone: String)] {
        if areShort {
            guard !tokens[position].isQuoted, let zone = short[tokens[position].key] else { return [] }
            return [(1, zone)]
        }
        return (1...maximumWords).compactMap { length in
            guard position + length <= tokens.count else { return nil }
            let words = tokens[position..<position + length]
            guard words.allSatisfy({ !$0.isQuoted }) else { return nil }
            let name = words.map(\.key).joined(separator: " ")
            // In German the time of Berlin is that of Berliners.
            let zone = cities[name] ?? (name.hasSuffix("er") ? cities[String(name.dropLast(2))] : nil)
            return zone.map { (length, $0) }
        }
    }
}
