/// Answers of a gazetteer. A town is never passed off as an address.
extension Gazetteer {
    /// More words than this are no address.
    private static let maximumWords = 24

    package func answer(_ query: GeocodeQuery) -> GeocodeAnswer {
        switch query.subject {
        case .kind: return GeocodeAnswer()
        case .point(let point):
            guard let (town, distance) = nearest(point) else { return GeocodeAnswer() }
            return GeocodeAnswer(places: [place(town, accuracy: max(Self.minimumAccuracy, distance))])
        case .address(let address):
            return ordered(answer(address), query)
        case .text(let text) where query.purpose == .complete:
            let towns = towns(beginning: PlaceWords.fold(text), limit: query.limit)
            return GeocodeAnswer(places: towns.map { place($0) })
        case .text(let text):
            return ordered(answer(text), query)
        }
    }

    private func ordered(_ answer: GeocodeAnswer, _ query: GeocodeQuery) -> GeocodeAnswer {
        var answer = answer
        if let near = query.near {
            func distance(_ place: FoundPlace) -> Double { place.point.map { near.distance(to: $0) } ?? .infinity }
            answer.places.sort { distance($0) < distance($1) }
        }
        answer.places = Array(answer.places.prefix(query.limit))
        return answer
    }

    private func answer(_ address: GeocodeQuery.Address) -> GeocodeAnswer {
        guard !address.city.isEmpty else { return GeocodeAnswer() }
        var qualifiers = PlaceWords.words(address.state)
        // Not the postal code, of which nothing is known here. A country's name in another language is no reason to find
        // nothing, where there is its code.
        qualifiers += PlaceWords.words(address.countryCode.isEmpty ? address.country : address.countryCode)
        let words = PlaceWords.words(address.city)
        var towns = matching(words[...], qualifiers[...])
        // “Bavaria” is no region that this knows.
        if towns.isEmpty, qualify(qualifiers[...]) == nil {
            let country = PlaceWords.words(address.countryCode.isEmpty ? address.country : address.countryCode)
            towns = matching(words[...], qualify(country[...]) == nil ? [] : country[...])
        }
        return GeocodeAnswer(places: towns.map { place($0) }, isPartial: !address.street.isEmpty && !towns.isEmpty)
    }

    /// Finds `street town qualifiers`, with as little as possible before the town, and the longest name of one.
    private func answer(_ text: String) -> GeocodeAnswer {
        let words = PlaceWords.words(text)
        guard (1...Self.maximumWords).contains(words.count) else { return GeocodeAnswer() }
        let codes = words.prefix { Self.isPostalCode($0) }.count
        for start in words.indices {
            for end in stride(from: words.endIndex, to: start, by: -1) {
                var towns = matching(words[start..<end], words[end...])
                // “Bad Homburg” is the beginning of a name, and not Homburg in a street called “Bad”.
                if towns.isEmpty, end - start > 1 { towns = beginning(words[start..<end], words[end...]) }
                guard !towns.isEmpty else { continue }
                // A town with its postal code is a town. “1500 Lincoln” is a house in a street.
                let written = Self.asWritten(text, towns)
                let isHouse = codes > 0 && written.first.map { Self.codesFollow.contains($0.country) } ?? false
                return GeocodeAnswer(places: written.map { place($0) }, isPartial: start > codes || isHouse)
            }
        }
        return answerAroundRegion(text)
    }

    /// “Mumbai, Maharashtra, India”: a region of a country whose regions the file does not know. It may be a street as well.
    private func answerAroundRegion(_ text: String) -> GeocodeAnswer {
        let parts = text.split(separator: ",").map { PlaceWords.words($0) }.filter { !$0.isEmpty }
        guard parts.count == 3, !parts[1].contains(where: { $0.contains(where: \.isNumber) }) else {
            return GeocodeAnswer()
        }
        let towns = matching(parts[0].drop { Self.isPostalCode($0) }, parts[2][...]).filter {
            regions[$0.country] == nil
        }
        return GeocodeAnswer(places: towns.map { place($0) }, isPartial: !towns.isEmpty)
    }

    /// “San José” is meant before the towns without the accent.
    private static func asWritten(_ text: String, _ towns: [Town]) -> [Town] {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return towns }
        let text = text.lowercased()
        return towns.filter { text.contains($0.name.lowercased()) }
            + towns.filter { !text.contains($0.name.lowercased()) }
    }

    /// Countries that write postal codes after a town.
    private static let codesFollow: Set<String> = ["AU", "CA", "GB", "IE", "IN", "NZ", "US"]

    /// As many countries write them in front of a town; the numbers of houses are shorter.
    private static func isPostalCode(_ word: String) -> Bool {
        (4...6).contains(word.utf8.count) && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private func matching(_ name: ArraySlice<String>, _ qualifiers: ArraySlice<String>) -> [Town] {
        guard let meanings = qualify(qualifiers) else { return [] }
        return towns(named: name.joined(separator: " ")).filter { Self.isIn(meanings, $0) }
    }

    /// The towns whose names go on after these words.
    private func beginning(_ name: ArraySlice<String>, _ qualifiers: ArraySlice<String>) -> [Town] {
        guard let meanings = qualify(qualifiers) else { return [] }
        let prefix = name.joined(separator: " ") + " "
        return towns(beginning: prefix, limit: GeocodeQuery.maximumResults).filter { Self.isIn(meanings, $0) }
    }

    private static func isIn(_ meanings: [(country: String, region: String)], _ town: Town) -> Bool {
        meanings.contains { meaning in
            (meaning.country.isEmpty || meaning.country == town.country)
                && (meaning.region.isEmpty || meaning.region == town.region)
        }
    }

    private func place(_ town: Town, accuracy: Double? = nil) -> FoundPlace {
        // A city of a million is some 10 km wide.
        let size = max(Self.minimumAccuracy, 10 * Double(town.population).squareRoot())
        return FoundPlace(
            source: .gazetteer,
            texts: [
                "name": town.name, "locality": town.name, "administrativeArea": town.region,
                "country": countries[town.country] ?? "", "isoCountryCode": town.country, "timeZone": town.timeZone,
            ], point: town.point, accuracy: accuracy ?? size)
    }
}
