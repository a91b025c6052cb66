import BatonCore
import Foundation

/// `_CodeSignature/CodeSignature`: a team's public key and its signature of the exact bytes of `CodeResources`.
struct BundleSignature: Equatable {
    let publicKey: [UInt8]
    let signature: [UInt8]

    /// Signed before the manifest, so that a signature made for something else cannot be passed off as a bundle's.
    private static let domain = Array("baton-code-v1\0".utf8)

    init(of resources: [UInt8], by team: TeamKey) throws(BatonError) {
        publicKey = team.publicKey
        signature = try team.signature(of: Self.domain + resources)
    }

    init(bytes: [UInt8]) throws(BatonError) {
        let plist = PropertyListReader(
            file: BundleFile.signature,
            values: try PropertyListGuard.dictionary(bytes, name: BundleFile.signature, formats: [.xml]))
        guard plist.values["version"] as? Int == 1 else {
            throw plist.wrong("version", "is not one that this Baton knows")
        }
        publicKey = try plist.data("publicKey")
        signature = try plist.data("signature")
    }

    /// The team that signed.
    /// - Throws: when the signature is not that of `resources`.
    func team(verifying resources: [UInt8]) throws(BatonError) -> TeamIdentity {
        guard TeamKey.isSignature(signature, of: Self.domain + resources, byPublicKey: publicKey) else {
            throw BatonError(
                .failedPrecondition, reason: "bundle_signature_invalid",
                "The signature is not one of this bundle's list of files. Get the app again from where it came from.")
        }
        return TeamKey.identity(ofPublicKey: publicKey)
    }

    var bytes: [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict>
            <key>publicKey</key>
            <data>\(Data(publicKey).base64EncodedString())</data>
            <key>signature</key>
            <data>\(Data(signature).base64EncodedString())</data>
            <key>version</key>
            <integer>1</integer>
            </dict>
            </plist>

            """.utf8)
    }
}
