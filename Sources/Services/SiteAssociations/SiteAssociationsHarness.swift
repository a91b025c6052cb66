import AssociatedDomains
import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers the command line's calls about sites.
package struct SiteAssociationsHarness: Sendable {
    private let service: SiteAssociations

    package init(_ service: SiteAssociations) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.unary(ControlMethods.listSites) { _, _ in .with { $0.sites = service.sites() } }
        router.unary(ControlMethods.refreshSites) { request, _ in
            let domain: DomainName? =
                request.domain.isEmpty
                ? nil : try DomainName(host: request.domain) ?? DomainName(validating: request.domain)
            try await service.refresh(domain)
            return .with { $0.sites = service.sites().filter { domain == nil || $0.domain == domain?.rawValue } }
        }
    }
}
