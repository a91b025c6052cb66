/// The entities of a page, one for each thing: what several nodes say of one identifier is put together.
package struct EntityGraph: Sendable {
    package private(set) var entities: [Entity] = []
    /// Those that no other has as a value.
    package var roots: [Int] { entities.indices.filter { parents[$0] == nil && !entities[$0].isEmpty } }
    /// The first entity that has each as a value.
    package private(set) var parents: [Int: Int] = [:]

    private var byIdentifier: [String: Int] = [:]

    package init() {}

    package init(_ nodes: [JSONValue]) {
        for node in nodes { add(node) }
    }

    /// - Parameter node: A node of expanded JSON-LD.
    package mutating func add(_ node: JSONValue) {
        guard let object = node.object, object["@value"] == nil else { return }
        _ = place(of: object)
    }

    private mutating func place(of object: JSONObject) -> Int {
        let identifier = object["@id"]?.string
        let place: Int
        if let identifier, let known = byIdentifier[identifier] {
            place = known
        } else {
            place = entities.count
            entities.append(Entity(identifier: identifier.flatMap { $0.hasPrefix("_:") ? nil : $0 }))
            if let identifier { byIdentifier[identifier] = place }
        }
        for type in object["@type"]?.elements ?? [] {
            guard let name = type.string.map(Self.short), !entities[place].types.contains(name) else { continue }
            // Further types are ignored.
            if entities[place].types.count < 20 { entities[place].types.append(name) }
        }
        for (name, value) in object.members {
            switch name {
            case "@reverse":
                for (reverse, owners) in value.object?.members ?? [] {
                    for owner in owners.elements.compactMap(\.object) {
                        let owner = self.place(of: owner)
                        add(.entity(place), Self.short(reverse), to: owner)
                    }
                }
            case "@graph", "@included": for node in value.elements { add(node) }
            case _ where name.hasPrefix("@"): break
            default: for value in value.elements { add(value, Self.short(name), to: place) }
            }
        }
        return place
    }

    private mutating func add(_ value: JSONValue, _ name: String, to owner: Int) {
        guard let object = value.object else { return }
        if let list = object["@list"] {
            for element in list.elements where element.object?["@list"] == nil { add(element, name, to: owner) }
        } else if let scalar = object["@value"] {
            switch scalar {
            case .string(let text), .number(let text): add(.text(text), name, to: owner)
            case .bool(let bool): add(.text(bool ? "true" : "false"), name, to: owner)
            default: break
            }
        } else if object.members.count == 1, let identifier = object["@id"]?.string {
            // A thing that is only named may be described elsewhere, before or after.
            add(.address(identifier), name, to: owner)
        } else {
            let place = place(of: object)
            add(.entity(place), name, to: owner)
        }
    }

    private mutating func add(_ value: Entity.Value, _ name: String, to owner: Int) {
        if case .entity(let place) = value, place != owner, parents[place] == nil { parents[place] = owner }
        entities[owner].add(value, to: name)
    }

    /// Puts entities in the place of addresses that stand for them. To be called when everything was added.
    package mutating func resolve() {
        for owner in entities.indices {
            for property in entities[owner].properties.indices {
                for value in entities[owner].properties[property].values.indices {
                    guard case .address(let address) = entities[owner].properties[property].values[value],
                        let place = byIdentifier[address], place != owner
                    else { continue }
                    entities[owner].properties[property].values[value] = .entity(place)
                    if parents[place] == nil { parents[place] = owner }
                }
            }
        }
        removeRings()
    }

    /// Things that have each other as values would have no root. So the first one that leads back to itself has no parent.
    private mutating func removeRings() {
        var settled: Set<Int> = []
        for start in entities.indices {
            var path: Set<Int> = []
            var place = start
            while !settled.contains(place), path.insert(place).inserted, let parent = parents[place] { place = parent }
            if !settled.contains(place), parents[place] != nil, path.contains(place) { parents[place] = nil }
            settled.formUnion(path)
        }
    }

    private static let starts = [
        "http://schema.org/", "https://schema.org/", "http://www.schema.org/", "https://www.schema.org/",
    ]

    /// The short name of a term of schema.org, whichever form of its address a page uses.
    static func short(_ iri: String) -> String {
        let bytes = iri.utf8
        for start in starts where bytes.starts(with: start.utf8) {
            return String(bytes.dropFirst(start.utf8.count)) ?? iri
        }
        return iri
    }
}

extension Entity {
    var isEmpty: Bool { types.isEmpty && properties.isEmpty }
}
