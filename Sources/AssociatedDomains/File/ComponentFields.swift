import BatonCore

/// The fields that a component, or `defaults` at one of two levels, sets. Nil for a field that is not set.
struct ComponentFields {
    enum Query {
        case whole(String)
        case items([(name: String, pattern: String)])
    }

    static let keys = ["/", "?", "#", "exclude", "caseSensitive", "percentEncoded", "comment"]

    var path: String?
    var query: Query?
    var fragment: String?
    var isExcluded: Bool?
    var isCaseSensitive: Bool?
    var isPercentEncoded: Bool?
    var comment: String?
    /// Why the query's items are not looked at.
    private(set) var queryProblem: String?

    init() {}

    init(_ members: [String: StrictJSON], _ location: String) throws(BatonError) {
        func text(_ key: String) throws(BatonError) -> String? {
            switch members[key] {
            case nil: return nil
            case .string(let text): return text
            case .some(let other):
                throw SiteAssociationReader.wrong("\(location).\(key)", "must be a text, not \(other.kind)")
            }
        }
        func flag(_ key: String) throws(BatonError) -> Bool? {
            switch members[key] {
            case nil: return nil
            case .boolean(let value): return value
            case .some(let other):
                throw SiteAssociationReader.wrong("\(location).\(key)", "must be true or false, not \(other.kind)")
            }
        }
        path = try text("/")
        fragment = try text("#")
        isExcluded = try flag("exclude")
        isCaseSensitive = try flag("caseSensitive")
        isPercentEncoded = try flag("percentEncoded")
        if case .string(let text) = members["comment"] { comment = text }
        try readQuery(members["?"], location + ".?")
    }

    private mutating func readQuery(_ json: StrictJSON?, _ location: String) throws(BatonError) {
        switch json {
        case nil: break
        case .string(let text): query = .whole(text)
        case .object(let members):
            var items: [(name: String, pattern: String)] = []
            for (name, value) in members {
                guard case .string(let pattern) = value else {
                    // As Apple's devices have it.
                    queryProblem =
                        "\(location) is ignored as a whole, as if it were not there: “\(name.prefix(50))” must be a text, not "
                        + "\(value.kind)."
                    return
                }
                items.append((name, pattern))
            }
            query = .items(items)
        case .some(let other):
            throw SiteAssociationReader.wrong(location, "must be a text or an object of texts, not \(other.kind)")
        }
    }

    /// These, and what they do not set from `inherited`.
    func over(_ inherited: ComponentFields) -> ComponentFields {
        var fields = self
        fields.path = path ?? inherited.path
        fields.query = query ?? inherited.query
        fields.fragment = fragment ?? inherited.fragment
        fields.isExcluded = isExcluded ?? inherited.isExcluded
        fields.isCaseSensitive = isCaseSensitive ?? inherited.isCaseSensitive
        fields.isPercentEncoded = isPercentEncoded ?? inherited.isPercentEncoded
        return fields
    }
}
