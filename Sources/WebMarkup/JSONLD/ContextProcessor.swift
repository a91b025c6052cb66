/// Reads the contexts of a document. Nothing is ever fetched: a context that is not built in is left out and named.
struct ContextProcessor {
    package enum UnknownContexts: Sendable { case leaveOut, refuse }

    let base: String?
    let unknownContexts: UnknownContexts
    /// Addresses of contexts that were left out.
    private(set) var leftOut: Set<String> = []
    private(set) var steps: Int

    init(base: String?, unknownContexts: UnknownContexts, steps: Int) {
        self.base = base
        self.unknownContexts = unknownContexts
        self.steps = steps
    }

    var initial: ActiveContext { ActiveContext(base: base) }

    mutating func spend(_ count: Int) throws(JSONLDError) {
        steps -= count
        guard steps >= 0 else { throw .tooMuchWork }
    }

    mutating func process(
        _ local: JSONValue, in active: ActiveContext, propagates: Bool = true
    ) throws(JSONLDError) -> ActiveContext {
        var result = active
        var propagates = propagates
        if let value = local.object?["@propagate"] {
            guard case .bool(let bool) = value else { throw .invalidPropagateValue }
            propagates = bool
        }
        if !propagates, result.previous == nil { result.previous = .init(active) }
        for context in local.elements {
            switch context {
            case .null:
                let before = result
                result = initial
                if !propagates { result.previous = .init(before) }
            case .string(let address): try load(address, into: &result)
            case .object(let object): try read(object, into: &result)
            default: throw .invalidLocalContext
            }
        }
        return result
    }

    private mutating func load(_ address: String, into result: inout ActiveContext) throws(JSONLDError) {
        let address = HTMLText.trimmed(address)
        try spend(WorkBudget.cost(ofBytes: address.utf8.count + (base?.utf8.count ?? 0)))
        let resolved = IRI.resolve(address, against: base)
        guard SchemaContext.isShortAddress(address) || SchemaContext.isAddress(resolved) else {
            guard unknownContexts == .leaveOut else { throw .loadingContextFailed }
            // A bound: a page may name as many as it likes.
            if leftOut.count < 20 { leftOut.insert(String(resolved.prefix(200))) }
            return
        }
        result.vocabulary = SchemaContext.vocabulary
        if result.terms.isEmpty {
            result.terms = SchemaContext.terms
        } else {
            try spend(result.terms.count + SchemaContext.terms.count)
            result.terms.merge(SchemaContext.terms) { $1 }
        }
    }

    private mutating func read(_ object: JSONObject, into result: inout ActiveContext) throws(JSONLDError) {
        if let version = object["@version"], version != .number("1.1") { throw .invalidVersionValue }
        if let address = object["@import"]?.string, leftOut.count < 20 { leftOut.insert(String(address.prefix(200))) }
        if let value = object["@base"] { try readBase(value, into: &result) }
        if let value = object["@vocab"] { try readVocabulary(value, into: &result) }
        if let value = object["@language"] {
            switch value {
            case .null: result.language = nil
            case .string(let tag): result.language = tag
            default: throw .invalidDefaultLanguage
            }
        }
        try spend(result.terms.count + object.members.count)
        var reading = ContextReading(object: object)
        for member in object.members where !Self.own.contains(member.name) {
            try define(member.name, in: &result, &reading)
        }
    }

    private static let own: Set<String> = [
        "@base", "@direction", "@import", "@language", "@propagate", "@protected", "@version", "@vocab",
    ]

    private mutating func readBase(_ value: JSONValue, into result: inout ActiveContext) throws(JSONLDError) {
        switch value {
        case .null: result.base = nil
        case .string(let text) where IRI.isAbsolute(text): result.base = text
        case .string(let text):
            guard let base = result.base else { throw .invalidBaseIRI }
            try spend(WorkBudget.cost(ofBytes: text.utf8.count + base.utf8.count))
            result.base = IRI.resolve(text, against: base)
        default: throw .invalidBaseIRI
        }
    }

    private mutating func readVocabulary(
        _ value: JSONValue, into result: inout ActiveContext
    ) throws(JSONLDError) {
        switch value {
        case .null: result.vocabulary = nil
        case .string(let text):
            let iri = try expand(text, in: result, isDocumentRelative: true, isVocabulary: true)
            guard let iri, IRI.hasColon(iri) || iri.isEmpty else { throw .invalidVocabMapping }
            result.vocabulary = iri
        default: throw .invalidVocabMapping
        }
    }
}

/// A local context while its terms are defined, which may need each other.
struct ContextReading {
    let object: JSONObject
    /// True once a term is defined, false while it is being defined.
    var defined: [String: Bool] = [:]
    /// Prefixes may need prefixes; so far as this.
    var depth = 0
}
