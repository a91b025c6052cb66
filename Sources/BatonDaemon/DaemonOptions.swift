package import BatonCore
import BatonTransport
package import Handoff
package import SiteAssociations

extension Daemon {
    package struct Options: Sendable {
        package var locations: Locations
        /// Whether `--home` or `BATON_HOME` gives the device a folder of its own.
        package var hasHome: Bool
        /// Interfaces of the link plane; nil for every one but the loopback.
        package var interfaces: [String]?
        /// The link plane's port; the next one is for pairing, the one after that for AirDrop.
        package var port: Int
        package var payloadLimit: Int
        package var sites: SiteAssociationsSettings
        package var documentRoots: [DocumentRoot]
        /// A file in PEM, instead of the system's authorities, that vouches for clouds.
        package var cloudAuthorities: String?
        package var environment: [String: String]
        var descriptors: DescriptorLimit

        init(
            locations: Locations, hasHome: Bool = false, interfaces: [String]?, port: Int = LinkServer.defaultPort,
            payloadLimit: Int = HandoffConfiguration().payloadLimit,
            sites: SiteAssociationsSettings = .init(), documentRoots: [DocumentRoot] = [],
            cloudAuthorities: String? = nil,
            environment: [String: String],
            descriptors: DescriptorLimit
        ) {
            self.locations = locations
            self.hasHome = hasHome
            self.interfaces = interfaces
            self.port = port
            self.payloadLimit = payloadLimit
            self.sites = sites
            self.documentRoots = documentRoots
            self.cloudAuthorities = cloudAuthorities
            self.environment = environment
            self.descriptors = descriptors
        }
    }
}
