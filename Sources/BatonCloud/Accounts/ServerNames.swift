package import BatonCore
package import Foundation

/// Which server a device may have meant when it signed: so that a server that it was led to cannot use what it signed here.
package struct ServerNames: Sendable {
    /// host:port as devices call it. Empty: whatever name the request itself gives, which is enough where the certificate
    /// is checked.
    package var authorities: Set<String>
    /// Whether devices see the certificate with this SHA-256; nil where a proxy has one that is not known here.
    package var isCertificate: (@Sendable (Data) -> Bool)?

    package init(authorities: Set<String>, isCertificate: (@Sendable (Data) -> Bool)?) {
        self.authorities = Set(authorities.map { $0.lowercased() })
        self.isCertificate = isCertificate
    }

    /// - Parameter requested: the name in the request's head.
    /// - Throws: `permission_denied` for a statement that was made for another server.
    package func check(authority: String, certificate: Data, requested: String?) throws(BatonError) {
        let authority = authority.lowercased()
        let isNamed = authorities.isEmpty ? authority == requested?.lowercased() : authorities.contains(authority)
        guard isNamed else {
            throw BatonError(
                .permissionDenied, reason: "other_server",
                "The signature is for a different server name. Use this server's own name, which --authority sets.")
        }
        guard isCertificate?(certificate) ?? true else {
            throw BatonError(
                .permissionDenied, reason: "other_certificate",
                "The signature is for a different certificate; the connection may be intercepted.")
        }
    }
}
