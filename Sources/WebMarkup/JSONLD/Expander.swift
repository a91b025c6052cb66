/// Expands documents of JSON-LD: every term becomes the IRI that it stands for, and no context is left.
package struct Expander {
    package struct Options: Sendable {
        package var base: String?
        /// Whether a context that is not built in makes the document fail, or is left out.
        package var refusesUnknownContexts = false
        package var expandContext: JSONValue?
        package var steps = ExtractionLimits().steps

        package init(base: String? = nil) { self.base = base }
    }

    package private(set) var leftOutContexts: Set<String> = []
    package private(set) var remainingSteps = 0
    var contexts: ContextProcessor

    package init(_ options: Options) {
        contexts = ContextProcessor(
            base: options.base, unknownContexts: options.refusesUnknownContexts ? .refuse : .leaveOut,
            steps: options.steps)
        self.options = options
    }

    private let options: Options

    package mutating func expand(_ document: JSONValue) throws(JSONLDError) -> [JSONValue] {
        defer {
            leftOutContexts = contexts.leftOut
            remainingSteps = contexts.steps
        }
        var context = contexts.initial
        if let given = options.expandContext {
            context = try contexts.process(given.object?["@context"] ?? given, in: context)
        }
        let expanded = try expand(document, in: context, property: nil)
        if case .object(let object) = expanded, object.members.count == 1, let graph = object["@graph"] {
            return graph.elements
        }
        return expanded.isNull ? [] : expanded.elements
    }

    mutating func expand(
        _ element: JSONValue, in active: ActiveContext, property: String?, fromMap: Bool = false
    ) throws(JSONLDError) -> JSONValue {
        try contexts.spend(1)
        switch element {
        case .null: return .null
        case .array(let elements):
            var result: [JSONValue] = []
            let isList = property.flatMap { active.terms[$0] }?.containers.contains("@list") ?? false
            for element in elements {
                let expanded = try expand(element, in: active, property: property, fromMap: fromMap)
                switch expanded {
                case .null: break
                case .array(let items) where isList: result.append(.object(JSONObject([("@list", .array(items))])))
                case .array(let items): result += items
                default: result.append(expanded)
                }
            }
            return .array(result)
        case .object(let object): return try expandObject(object, in: active, property: property, fromMap: fromMap)
        case .bool, .number, .string:
            guard let property, property != "@graph" else { return .null }
            guard active.hasScopedContexts, let scoped = active.terms[property]?.context else {
                return try expandValue(element, of: property, in: active)
            }
            return try expandValue(element, of: property, in: try contexts.process(scoped, in: active))
        }
    }

    mutating func expandValue(
        _ value: JSONValue, of property: String, in context: ActiveContext
    ) throws(JSONLDError) -> JSONValue {
        let term = context.terms[property]
        if let text = value.string, term?.type == "@id" || term?.type == "@vocab" {
            let iri = try contexts.expand(
                text, in: context, isDocumentRelative: true, isVocabulary: term?.type == "@vocab")
            return .object(JSONObject([("@id", iri.map { .string($0) } ?? .null)]))
        }
        var result = JSONObject([("@value", value)])
        if let type = term?.type, !["@id", "@vocab", "@none"].contains(type) {
            result["@type"] = .string(type)
        } else if value.string != nil {
            switch term?.language ?? .inherited {
            case .none: break
            case .tag(let tag): result["@language"] = .string(tag)
            case .inherited: result["@language"] = context.language.map { .string($0) }
            }
        }
        return .object(result)
    }

    private mutating func expandObject(
        _ object: JSONObject, in active: ActiveContext, property: String?, fromMap: Bool
    ) throws(JSONLDError) -> JSONValue {
        var context = active
        let propertyContext = active.hasScopedContexts ? property.flatMap { active.terms[$0] }?.context : nil
        if let previous = context.previous, !fromMap {
            var names: [String?] = []
            for name in object.names { names.append(try contexts.expand(name, in: active, isVocabulary: true)) }
            if !names.contains("@value"), names != ["@id"] { context = previous.context }
        }
        if let propertyContext { context = try contexts.process(propertyContext, in: context) }
        if let local = object["@context"] { context = try contexts.process(local, in: context) }
        let typeContext = context
        if context.hasScopedContexts { try addTypeContexts(of: object, to: &context) }
        var work = ObjectExpansion(context: context, typeContext: typeContext, property: property)
        try expandMembers(of: object, &work)
        return try finish(work.result, property: property)
    }

    private mutating func addTypeContexts(
        of object: JSONObject, to context: inout ActiveContext
    ) throws(JSONLDError) {
        let typeContext = context
        for member in object.members.sorted(by: { $0.name < $1.name }) {
            guard try contexts.expand(member.name, in: context, isVocabulary: true) == "@type" else { continue }
            for type in member.value.elements.compactMap(\.string).sorted() {
                if let scoped = typeContext.terms[type]?.context {
                    context = try contexts.process(scoped, in: context, propagates: false)
                }
            }
        }
    }

    /// Completes an expanded object by the rules for its kind (a value, a set, a list, a node).
    private func finish(_ start: JSONObject, property: String?) throws(JSONLDError) -> JSONValue {
        var result = start
        if result["@value"] != nil {
            guard try isMeaningful(value: result) else { return .null }
        } else if let type = result["@type"] {
            result["@type"] = .array(type.elements)
        }
        if result["@list"] != nil || result["@set"] != nil {
            let others = result.members.filter { !["@list", "@set", "@index"].contains($0.name) }
            guard others.isEmpty, result["@list"] == nil || result["@set"] == nil else { throw .invalidSetOrListObject }
            if let set = result["@set"] { return set }
        }
        if result.members.count == 1, result["@language"] != nil { return .null }
        if property == nil || property == "@graph" {
            let isFree =
                result.isEmpty || result["@value"] != nil || result["@list"] != nil
                || (result.members.count == 1 && result["@id"] != nil)
            if isFree { return .null }
        }
        return .object(result)
    }

    private func isMeaningful(value result: JSONObject) throws(JSONLDError) -> Bool {
        let isAllowed = result.members.allSatisfy {
            ["@direction", "@index", "@language", "@type", "@value"].contains($0.name)
        }
        guard isAllowed, result["@type"] == nil || result["@language"] == nil else { throw .invalidValueObject }
        let value = result["@value"] ?? .null
        if result["@type"]?.elements == [.string("@json")] { return true }
        if value.isNull { return false }
        if result["@language"] != nil, value.string == nil { throw .invalidLanguageTaggedValue }
        if let type = result["@type"] {
            guard let iri = type.string, IRI.isAbsolute(iri) else { throw .invalidTypedValue }
        }
        return true
    }
}

/// An object while its members are expanded.
struct ObjectExpansion {
    let context: ActiveContext
    let typeContext: ActiveContext
    /// The property whose value the object is.
    let property: String?
    var result = JSONObject()
}
