package import AssociatedDomains
package import BatonCore

/// An installed app to which a page belongs, as the page's site confirms.
package struct DomainClaim: Sendable, Hashable {
    package let app: AppIdentity
    package let service: AssociatedDomain.Service
    /// The entry of the app's entitlement that decided.
    package let entry: AssociatedDomain

    package init(app: AppIdentity, service: AssociatedDomain.Service, entry: AssociatedDomain) {
        self.app = app
        self.service = service
        self.entry = entry
    }
}

/// An installed app, and what its entitlement claims.
package struct ClaimingApp: Sendable, Hashable {
    package let identity: AppIdentity
    package let name: String
    package let domains: AssociatedDomains

    package init(identity: AppIdentity, name: String, domains: AssociatedDomains) {
        self.identity = identity
        self.name = name
        self.domains = domains
    }

    /// As sites' files name it (H-91).
    package var appID: String { identity.description }
}
