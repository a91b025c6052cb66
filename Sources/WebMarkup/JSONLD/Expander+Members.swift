extension Expander {
    mutating func expandMembers(of object: JSONObject, _ work: inout ObjectExpansion) throws(JSONLDError) {
        var nests: [JSONValue] = []
        for (name, value) in object.members.sorted(by: { $0.name < $1.name }) where name != "@context" {
            guard let iri = try contexts.expand(name, in: work.context, isVocabulary: true) else { continue }
            if iri == "@nest" {
                nests += value.elements
            } else if Keyword.isOne(iri) {
                try expandKeyword(iri, value, &work)
            } else if IRI.hasColon(iri) {
                try expandProperty(name, iri, value, &work)
            }
        }
        for nest in nests {
            guard let nested = nest.object else { throw .invalidNestValue }
            for name in nested.names
            where try contexts.expand(name, in: work.context, isVocabulary: true) == "@value" {
                throw .invalidNestValue
            }
            try contexts.spend(1)
            try expandMembers(of: nested, &work)
        }
    }

    // MARK: Keywords

    private mutating func expandKeyword(
        _ keyword: String, _ value: JSONValue, _ work: inout ObjectExpansion
    ) throws(JSONLDError) {
        if work.property == "@reverse" { throw .invalidReversePropertyMap }
        if work.result[keyword] != nil, keyword != "@included", keyword != "@type" { throw .collidingKeywords }
        switch keyword {
        case "@id":
            guard let text = value.string else { throw .invalidIDValue }
            let iri = try contexts.expand(text, in: work.context, isDocumentRelative: true)
            work.result["@id"] = iri.map { .string($0) } ?? .null
        case "@type": try expandTypes(value, &work)
        case "@graph":
            let graph = try expand(value, in: work.context, property: "@graph")
            work.result["@graph"] = .array(graph.isNull ? [] : graph.elements)
        case "@included":
            let included = try expand(value, in: work.context, property: nil)
            let nodes = included.isNull ? [] : included.elements
            guard nodes.allSatisfy({ $0.object.map(Self.isNode) ?? false }), !value.isScalar else {
                throw .invalidIncludedValue
            }
            for node in nodes { work.result.add(node, to: "@included") }
        case "@value":
            guard value.isScalar || value.isNull || work.isJSON else { throw .invalidValueObjectValue }
            work.result["@value"] = value
        case "@language":
            guard value.string != nil else { throw .invalidLanguageTaggedString }
            work.result["@language"] = value
        case "@index":
            guard value.string != nil else { throw .invalidIndexValue }
            work.result["@index"] = value
        case "@list":
            guard let property = work.property, property != "@graph" else { return }
            let list = try expand(value, in: work.context, property: property)
            work.result["@list"] = .array(list.isNull ? [] : list.elements)
        case "@set": work.result["@set"] = try expand(value, in: work.context, property: work.property)
        case "@reverse": try expandReverse(value, &work)
        default: break
        }
    }

    private static func isNode(_ object: JSONObject) -> Bool {
        object["@value"] == nil && object["@list"] == nil && object["@set"] == nil
    }

    private mutating func expandTypes(_ value: JSONValue, _ work: inout ObjectExpansion) throws(JSONLDError) {
        var types: [JSONValue] = []
        for element in value.elements {
            guard let text = element.string else { throw .invalidTypeValue }
            let iri = try contexts.expand(text, in: work.typeContext, isDocumentRelative: true, isVocabulary: true)
            if let iri { types.append(.string(iri)) }
        }
        let before = work.result["@type"]?.elements ?? []
        let isOne = before.isEmpty && value.string != nil
        work.result["@type"] = isOne ? types.first ?? .array([]) : .array(before + types)
    }

    private mutating func expandReverse(_ value: JSONValue, _ work: inout ObjectExpansion) throws(JSONLDError) {
        guard case .object = value else { throw .invalidReverseValue }
        guard let map = try expand(value, in: work.context, property: "@reverse").object else { return }
        for (name, items) in map["@reverse"]?.object?.members ?? [] {
            for item in items.elements { work.result.add(item, to: name) }
        }
        for (name, items) in map.members where name != "@reverse" {
            for item in items.elements { try addReverse(item, name, &work) }
        }
    }

    private func addReverse(_ item: JSONValue, _ name: String, _ work: inout ObjectExpansion) throws(JSONLDError) {
        guard let object = item.object, object["@value"] == nil, object["@list"] == nil else {
            throw .invalidReversePropertyValue
        }
        var map = work.result["@reverse"]?.object ?? JSONObject()
        // Taken out while it grows, so that it is not copied; to remove it would count all members again.
        work.result["@reverse"] = .null
        map.add(item, to: name)
        work.result["@reverse"] = .object(map)
    }

    // MARK: Properties

    private mutating func expandProperty(
        _ name: String, _ iri: String, _ value: JSONValue, _ work: inout ObjectExpansion
    ) throws(JSONLDError) {
        let term = work.context.terms[name]
        let containers = term?.containers ?? []
        var expanded: JSONValue
        if term?.type == "@json" {
            expanded = .object(JSONObject([("@value", value), ("@type", .string("@json"))]))
        } else if containers.contains("@language"), let object = value.object {
            expanded = .array(try languageMap(object, in: work.context))
        } else if !containers.isEmpty, let object = value.object,
            !containers.isDisjoint(with: ["@index", "@type", "@id"])
        {
            expanded = .array(try indexMap(object, name, containers, in: work.context))
        } else {
            expanded = try expand(value, in: work.context, property: name)
        }
        if expanded.isNull { return }
        if containers.contains("@list"), expanded.object?["@list"] == nil {
            expanded = .object(JSONObject([("@list", .array(expanded.elements))]))
        }
        if containers.contains("@graph"), containers.isDisjoint(with: ["@id", "@index"]) {
            expanded = .array(expanded.elements.map { .object(JSONObject([("@graph", .array($0.elements))])) })
        }
        if term?.isReverse == true {
            for item in expanded.elements { try addReverse(item, iri, &work) }
        } else if case .array(let items) = expanded, items.isEmpty {
            if work.result[iri] == nil { work.result[iri] = expanded }
        } else {
            for item in expanded.elements { work.result.add(item, to: iri) }
        }
    }

    private mutating func languageMap(
        _ object: JSONObject, in context: ActiveContext
    ) throws(JSONLDError) -> [JSONValue] {
        var result: [JSONValue] = []
        for (tag, value) in object.members.sorted(by: { $0.name < $1.name }) {
            for item in value.elements where !item.isNull {
                guard item.string != nil else { throw .invalidLanguageMapValue }
                var object = JSONObject([("@value", item)])
                if try contexts.expand(tag, in: context, isVocabulary: true) != "@none" {
                    object["@language"] = .string(tag)
                }
                result.append(.object(object))
            }
        }
        return result
    }

    private mutating func indexMap(
        _ object: JSONObject, _ name: String, _ containers: Set<String>, in context: ActiveContext
    ) throws(JSONLDError) -> [JSONValue] {
        var result: [JSONValue] = []
        let indexName = context.terms[name]?.index ?? "@index"
        for (index, value) in object.members.sorted(by: { $0.name < $1.name }) {
            var mapContext = context
            if !containers.isDisjoint(with: ["@type", "@id"]) {
                mapContext = context.previous?.context ?? context
                if containers.contains("@type"), let scoped = mapContext.terms[index]?.context {
                    mapContext = try contexts.process(scoped, in: mapContext)
                }
            }
            let iri = try contexts.expand(index, in: context, isVocabulary: true)
            let items = try expand(.array(value.elements), in: mapContext, property: name, fromMap: true)
            for item in items.elements {
                guard var entry = item.object else { continue }
                if containers.contains("@graph"), entry["@graph"] == nil {
                    entry = JSONObject([("@graph", .array([item]))])
                }
                if iri != "@none" { try mark(&entry, index, iri, indexName, containers, in: context) }
                result.append(.object(entry))
            }
        }
        return result
    }

    private mutating func mark(
        _ entry: inout JSONObject, _ index: String, _ iri: String?, _ indexName: String, _ containers: Set<String>,
        in context: ActiveContext
    ) throws(JSONLDError) {
        if containers.contains("@index"), indexName != "@index" {
            let value = try expandValue(.string(index), of: indexName, in: context)
            guard entry["@value"] == nil,
                let property = try contexts.expand(indexName, in: context, isVocabulary: true)
            else { throw .invalidValueObject }
            entry[property] = .array([value] + (entry[property]?.elements ?? []))
        } else if containers.contains("@index") {
            if entry["@index"] == nil { entry["@index"] = .string(index) }
        } else if containers.contains("@id") {
            if entry["@id"] == nil {
                let id = try contexts.expand(index, in: context, isDocumentRelative: true)
                entry["@id"] = id.map { .string($0) }
            }
        } else if containers.contains("@type"), let iri {
            entry["@type"] = .array([.string(iri)] + (entry["@type"]?.elements ?? []))
        }
    }
}

extension ObjectExpansion {
    /// Whether the value is of JSON itself; `@type` comes before `@value`.
    var isJSON: Bool { result["@type"] == .string("@json") }
}
