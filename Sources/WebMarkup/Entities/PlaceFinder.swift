/// Finds the places among entities: whatever has a postal address, a coordinate or a telephone number, of whichever type.
package struct PlaceFinder {
    private let graph: EntityGraph
    private let pageAddress: String?
    private var found: [Int: Place] = [:]

    /// As many places of one page are kept.
    package static let limit = 100
    /// As many values are looked through for a name, which each thing within may ask for.
    private static let maximumNames = 100

    private init(_ graph: EntityGraph, _ pageAddress: String?) {
        self.graph = graph
        self.pageAddress = pageAddress
    }

    /// - Parameter pageAddress: Stands in for a place's own address.
    package static func places(in graph: EntityGraph, pageAddress: String?) -> [Place] {
        var finder = PlaceFinder(graph, pageAddress)
        for place in graph.entities.indices where finder.found.count < limit {
            finder.look(at: place)
        }
        return finder.joined()
    }

    private mutating func look(at place: Int) {
        let entity = graph.entities[place]
        // The parts of a place are found through what has them.
        guard !Self.isPart(entity) || graph.parents[place] == nil else { return }
        var result = Place()
        if Self.isPart(entity) {
            read(entity, into: &result)
        }
        for property in entity.properties {
            for value in property.values {
                if case .entity(let part) = value, Self.isPart(graph.entities[part]) {
                    read(graph.entities[part], into: &result)
                }
            }
        }
        if result.addressText == nil, !result.hasAddress {
            result.addressText =
                entity.values("address").lazy.compactMap { value in
                    if case .text(let text) = value { PlaceText.clean(text) } else { nil }
                }.first
        }
        // A thing may have its coordinate itself.
        if result.coordinate == nil, !Self.isPart(entity) { readCoordinate(entity, into: &result) }
        result.telephone = PlaceText.telephone(entity.text("telephone")) ?? result.telephone
        guard result.hasAddress || result.coordinate != nil || result.telephone != nil else { return }
        name(&result, from: place)
        found[place] = result
    }

    /// An address or a coordinate, which is a part of a place.
    private static func isPart(_ entity: Entity) -> Bool {
        entity.types.contains { partTypes.contains($0) || partTypes.contains($0.lowercased()) }
            || (entity.types.isEmpty
                && ["streetAddress", "addressLocality", "latitude"].contains { !entity.values($0).isEmpty })
    }

    /// The names of schema.org, and others that pages write for them, in lower case.
    private static let partTypes: Set<String> = [
        "PostalAddress", "GeoCoordinates", "postaladdress", "geocoordinates", "address", "postal address", "geo",
        "geocoordinate",
    ]

    private func read(_ part: Entity, into place: inout Place) {
        // Lines of two addresses would make a third.
        let isTaken = place.hasAddress
        func set(_ path: WritableKeyPath<Place, String?>, _ name: String) {
            guard !isTaken else { return }
            var text = PlaceText.clean(part.text(name))
            if name == "addressCountry", text == nil, let country = part.entities(name).first {
                text = PlaceText.clean(graph.entities[country].text("name"))
            }
            place[keyPath: path] = text ?? place[keyPath: path]
        }
        set(\.street, "streetAddress")
        set(\.locality, "addressLocality")
        set(\.region, "addressRegion")
        set(\.postalCode, "postalCode")
        set(\.country, "addressCountry")
        if place.telephone == nil { place.telephone = PlaceText.telephone(part.text("telephone")) }
        if place.coordinate == nil { readCoordinate(part, into: &place) }
    }

    private func readCoordinate(_ entity: Entity, into place: inout Place) {
        guard let latitude = entity.text("latitude"), let longitude = entity.text("longitude") else { return }
        guard let north = PlaceText.degrees(latitude), let east = PlaceText.degrees(longitude),
            let coordinate = Place.Coordinate(latitude: north, longitude: east)
        else {
            guard place.remarks.count < Place.maximumRemarks else { return }
            let given = PlaceText.clean("\(latitude), \(longitude)", limit: 40) ?? ""
            place.remarks.append("Its coordinate (\(given)) is not on the earth, so it was left out.")
            return
        }
        place.coordinate = coordinate
    }

    /// Gives a place the nearest name and address: its own, else those of what it belongs to.
    private func name(_ result: inout Place, from start: Int) {
        result.types = Array(graph.entities[start].types.compactMap { PlaceText.clean($0, limit: 100) }.prefix(5))
        var place: Int? = start
        var steps = 0
        while let current = place, steps < 20 {
            let entity = graph.entities[current]
            if result.name == nil { result.name = PlaceText.clean(Self.name(of: entity)) }
            if result.address == nil {
                result.address = [entity.text("url"), entity.identifier].lazy.compactMap { Self.page($0) }.first
            }
            place = graph.parents[current]
            steps += 1
        }
        result.address = result.address ?? pageAddress
    }

    /// A name that is a link has its address for a value, which is no name.
    private static func name(of entity: Entity) -> String? {
        for value in entity.values("name").prefix(maximumNames) + entity.values("legalName").prefix(maximumNames) {
            if case .text(let text) = value, let name = HTMLText.collapsed(text) { return name }
        }
        return nil
    }

    private static func page(_ address: String?) -> String? {
        guard let address, address.utf8.count <= 2048, address.hasPrefix("http://") || address.hasPrefix("https://"),
            !address.unicodeScalars.contains(where: { $0.isUnprintable || $0 == " " })
        else { return nil }
        return address
    }

    /// A thing without a name of its own, such as the telephone of a department, belongs to the place around that has one.
    private mutating func joined() -> [Place] {
        // Inner parts before outer ones, and the first of several numbers before the others.
        let depths = found.keys.reduce(into: [:]) { $0[$1] = depth(of: $1) }
        for place in found.keys.sorted(by: { (-(depths[$0] ?? 0), $0) < (-(depths[$1] ?? 0), $1) }) {
            guard let part = found[place], Self.name(of: graph.entities[place]) == nil,
                let around = nearestPlace(around: place), var whole = found[around]
            else { continue }
            let types = whole.types
            whole.take(part)
            whole.types = types
            found[around] = whole
            found[place] = nil
        }
        var result: [Place] = []
        for place in found.keys.sorted() {
            guard let next = found[place] else { continue }
            // The same place twice, as pages with two syntaxes have it.
            if let known = result.firstIndex(where: {
                $0.isSame(as: next) || $0.isAddress(of: next) || $0.isNumber(of: next)
            }) {
                result[known].take(next)
            } else {
                result.append(next)
            }
        }
        return result
    }

    private func depth(of start: Int) -> Int {
        var place = graph.parents[start]
        var steps = 0
        while let current = place, steps < 20 {
            place = graph.parents[current]
            steps += 1
        }
        return steps
    }

    private func nearestPlace(around start: Int) -> Int? {
        var place = graph.parents[start]
        var steps = 0
        while let current = place, steps < 20 {
            if found[current] != nil { return current }
            place = graph.parents[current]
            steps += 1
        }
        return nil
    }
}

