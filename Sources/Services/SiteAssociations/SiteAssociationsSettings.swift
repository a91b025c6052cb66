package import AssociatedDomains
package import SiteAssociationClient

/// The daemon's options about sites.
package struct SiteAssociationsSettings: Sendable {
    /// PEM of the roots of sites' certificates and signatures, in place of the system's.
    package var roots: String?
    /// Servers to ask in place of those of the DNS.
    package var servers: [DomainName: ServerAddress] = [:]
    /// The device is a developer's: entries with `?mode=developer` count, and their sites may be on a private network.
    package var isForDevelopment = false

    package init() {}

    /// Whether an entry counts on this device. `?mode=managed` counts for the domains whose servers the one who manages
    /// the device has named.
    func counts(_ entry: AssociatedDomain) -> Bool {
        if entry.mode.isEmpty { return true }
        if entry.mode.contains(.developer), isForDevelopment { return true }
        return entry.mode.contains(.managed) && servers[entry.domain] != nil
    }

    /// Whether a site's server may be on a private network: where the operator names it, or an entry that counts is for
    /// development. A valid certificate is needed in every case.
    func allowsPrivateNetwork(_ entry: AssociatedDomain) -> Bool {
        entry.mode.contains(.developer) && isForDevelopment
    }
}
