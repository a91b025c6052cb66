package import BatonCore
package import BatonTrust

/// An app, as far as the choice of a handler looks at it.
package struct OpeningClaimant: Sendable, Hashable {
    package let bundleID: BundleID
    package let name: String
    package let claims: AppClaims

    package init(bundleID: BundleID, name: String, claims: AppClaims) {
        self.bundleID = bundleID
        self.name = name
        self.claims = claims
    }
}

/// The subject of a request, as the person's choice and the rules know it.
package enum OpeningSubject: Sendable, Hashable {
    case scheme(URLScheme)
    case type(String)
    /// The domain of a page that an app claims (universal links).
    case domain(String)

    /// The name that is stored and shown: `scheme`, `type`, `domain`.
    package var kind: String {
        switch self {
        case .scheme: "scheme"
        case .type: "type"
        case .domain: "domain"
        }
    }

    package var name: String {
        switch self {
        case .scheme(let scheme): scheme.rawValue
        case .type(let type): type.lowercased()
        case .domain(let domain): domain.lowercased()
        }
    }
}
