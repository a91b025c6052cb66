import AssociatedDomains
import Crypto
import Foundation
import SwiftASN1
import X509

/// A signed site file. One key is trusted, and it has signed one content only.
enum SignedFileTarget: FuzzTarget {
    static let name = "pkcs7"

    private static let app = "YWBN8XTPBJ.com.company.FirstApp"
    private static let json = #"{"activitycontinuation":{"apps":["\#(app)"]}}"#
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    /// Keys and certificate are the same in each run, so that a corpus stays of use.
    private static let authority: (key: P256.Signing.PrivateKey, certificate: Certificate)? = {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32)),
            let name = try? DistinguishedName(builder: { CommonName("company.com") }),
            let certificate = try? Certificate(
                version: .v3, serialNumber: 1, publicKey: .init(key.publicKey), notValidBefore: time - 1000,
                notValidAfter: time + 1000, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: .init { Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil)) },
                issuerPrivateKey: .init(key))
        else { return nil }
        return (key, certificate)
    }()

    private static let anchors: TrustAnchors? = {
        guard let pem = try? authority?.certificate.serializeAsPEM().pemString else { return nil }
        return try? TrustAnchors(pem: pem, name: "root")
    }()

    static func seeds() throws -> [[UInt8]] {
        guard let authority else { return [] }
        return [
            try SiteFileSigning.sign(
                Array(json.utf8), key: authority.key.pemRepresentation,
                certificate: try authority.certificate.serializeAsPEM().pemString, time: time)
        ]
    }

    static func run(_ bytes: [UInt8]) {
        guard bytes.first == 0x30, let anchors else { return }
        let file = blocking { try? await SiteFile(bytes, contentType: nil, anchors: anchors, time: time) }
        guard let file else { return }
        precondition(file.association.appIDs(for: .activityContinuation) == [app], "something else was believed")
    }
}
