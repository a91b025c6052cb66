/// The decision of a site file about one page, for one service and one app, with its reason.
package struct LinkVerdict: Sendable, Hashable {
    package enum Outcome: String, Sendable, Hashable {
        /// The page belongs to the app.
        case matched
        /// A rule says that the page is not to open the app.
        case blocked
        /// No rule matches, or the site does not name the app.
        case notMatched = "not_matched"
        /// Matching was given up after too many steps, and counts as no match.
        case tooComplex = "too_complex"
    }

    /// One rule that was tried.
    package struct Rule: Sendable, Hashable {
        /// As in `applinks.details[0].components[2]`.
        package let location: String
        package let comment: String?
        package let isExcluding: Bool
        /// Nil when it matched.
        package let failure: Failure?
    }

    package struct Failure: Sendable, Hashable {
        /// The key of the part in the file: `/`, `?`, `#`, or `?name` for one item of the query.
        package let part: String
        package let pattern: String
        /// The text that the pattern was compared with.
        package let text: String
    }

    package let service: AssociatedDomain.Service
    package let appID: String
    package let outcome: Outcome
    /// A sentence.
    package let reason: String
    /// In the order in which they were tried; the one that matched last.
    package let rules: [Rule]
    package let steps: Int
    /// A sentence for the site's owner, when the verdict may be unexpected.
    package var warning: String?

    package init(
        service: AssociatedDomain.Service, appID: String, outcome: Outcome, reason: String, rules: [Rule] = [],
        steps: Int = 0
    ) {
        self.service = service
        self.appID = appID
        self.outcome = outcome
        self.reason = reason
        self.rules = rules
        self.steps = steps
    }
}

extension LinkComponent.Part {
    /// The key of the file.
    package var key: String {
        switch self {
        case .path: "/"
        case .query: "?"
        case .queryItem(let name): "?" + name
        case .fragment: "#"
        }
    }
}
