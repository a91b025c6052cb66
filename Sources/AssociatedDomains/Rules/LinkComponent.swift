/// One rule of an entry of `applinks`: an element of `components`, or a legacy path. A class for the sake of speed, as
/// ``Pattern`` is.
package final class LinkComponent: Sendable {
    /// The pattern for the query.
    package enum Query: Sendable {
        case whole(Pattern)
        /// By name. Every occurrence of an item must match; one that is missing, or has no value, counts as empty;
        /// items that are not named here may be anything.
        case items([Item])
    }

    package struct Item: Sendable {
        package let name: String
        let units: [UInt32]
        package let pattern: Pattern
    }

    /// A part of a URL that a rule looks at.
    package enum Part: Sendable, Hashable {
        case path
        case query
        case queryItem(String)
        case fragment
    }

    enum Outcome: Sendable, Hashable {
        case matched
        case failed(Part)
    }

    package let path: Pattern
    package let query: Query
    package let fragment: Pattern
    /// A URL that matches is not to open the app.
    package let isExcluded: Bool
    package let comment: String?
    /// Where it is in the file, as in `applinks.details[0].components[2]`.
    package let location: String

    init(path: Pattern, query: Query, fragment: Pattern, isExcluded: Bool, comment: String?, location: String) {
        self.path = path
        self.query = query
        self.fragment = fragment
        self.isExcluded = isExcluded
        self.comment = comment
        self.location = location
    }

    func evaluate(_ page: inout PageText, _ matcher: inout PatternMatcher) -> Outcome {
        guard matcher.matchesPath(path, page.trimmedPath(path.options)) else { return .failed(.path) }
        switch query {
        case .whole(let pattern):
            if pattern.isAnything { break }
            guard matcher.matches(pattern, page.query(pattern.options)) else { return .failed(.query) }
        case .items(let items):
            for item in items {
                matcher.count(1)
                let values = page.values(ofItem: item.units, item.pattern.options)
                for value in values where !matcher.matches(item.pattern, value) {
                    return .failed(.queryItem(item.name))
                }
            }
        }
        if fragment.isAnything { return .matched }
        guard matcher.matches(fragment, page.fragment(fragment.options)) else { return .failed(.fragment) }
        return .matched
    }

    /// Whether a page that this matches would match as Apple documents it, too: slashes at the end count there.
    func matchesAsDocumented(_ page: inout PageText, _ matcher: inout PatternMatcher) -> Bool {
        matcher.matches(path, page.path(path.options))
    }

    /// The pattern of a part, and what it was compared with, for people.
    func explain(_ part: Part, _ url: WebPageURL) -> (pattern: String, text: String) {
        func text(_ bytes: [UInt8], _ options: Pattern.Options) -> String {
            String(decoding: options.isPercentEncoded ? bytes : PercentEncoding.decoded(bytes), as: UTF8.self)
        }
        switch part {
        case .path: return (path.source, text(url.path, path.options))
        case .fragment: return (fragment.source, text(url.fragment, fragment.options))
        case .query:
            guard case .whole(let pattern) = query else { return ("", "") }
            return (pattern.source, text(url.query, pattern.options))
        case .queryItem(let name):
            guard case .items(let items) = query, let item = items.first(where: { $0.name == name }) else {
                return ("", "")
            }
            return (item.pattern.source, text(url.query, item.pattern.options))
        }
    }

    /// The number that the bound on steps has as its factor.
    package var length: Int {
        let queryLength =
            switch query {
            case .whole(let pattern): pattern.length
            case .items(let items): items.reduce(0) { $0 + $1.pattern.length }
            }
        return path.length + queryLength + fragment.length
    }
}