extension Place {
    /// Policy: a place that is described again and again has no more.
    static let maximumTypes = 20
    static let maximumRemarks = 10

    /// Fills what is missing from another description of the same place.
    package mutating func take(_ other: Place) {
        if !hasAddress {
            street = other.street
            locality = other.locality
            region = other.region
            postalCode = other.postalCode
            country = other.country
            addressText = other.addressText
        }
        name = name ?? other.name
        coordinate = coordinate ?? other.coordinate
        telephone = telephone ?? other.telephone
        address = address ?? other.address
        types = Array((types + other.types.filter { !types.contains($0) }).prefix(Self.maximumTypes))
        remarks = Array((remarks + other.remarks.filter { !remarks.contains($0) }).prefix(Self.maximumRemarks))
    }

    /// Whether two are one: the same name, and the same first line of the address, or within 100 m of each other. One that
    /// says neither is the one of its name.
    package func isSame(as other: Place) -> Bool {
        guard let name, let theirs = other.name, name.lowercased() == theirs.lowercased() else { return false }
        if let line = firstLine, let theirs = other.firstLine, line == theirs { return true }
        if let coordinate, let theirs = other.coordinate { return coordinate.meters(to: theirs) <= 100 }
        let saysNothing = firstLine == nil && coordinate == nil
        let otherSaysNothing = other.firstLine == nil && other.coordinate == nil
        return saysNothing || otherSaysNothing
    }

    /// Whether two of one name are at the same place, and neither says anything else than the other.
    package func agrees(with other: Place) -> Bool {
        func isEqual(_ one: String?, _ two: String?) -> Bool? {
            guard let one, let two else { return nil }
            return one.lowercased() == two.lowercased()
        }
        // With and without the code of the country: 030 1234 and +49 30 1234.
        let numbers = [telephone, other.telephone].compactMap { $0?.filter(\.isNumber).drop { $0 == "0" } }
        let isNumber = numbers.count < 2 ? nil : numbers[0].hasSuffix(numbers[1]) || numbers[1].hasSuffix(numbers[0])
        let isNear = coordinate.flatMap { here in other.coordinate.map { here.meters(to: $0) <= 100 } }
        let findings = [isEqual(firstLine, other.firstLine), isNear]
        return findings.contains(true)
            && !(findings + [isNumber, isEqual(locality, other.locality)]).contains(false)
    }

    /// Whether one of two at the same address has no name, and so is the other.
    func isAddress(of other: Place) -> Bool {
        guard name == nil || other.name == nil, let line = firstLine, let theirs = other.firstLine else { return false }
        return line == theirs && (locality == nil || other.locality == nil || locality == other.locality)
    }

    /// Whether one of two is nothing but the telephone number of the other.
    func isNumber(of other: Place) -> Bool {
        guard let telephone, let theirs = other.telephone else { return false }
        let isNumberAlone = [self, other].contains { $0.name == nil && !$0.hasAddress && $0.coordinate == nil }
        let digits = telephone.filter(\.isNumber)
        return isNumberAlone && !digits.isEmpty && digits == theirs.filter(\.isNumber)
    }

    private var firstLine: String? {
        (street ?? addressText?.split(separator: ",").first.map(String.init))?.lowercased()
    }
}
