package import BatonCore
import SwiftASN1
import X509

/// The certificates that a chain must lead to.
package struct TrustAnchors: Sendable {
    /// Nil for the system's.
    private let given: CertificateStore?
    /// For people.
    package let description: String

    package static let system = TrustAnchors(given: nil, description: "the system's roots")

    /// The system's are read when first needed: naming them begins to read them.
    var store: CertificateStore { given ?? .systemTrustRoots }

    private init(given: CertificateStore?, description: String) {
        self.given = given
        self.description = description
    }

    /// Those of a PEM file, in place of the system's.
    /// - Throws: `invalid_argument` with reason `invalid_roots`.
    package init(pem: String, name: String) throws(BatonError) {
        let certificates = try PEMCertificates.read(pem, name: name, reason: "invalid_roots")
        self.init(given: CertificateStore(certificates), description: "the roots in \(name)")
    }
}

/// Certificates of a PEM text.
enum PEMCertificates {
    static func read(_ pem: String, name: String, reason: String) throws(BatonError) -> [Certificate] {
        do {
            let certificates = try PEMDocument.parseMultiple(pemString: pem).map { try Certificate(pemDocument: $0) }
            if !certificates.isEmpty { return certificates }
        } catch {
            throw BatonError(
                .invalidArgument, reason: reason, "“\(name)” is no PEM file of certificates only.", cause: error)
        }
        throw BatonError(.invalidArgument, reason: reason, "“\(name)” holds no certificate in PEM form.")
    }
}
