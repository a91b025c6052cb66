extension ContextProcessor {
    mutating func define(
        _ term: String, in context: inout ActiveContext, _ reading: inout ContextReading
    ) throws(JSONLDError) {
        switch reading.defined[term] {
        case true?: return
        case false?: throw .cyclicIRIMapping
        case nil: break
        }
        guard !term.isEmpty else { throw .invalidTermDefinition }
        guard reading.depth < 100 else { throw .tooMuchWork }
        reading.depth += 1
        defer { reading.depth -= 1 }
        reading.defined[term] = false
        let value = reading.object[term] ?? .null
        if term == "@type" {
            try checkTypeDefinition(value)
        } else if Keyword.isOne(term) {
            throw .keywordRedefinition
        } else if Keyword.looksLikeOne(term) {
            return
        }
        context.terms[term] = nil
        let (object, isSimple): (JSONObject, Bool)
        switch value {
        case .null: (object, isSimple) = (JSONObject([("@id", .null)]), false)
        case .string: (object, isSimple) = (JSONObject([("@id", value)]), true)
        case .object(let given): (object, isSimple) = (given, false)
        default: throw .invalidTermDefinition
        }
        guard object.members.allSatisfy({ Self.ofDefinitions.contains($0.name) }) else { throw .invalidTermDefinition }
        if let definition = try definition(of: term, object, isSimple, in: &context, &reading) {
            context.terms[term] = definition
            if definition.context != nil { context.hasScopedContexts = true }
        }
        reading.defined[term] = true
    }

    private static let ofDefinitions: Set<String> = [
        "@container", "@context", "@direction", "@id", "@index", "@language", "@nest", "@prefix", "@protected",
        "@reverse", "@type",
    ]

    private func checkTypeDefinition(_ value: JSONValue) throws(JSONLDError) {
        guard let object = value.object, !object.isEmpty else { throw .keywordRedefinition }
        for member in object.members {
            switch member.name {
            case "@protected": break
            case "@container" where member.value.elements == [.string("@set")]: break
            default: throw .keywordRedefinition
            }
        }
    }

    private mutating func definition(
        of term: String, _ object: JSONObject, _ isSimple: Bool, in context: inout ActiveContext,
        _ reading: inout ContextReading
    ) throws(JSONLDError) -> TermDefinition? {
        var definition = TermDefinition()
        if let type = object["@type"] { definition.type = try self.type(type, in: &context, &reading) }
        if let reverse = object["@reverse"] {
            return try reversed(reverse, object, definition, in: &context, &reading)
        }
        guard try setIRI(of: &definition, term, object, isSimple, in: &context, &reading) else { return nil }
        if let container = object["@container"], !container.isNull {
            definition.containers = try containers(container)
            if definition.containers.contains("@type") {
                definition.type = definition.type ?? "@id"
                guard definition.type == "@id" || definition.type == "@vocab" else { throw .invalidTypeMapping }
            }
        }
        if let index = object["@index"] {
            guard definition.containers.contains("@index"), let name = index.string else {
                throw .invalidTermDefinition
            }
            guard let iri = try expand(name, in: &context, &reading), IRI.isAbsolute(iri) else {
                throw .invalidTermDefinition
            }
            definition.index = name
        }
        definition.context = object["@context"]
        if let language = object["@language"], object["@type"] == nil {
            switch language {
            case .null: definition.language = .none
            case .string(let tag): definition.language = .tag(tag)
            default: throw .invalidLanguageMapping
            }
        }
        if let nest = object["@nest"] {
            guard let name = nest.string, name == "@nest" || !Keyword.isOne(name) else { throw .invalidNestValue }
        }
        if let prefix = object["@prefix"] {
            guard !term.contains(":"), !term.contains("/") else { throw .invalidTermDefinition }
            guard case .bool(let isPrefix) = prefix else { throw .invalidPrefixValue }
            definition.isPrefix = isPrefix
            if isPrefix, let iri = definition.iri, Keyword.isOne(iri) { throw .invalidTermDefinition }
        }
        return definition
    }

    private mutating func type(
        _ value: JSONValue, in context: inout ActiveContext, _ reading: inout ContextReading
    ) throws(JSONLDError) -> String {
        guard let text = value.string, let type = try expand(text, in: &context, &reading) else {
            throw .invalidTypeMapping
        }
        guard ["@id", "@vocab", "@json", "@none"].contains(type) || IRI.isAbsolute(type) else {
            throw .invalidTypeMapping
        }
        return type
    }

    private mutating func reversed(
        _ value: JSONValue, _ object: JSONObject, _ start: TermDefinition, in context: inout ActiveContext,
        _ reading: inout ContextReading
    ) throws(JSONLDError) -> TermDefinition? {
        guard object["@id"] == nil, object["@nest"] == nil else { throw .invalidReverseProperty }
        guard let text = value.string else { throw .invalidIRIMapping }
        if Keyword.looksLikeOne(text) { return nil }
        guard let iri = try expand(text, in: &context, &reading), IRI.hasColon(iri) else { throw .invalidIRIMapping }
        var definition = start
        definition.iri = iri
        definition.isReverse = true
        switch object["@container"] {
        case nil, .null?: break
        case .string(let container)? where container == "@set" || container == "@index":
            definition.containers = [container]
        default: throw .invalidReverseProperty
        }
        return definition
    }

    /// False where the term is not defined at all.
    private mutating func setIRI(
        of definition: inout TermDefinition, _ term: String, _ object: JSONObject, _ isSimple: Bool,
        in context: inout ActiveContext, _ reading: inout ContextReading
    ) throws(JSONLDError) -> Bool {
        if let id = object["@id"], id != .string(term) {
            if id.isNull { return true }
            guard let text = id.string else { throw .invalidIRIMapping }
            if !Keyword.isOne(text), Keyword.looksLikeOne(text) { return false }
            guard let iri = try expand(text, in: &context, &reading), IRI.hasColon(iri) || Keyword.isOne(iri) else {
                throw .invalidIRIMapping
            }
            if iri == "@context" { throw .invalidKeywordAlias }
            definition.iri = iri
            if term.contains("/") || term.dropFirst().dropLast().contains(":") {
                reading.defined[term] = true
                guard try expand(term, in: &context, &reading) == iri else { throw .invalidIRIMapping }
            } else if isSimple {
                definition.isPrefix = iri.hasPrefix("_:") || iri.last.map { ":/?#[]@".contains($0) } ?? false
            }
        } else if let (prefix, suffix) = Self.split(term) {
            let name = String(prefix)
            if reading.object[name] != nil { try define(name, in: &context, &reading) }
            definition.iri = context.terms[name]?.iri.map { $0 + suffix } ?? term
            try spend(WorkBudget.cost(ofBytes: definition.iri?.utf8.count ?? 0))
        } else if term.contains("/") {
            guard let iri = try expand(term, in: context, isVocabulary: true), IRI.isAbsolute(iri) else {
                throw .invalidIRIMapping
            }
            definition.iri = iri
        } else if term == "@type" {
            definition.iri = "@type"
        } else if let vocabulary = context.vocabulary {
            definition.iri = vocabulary + term
            try spend(WorkBudget.cost(ofBytes: vocabulary.utf8.count))
        } else {
            throw .invalidIRIMapping
        }
        return true
    }

    private func containers(_ value: JSONValue) throws(JSONLDError) -> Set<String> {
        var result: Set<String> = []
        for element in value.elements {
            guard let name = element.string,
                ["@graph", "@id", "@index", "@language", "@list", "@set", "@type"].contains(name)
            else { throw .invalidContainerMapping }
            result.insert(name)
        }
        let others = result.subtracting(["@set"])
        let isAllowed =
            others.count <= 1
            ? !(others.contains("@list") && result.count > 1)
            : others == ["@graph", "@id"] || others == ["@graph", "@index"]
        guard isAllowed else { throw .invalidContainerMapping }
        return result
    }
}
