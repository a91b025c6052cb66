package import BatonCore
package import NIOCore

/// Which addresses belong to the public internet.
///
/// The entitlement of any app can name a domain, and the owner of the domain says where it points. Without this check,
/// installing an app could make the daemon speak to the machines of a private network.
package enum AddressPolicy {
    /// - Throws: `permission_denied` with reason `site_on_private_network`.
    package static func check(_ address: SocketAddress?, allowsPrivateNetwork: Bool) throws(BatonError) {
        guard allowsPrivateNetwork || address.map(isPublic) ?? false else {
            throw BatonError(
                .permissionDenied, reason: "site_on_private_network",
                "The site is on a private network. Only entries with ?mode=developer (on a device for developers) or "
                    + "?mode=managed may be there.")
        }
    }

    package static func isPublic(_ address: SocketAddress) -> Bool {
        address.ipAddress.map(PublicAddress.contains) ?? false
    }
}
