package import BatonCore
package import Foundation

/// Towns by their names: a file of `dev/gazetteer`, or a larger one of the same form. A pure value.
///
/// It knows no streets, and never says that it does.
package struct Gazetteer: Sendable {
    struct Town: Sendable, Hashable {
        var name: String
        var point: GeoPoint
        var country: String
        var region: String
        var population: Int
        var timeZone: String
    }

    private struct Entry: Sendable {
        var key: String
        var line: UInt32
        /// Another name than the one that it is shown by.
        var isOther: Bool
    }

    /// A town is right within this distance, however small it is.
    static let minimumAccuracy = 5_000.0
    package static let maximumBytes = 256 << 20
    private static let maximumLines = 2_000_000

    private let content: Data
    /// Where each town's line begins.
    private let lines: [UInt32]
    /// Where each town is, for the search of the nearest.
    private let latitudes: [Float]
    /// By key, then as in the file.
    private let entries: [Entry]
    /// Names of countries by code, and of regions by country and code.
    let countries: [String: String]
    let regions: [String: [String: String]]
    /// The words that may stand after a town: folded, with the country and region that it means.
    private let qualifiers: [String: [(country: String, region: String)]]
    package let count: Int

    /// Lines that break the form are passed over.
    /// - Throws: `invalid_argument` when nothing in it is a town.
    package init(_ content: Data) throws(BatonError) {
        guard content.count <= Self.maximumBytes else { throw Self.unusable("It has more than 256 MiB.") }
        self.content = content
        var lines: [UInt32] = []
        var latitudes: [Float] = []
        var entries: [Entry] = []
        var countries: [String: String] = [:]
        var regions: [String: [String: String]] = [:]
        var start = content.startIndex
        while start < content.endIndex, lines.count < Self.maximumLines {
            let end = content[start...].firstIndex(of: 0x0A) ?? content.endIndex
            defer { start = end < content.endIndex ? end + 1 : end }
            let line = content[start..<end]
            guard let first = line.first, first != 0x23 else { continue }
            let fields = Self.fields(line)
            if first == 0x40 {
                guard fields.count >= 4 else { continue }
                if fields[2].isEmpty {
                    countries[fields[1]] = fields[3]
                } else {
                    regions[fields[1], default: [:]][fields[2]] = fields[3]
                }
                continue
            }
            guard let town = Self.town(fields) else { continue }
            let number = UInt32(lines.count)
            lines.append(UInt32(start - content.startIndex))
            latitudes.append(Float(town.point.latitude))
            var keys: Set<String> = []
            let others = fields.count > 7 ? fields[7].split(separator: ",").map(String.init) : []
            for (place, name) in ([fields[0]] + others).enumerated() {
                for key in TownNames.keys(of: name) where keys.insert(key).inserted {
                    entries.append(Entry(key: key, line: number, isOther: place > 0))
                }
            }
        }
        guard !lines.isEmpty else { throw Self.unusable("No line in it is a town.") }
        entries.sort { ($0.key, $0.line) < ($1.key, $1.line) }
        self.lines = lines
        self.latitudes = latitudes
        self.entries = entries
        self.countries = countries
        self.regions = regions
        qualifiers = Self.qualifiers(countries, regions)
        count = lines.count
    }

    private static func unusable(_ reason: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "gazetteer_unusable",
            "The file of places cannot be used. \(reason) Make one with dev/gazetteer.")
    }

    private static func qualifiers(
        _ countries: [String: String], _ regions: [String: [String: String]]
    ) -> [String: [(country: String, region: String)]] {
        var qualifiers: [String: [(country: String, region: String)]] = [:]
        for (code, name) in countries {
            for text in Set([code, name].map(PlaceWords.fold)).union(TownNames.countryNames(code)) {
                qualifiers[text, default: []].append((code, ""))
            }
        }
        for (country, names) in regions {
            for (code, name) in names {
                for text in Set([code, name].map(PlaceWords.fold)) {
                    qualifiers[text, default: []].append((country, code))
                }
            }
        }
        // Where the file does not say more of them.
        for (text, country) in TownNames.otherCountryNames where qualifiers[text] == nil {
            qualifiers[text] = [(country, "")]
        }
        return qualifiers
    }

    private static func fields(_ line: Data) -> [String] {
        String(decoding: line, as: UTF8.self).split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }

    private static func town(_ fields: [String]) -> Town? {
        guard fields.count >= 7, !fields[0].isEmpty, let latitude = Double(fields[1]),
            let longitude = Double(fields[2]), let point = GeoPoint(latitude: latitude, longitude: longitude),
            let population = Int(fields[5])
        else { return nil }
        return Town(
            name: fields[0], point: point, country: fields[3], region: fields[4], population: max(0, population),
            timeZone: fields[6])
    }

    private func town(_ number: UInt32) -> Town? {
        let start = content.startIndex + Int(lines[Int(number)])
        return Self.town(Self.fields(content[start..<(content[start...].firstIndex(of: 0x0A) ?? content.endIndex)]))
    }

    // MARK: Looking up

    /// The first entry whose key is not before `key`.
    private func firstIndex(_ key: String) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The towns of this name, the largest first.
    func towns(named key: String) -> [Town] {
        var found: [Town] = []
        for entry in entries[firstIndex(key)...] {
            guard entry.key == key else { break }
            if let town = town(entry.line) { found.append(town) }
        }
        return found.sorted { $0.population > $1.population }
    }

    /// The largest towns whose names begin so.
    func towns(beginning prefix: String, limit: Int) -> [Town] {
        guard !prefix.isEmpty else { return [] }
        var seen: Set<UInt32> = []
        var found: (main: [Town], other: [Town]) = ([], [])
        // One letter begins a few thousand names.
        for entry in entries[firstIndex(prefix)...].prefix(20_000) {
            guard entry.key.hasPrefix(prefix) else { break }
            guard seen.insert(entry.line).inserted, let town = town(entry.line) else { continue }
            if entry.isOther { found.other.append(town) } else { found.main.append(town) }
        }
        func largest(_ towns: [Town]) -> [Town] { towns.sorted { $0.population > $1.population } }
        return Array((largest(found.main) + largest(found.other)).prefix(limit))
    }

    /// The town that is nearest to a point, and how far it is; none within 50 km counts.
    func nearest(_ point: GeoPoint) -> (town: Town, distance: Double)? {
        var best: (town: Town, distance: Double)?
        // Half a degree of latitude is 55 km everywhere.
        for (number, latitude) in latitudes.enumerated() where abs(Double(latitude) - point.latitude) < 0.5 {
            guard let town = town(UInt32(number)) else { continue }
            let distance = point.distance(to: town.point)
            if distance < best?.distance ?? 50_000 { best = (town, distance) }
        }
        return best
    }

    /// The meaning of words after a town: its country or region. A code of letters and digits counts as a postal code, which says
    /// nothing here.
    /// - Returns: nil for words that are neither.
    func qualify(_ words: ArraySlice<String>) -> [(country: String, region: String)]? {
        if words.isEmpty { return [("", "")] }
        guard words.count <= 8 else { return nil }
        for length in stride(from: min(words.count, 5), through: 1, by: -1) {
            let head = words.prefix(length).joined(separator: " ")
            let isCode = length == 1 && head.contains { $0.isNumber }
            let meanings = isCode ? [("", "")] : qualifiers[head] ?? []
            guard !meanings.isEmpty, let rest = qualify(words.dropFirst(length)) else { continue }
            let joined = meanings.flatMap { meaning in
                rest.compactMap { other -> (country: String, region: String)? in
                    guard meaning.0.isEmpty || other.country.isEmpty || meaning.0 == other.country else { return nil }
                    return (
                        meaning.0.isEmpty ? other.country : meaning.0, meaning.1.isEmpty ? other.region : meaning.1
                    )
                }
            }
            if !joined.isEmpty { return joined }
        }
        return nil
    }
}

extension GeoPoint {
    /// In metres, on a sphere.
    package func distance(to other: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let vertical = sin((other.latitude - latitude) * radians / 2)
        let horizontal = sin((other.longitude - longitude) * radians / 2)
        let part =
            vertical * vertical + cos(latitude * radians) * cos(other.latitude * radians) * horizontal * horizontal
        return 2 * 6_371_008.8 * asin(min(1, part.squareRoot()))
    }
}
