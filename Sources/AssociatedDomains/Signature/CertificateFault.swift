package import BatonCore
package import Foundation
import SwiftASN1
import X509

/// Why the certificates that a TLS server shows are not believed, as far as they say so themselves. For people: whether
/// they are believed is decided by TLS, which does not say why not.
package enum CertificateFault: Sendable, Hashable {
    case expired(subject: String, Date)
    case notYetValid(subject: String, Date)
    /// As for a person's log-in only.
    case notForServers(subject: String)
    case selfSigned
    /// Nothing is wrong with them; the issuer of the last one is not known here.
    case unknownIssuer(String)

    /// - Parameter chain: in DER, as they were shown: the server's own first.
    /// - Throws: `invalid_argument` when they are no certificates, or there are none.
    package init(chain: [[UInt8]], time: Date) throws(BatonError) {
        var others: [Certificate]
        do {
            others = try chain.map { try Certificate(derEncoded: $0) }
        } catch {
            throw SignedData.malformed("a certificate is malformed", error)
        }
        guard !others.isEmpty else { throw SignedData.malformed("there is no certificate") }
        var current = others.removeFirst()
        let isAlone = current.issuer == current.subject
        let usages = try? current.extensions.extendedKeyUsage
        if let usages, !usages.contains(.serverAuth), !usages.contains(.any) {
            self = .notForServers(subject: "\(current.subject)")
            return
        }
        // Only those on the way up: servers send others along, which may be of any age.
        while true {
            let validity = try CertificateValidity(current)
            if time > validity.notAfter {
                self = .expired(subject: "\(current.subject)", validity.notAfter)
                return
            }
            if time < validity.notBefore {
                self = .notYetValid(subject: "\(current.subject)", validity.notBefore)
                return
            }
            guard current.issuer != current.subject,
                let index = others.firstIndex(where: { $0.subject == current.issuer })
            else { break }
            current = others.remove(at: index)
        }
        self = isAlone ? .selfSigned : .unknownIssuer("\(current.issuer)")
    }
}
