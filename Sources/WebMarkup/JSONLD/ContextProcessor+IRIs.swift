extension ContextProcessor {
    /// The meaning of a term, a compact IRI or a relative one; nil where the document says that it means nothing.
    mutating func expand(
        _ value: String, in context: ActiveContext, isDocumentRelative: Bool = false, isVocabulary: Bool = false
    ) throws(JSONLDError) -> String? {
        let iri = meaning(of: value, in: context, isDocumentRelative, isVocabulary)
        let read = isDocumentRelative ? context.base?.utf8.count ?? 0 : 0
        try spend(WorkBudget.cost(ofBytes: read + (iri?.utf8.count ?? 0)))
        return iri
    }

    private func meaning(
        of value: String, in context: ActiveContext, _ isDocumentRelative: Bool, _ isVocabulary: Bool
    ) -> String? {
        if Keyword.isOne(value) { return value }
        if Keyword.looksLikeOne(value) { return nil }
        if let term = context.terms[value] {
            if let iri = term.iri, Keyword.isOne(iri) { return iri }
            if isVocabulary { return term.iri }
        }
        if let (prefix, suffix) = Self.split(value) {
            if prefix == "_" || suffix.hasPrefix("//") { return value }
            if let term = context.terms[String(prefix)], let iri = term.iri, term.isPrefix { return iri + suffix }
            if IRI.isAbsolute(value) { return value }
        }
        if isVocabulary, let vocabulary = context.vocabulary { return vocabulary + value }
        return isDocumentRelative ? IRI.resolve(value, against: context.base) : value
    }

    /// As the other, while a local context is being read, whose terms are defined as they are needed.
    mutating func expand(
        _ value: String, in context: inout ActiveContext, _ reading: inout ContextReading,
        isVocabulary: Bool = true
    ) throws(JSONLDError) -> String? {
        if !Keyword.isOne(value), !Keyword.looksLikeOne(value) {
            if reading.object[value] != nil, reading.defined[value] != true {
                try define(value, in: &context, &reading)
            }
            if let (prefix, suffix) = Self.split(value), prefix != "_", !suffix.hasPrefix("//"),
                context.terms[value] == nil
            {
                let name = String(prefix)
                if reading.object[name] != nil, reading.defined[name] != true {
                    try define(name, in: &context, &reading)
                }
            }
        }
        return try expand(value, in: context, isVocabulary: isVocabulary)
    }

    /// The parts of what may be a compact IRI.
    static func split(_ value: String) -> (prefix: Substring, suffix: Substring)? {
        guard let colon = value.utf8.dropFirst().firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return (value[..<colon], value[value.utf8.index(after: colon)...])
    }
}
