import WebMarkup

/// The description that a page gives of itself, for people and for programs.
struct PageReport {
    private let markup: PageMarkup

    /// Things within things are shown so far.
    private static let depth = 8
    /// After as many values things within things are only named: some that refer to each other make a small page endless. No page has
    /// more of its own.
    private static let values = 100_000

    init(_ markup: PageMarkup) { self.markup = markup }

    /// The omitted parts.
    var remarks: [String] {
        markup.problems + (markup.isTruncated ? ["The page has more than was read."] : [])
    }

    // MARK: People

    var text: String {
        var lines: [String] = []
        if let title = PlaceText.clean(markup.title) { lines.append(title) }
        if let summary = PlaceText.clean(markup.summary, limit: 500) { lines.append("  \(summary)") }
        if !markup.places.isEmpty { lines += ["", "Places:"] + markup.places.flatMap(Self.lines) }
        let roots = markup.entities.roots
        if !roots.isEmpty { lines += ["", "Things:"] }
        var left = Self.values
        for root in roots { append(root, depth: 1, path: [], to: &lines, &left) }
        if markup.places.isEmpty, roots.isEmpty { lines.append("The page says nothing of itself for programs.") }
        if !remarks.isEmpty { lines += [""] + remarks }
        return lines.map(TerminalText.escape).joined(separator: "\n")
    }

    static func lines(_ place: Place) -> [String] {
        var lines = ["  " + (place.name ?? "(without a name)")]
        let coordinate = place.coordinate.map { "\($0.latitude), \($0.longitude)" }
        let types = place.types.isEmpty ? nil : place.types.joined(separator: ", ")
        lines += [types, place.addressLine, coordinate, place.telephone, place.address].compactMap { $0 }.map {
            "    \($0)"
        }
        return lines + place.remarks.map { "    \($0)" }
    }

    private func append(
        _ place: Int, depth: Int, path: Set<Int>, to lines: inout [String], _ left: inout Int
    ) {
        let entity = markup.entities.entities[place]
        let indentation = String(repeating: "  ", count: depth)
        let types = entity.types.isEmpty ? "Thing" : entity.types.joined(separator: ", ")
        lines.append(indentation + types + (entity.identifier.map { " <\($0)>" } ?? ""))
        for property in entity.properties {
            for value in property.values {
                left -= 1
                switch value {
                case .text(let text), .address(let text):
                    let shown = PlaceText.clean(text, limit: 200) ?? ""
                    lines.append("\(indentation)  \(property.name): \(shown)")
                case .entity(let part):
                    lines.append("\(indentation)  \(property.name):")
                    if depth < Self.depth, left > 0, !path.contains(part), part != place {
                        append(part, depth: depth + 2, path: path.union([place]), to: &lines, &left)
                    }
                }
            }
        }
    }

    // MARK: Programs

    var json: JSONValue {
        var left = Self.values
        let entities = markup.entities.roots.map { json(of: $0, path: [], &left) }
        return [
            "title": Self.optional(markup.title), "description": Self.optional(markup.summary),
            "canonical": Self.optional(markup.canonical), "places": .array(markup.places.map(Self.json)),
            "entities": .array(entities),
            "truncated": .boolean(markup.isTruncated), "problems": .init(strings: markup.problems),
        ]
    }

    private static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    static func json(_ place: Place) -> JSONValue {
        [
            "name": optional(place.name), "types": .init(strings: place.types), "street": optional(place.street),
            "locality": optional(place.locality), "region": optional(place.region),
            "postal_code": optional(place.postalCode), "country": optional(place.country),
            "address": optional(place.addressLine),
            "latitude": place.coordinate.map { .real($0.latitude) } ?? .null,
            "longitude": place.coordinate.map { .real($0.longitude) } ?? .null,
            "telephone": optional(place.telephone), "url": optional(place.address),
            "remarks": .init(strings: place.remarks),
        ]
    }

    private func json(of place: Int, path: Set<Int>, _ left: inout Int) -> JSONValue {
        let entity = markup.entities.entities[place]
        var members: [JSONValue.Member] = []
        if let identifier = entity.identifier { members.append(.init("id", .string(identifier))) }
        members.append(.init("types", .init(strings: entity.types)))
        guard path.count < Self.depth else { return .object(members) }
        var properties: [JSONValue.Member] = []
        for property in entity.properties {
            let values = property.values.map { value -> JSONValue in
                left -= 1
                return switch value {
                case .text(let text), .address(let text): .string(text)
                // An item that contains itself is named within itself, and no more.
                case .entity(let part) where part == place || path.contains(part) || left <= 0:
                    .object([.init("id", Self.optional(markup.entities.entities[part].identifier))])
                case .entity(let part): json(of: part, path: path.union([place]), &left)
                }
            }
            properties.append(.init(property.name, .array(values)))
        }
        return .object(members + [.init("properties", .object(properties))])
    }
}
