package import BatonCore

/// A process's description of itself in each call of the app plane, in two fields of the request's head.
///
/// The bundle identifier is believed only of a process that no installed app is behind; the daemon finds that out by the process.
package struct AppClaim: Hashable, Sendable {
    package static let bundleField = "baton-bundle-id"
    package static let versionField = "baton-protocol-version"
    /// More than an identifier has. A longer one is not looked at.
    private static let maximumBundleID = 1024

    package var bundleID: String
    /// The version that the caller's library speaks.
    package var protocolVersion: UInt32

    package init(bundleID: String, protocolVersion: UInt32 = ConnectProtocol.version) {
        self.bundleID = bundleID
        self.protocolVersion = protocolVersion
    }

    /// The fields of a request's head, with names in lower case.
    ///
    /// A character that no field can hold is sent as “?”, which no bundle identifier has: the daemon refuses it as it would
    /// have the name itself, and no field begins within another.
    package var fields: [(name: String, value: String)] {
        let name = bundleID.unicodeScalars.prefix(Self.maximumBundleID)
        let text = name.map { (0x21...0x7E).contains($0.value) ? Character($0) : "?" }
        return [(Self.bundleField, String(text)), (Self.versionField, String(protocolVersion))]
    }

    /// The claim as it came, unread.
    package struct Fields: Hashable, Sendable {
        package var bundleIDs: [String]
        package var versions: [String]

        package init(bundleIDs: [String] = [], versions: [String] = []) {
            self.bundleIDs = bundleIDs
            self.versions = versions
        }

        /// A field that is not there says nothing: no name, and a version that no daemon serves.
        /// - Throws: `invalid_argument` for a field that is there twice, since two readers could take another each, and for
        ///   a version that is no number.
        package func claim() throws(BatonError) -> AppClaim {
            guard bundleIDs.count <= 1, versions.count <= 1 else { throw Self.malformed("is there twice") }
            let (bundleID, version) = (bundleIDs.first ?? "", versions.first ?? "0")
            guard bundleID.utf8.count <= maximumBundleID else { throw Self.malformed("is too long") }
            guard (1...10).contains(version.utf8.count), version.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let protocolVersion = UInt32(version)
            else { throw Self.malformed("is no number") }
            return AppClaim(bundleID: bundleID, protocolVersion: protocolVersion)
        }

        private static func malformed(_ how: String) -> BatonError {
            BatonError(
                .invalidArgument, reason: "malformed_claim",
                "A field that says which app calls \(how). Send “Baton-Bundle-ID” and “Baton-Protocol-Version”, each once."
            )
        }
    }
}
