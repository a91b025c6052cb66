package import BatonCore
import Foundation

/// A bucket, or a part of one, of an S3-compatible store.
package struct S3Location: Sendable {
    /// The endpoint, such as `https://s3.example.com:9000`.
    let base: String
    /// As requests name it in their head.
    let host: String
    let bucket: String
    /// Before each key: empty, or with a slash at its end.
    let prefix: String
    let region: String

    /// - Parameter url: `https://HOST[:PORT]/BUCKET[/PREFIX][?region=REGION]`.
    package init(_ url: String) throws(BatonError) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let name = parts.host, !name.isEmpty, parts.user == nil
        else { throw Self.malformed }
        let path = parts.path.split(separator: "/").map(String.init)
        guard let bucket = path.first, path.allSatisfy({ $0.utf8.allSatisfy(Self.isPlain) }) else {
            throw Self.malformed
        }
        let standard = scheme == "https" ? 443 : 80
        host = parts.port.map { $0 == standard ? name : "\(name):\($0)" } ?? name
        base = "\(scheme)://\(host)"
        self.bucket = bucket
        prefix = path.dropFirst().map { $0 + "/" }.joined()
        region = parts.queryItems?.first { $0.name == "region" }?.value ?? "us-east-1"
    }

    /// Whether a byte needs no escape in a path.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static let malformed = BatonError(
        .invalidArgument, reason: "malformed_s3_location",
        "An S3 store is named as in https://s3.example.com/bucket/prefix?region=eu-central-1, with no name or secret in it."
    )
}

/// By which the store knows the server.
package struct S3Credentials: Sendable {
    package var identifier: String
    package var secret: String
    package var sessionToken: String?

    package init(identifier: String, secret: String, sessionToken: String? = nil) {
        self.identifier = identifier
        self.secret = secret
        self.sessionToken = sessionToken
    }

    /// As other programs take them: never from the command line, which others can see.
    /// - Throws: `failed_precondition` when they are not there.
    package init(environment: [String: String]) throws(BatonError) {
        guard let identifier = environment["AWS_ACCESS_KEY_ID"], !identifier.isEmpty,
            let secret = environment["AWS_SECRET_ACCESS_KEY"], !secret.isEmpty
        else {
            throw BatonError(
                .failedPrecondition, reason: "no_s3_credentials",
                "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the server's environment.")
        }
        self.init(identifier: identifier, secret: secret, sessionToken: environment["AWS_SESSION_TOKEN"])
    }
}
