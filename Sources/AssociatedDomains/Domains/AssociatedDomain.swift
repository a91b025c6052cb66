package import BatonCore

/// One entry of the entitlement `com.apple.developer.associated-domains` (H-87): a service, a domain that the app
/// claims for it, and in which modes the claim is to count.
package struct AssociatedDomain: Sendable, Hashable, CustomStringConvertible {
    /// The entitlement's key.
    package static let entitlement = "com.apple.developer.associated-domains"
    /// How many entries of one app count. Apple advises 20 to 30.
    package static let maximumCount = 100

    /// The services for which an app can be associated with a domain.
    package enum Service: String, Sendable, Hashable, CaseIterable, Codable {
        case activityContinuation = "activitycontinuation"
        case appLinks = "applinks"
        case webCredentials = "webcredentials"
        case appClips = "appclips"
        case authenticationServices = "authsrv"

        /// Whether it gives pages of a site to apps.
        package var isAboutPages: Bool {
            switch self {
            case .activityContinuation, .appLinks, .appClips: true
            case .webCredentials, .authenticationServices: false
            }
        }
    }

    /// Where a claim counts; none of these: everywhere.
    package struct Mode: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// On devices whose person develops apps; the site may be on a private network.
        package static let developer = Mode(rawValue: 1)
        /// On devices that an organisation manages; the site may be on its network.
        package static let managed = Mode(rawValue: 2)
    }

    package let service: Service
    /// Without “*.”: whose site file decides.
    package let domain: DomainName
    /// `*.domain`: every name below the domain, and not the domain itself.
    package let isWildcard: Bool
    package let mode: Mode

    package var description: String {
        var text = "\(service.rawValue):\(isWildcard ? "*." : "")\(domain)"
        switch mode {
        case [.developer, .managed]: text += "?mode=developer+managed"
        case .developer: text += "?mode=developer"
        case .managed: text += "?mode=managed"
        default: break
        }
        return text
    }

    /// - Throws: `invalid_argument` with reason `invalid_associated_domain`, and what to write instead.
    package init(_ text: String) throws(BatonError) {
        func refused(_ why: String) -> BatonError {
            BatonError(
                .invalidArgument, reason: "invalid_associated_domain",
                "The associated domain “\(text.prefix(300))” \(why)")
        }
        guard let colon = text.firstIndex(of: ":") else {
            throw refused("names no service. Write service:domain, as in activitycontinuation:company.com.")
        }
        guard let service = Service(rawValue: String(text[..<colon])) else {
            let known = Service.allCases.map(\.rawValue).joined(separator: ", ")
            throw refused("names a service that does not exist. The services are \(known).")
        }
        var rest = text[text.index(after: colon)...]
        guard !rest.hasPrefix("//") else {
            throw refused("is a URL. Write service:domain, as in \(service.rawValue):company.com.")
        }
        var mode: Mode = []
        if let mark = rest.firstIndex(of: "?") {
            guard let found = Self.mode(rest[rest.index(after: mark)...]) else {
                throw refused("has a query that is not ?mode=developer, ?mode=managed or ?mode=developer+managed.")
            }
            mode = found
            rest = rest[..<mark]
        }
        guard !rest.contains("/") else { throw refused("has a path or a trailing slash. Leave it out.") }
        guard !rest.contains(":") else { throw refused("has a port. Leave it out: the site is on port 443.") }
        let isWildcard = rest.hasPrefix("*.")
        if isWildcard { rest = rest.dropFirst(2) }
        guard !rest.contains("*") else { throw refused("has a “*” elsewhere than in a leading “*.”.") }
        guard !isWildcard || service != .appClips else {
            throw refused("has a wildcard, which appclips does not allow. Name each subdomain.")
        }
        guard let domain = DomainName(host: String(rest)) else {
            throw refused("must name a fully qualified domain: \(DomainName.rule).")
        }
        self.init(service: service, domain: domain, isWildcard: isWildcard, mode: mode)
    }

    package init(service: Service, domain: DomainName, isWildcard: Bool = false, mode: Mode = []) {
        self.service = service
        self.domain = domain
        self.isWildcard = isWildcard
        self.mode = mode
    }

    package func covers(_ host: DomainName) -> Bool {
        isWildcard ? host.isSubdomain(of: domain) : host == domain
    }

    private static func mode(_ query: Substring) -> Mode? {
        guard query.hasPrefix("mode=") else { return nil }
        switch query.dropFirst(5) {
        case "developer": return .developer
        case "managed": return .managed
        case "developer+managed", "managed+developer": return [.developer, .managed]
        default: return nil
        }
    }
}
