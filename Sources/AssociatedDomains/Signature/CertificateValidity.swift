import BatonCore
import Foundation
import SwiftASN1
import X509

/// From when until when a certificate counts.
///
/// Read from the certificate itself: X509's own conversion to `Date` stops a debug build on the leap second 61, which its
/// parser takes.
struct CertificateValidity: Sendable, Hashable {
    let notBefore: Date
    let notAfter: Date

    init(_ certificate: Certificate) throws(BatonError) {
        do {
            let validity = try DER.sequence(DER.parse(certificate.tbsCertificateBytes), identifier: .sequence) {
                nodes in
                try DER.optionalExplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) { _ in }
                // The serial number, the algorithm and the issuer.
                for _ in 0..<3 { _ = nodes.next() }
                let validity = nodes.next()
                while nodes.next() != nil {}
                return validity
            }
            guard let validity else { throw SignedData.malformed("a certificate has no times") }
            (notBefore, notAfter) = try DER.sequence(validity, identifier: .sequence) { nodes in
                (try Self.time(nodes.next()), try Self.time(nodes.next()))
            }
        } catch let error as BatonError {
            throw error
        } catch {
            throw SignedData.malformed("the times of a certificate cannot be read", error)
        }
    }

    private static func time(_ node: ASN1Node?) throws -> Date {
        guard let node else { throw SignedData.malformed("a certificate has no times") }
        var parts = tm()
        if node.identifier == GeneralizedTime.defaultIdentifier {
            let time = try GeneralizedTime(derEncoded: node)
            set(&parts, time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
        } else {
            let time = try UTCTime(derEncoded: node)
            set(&parts, time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
        }
        return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    }

    private static func set(
        _ parts: inout tm, _ year: Int, _ month: Int, _ day: Int, _ hours: Int, _ minutes: Int, _ seconds: Int
    ) {
        parts.tm_year = Int32(clamping: year - 1900)
        parts.tm_mon = Int32(clamping: month - 1)
        parts.tm_mday = Int32(clamping: day)
        parts.tm_hour = Int32(clamping: hours)
        parts.tm_min = Int32(clamping: minutes)
        parts.tm_sec = Int32(clamping: seconds)
    }
}
