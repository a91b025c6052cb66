package import BatonCore
package import Foundation

/// Where a cloud answers, and how it is recognised.
package struct CloudAddress: Hashable, Sendable {
    package enum Trust: Hashable, Sendable {
        /// A certificate for its name, from one of the system's authorities.
        case systemRoots
        /// The certificate that has this SHA-256 (32 bytes), whatever its issuer.
        case fingerprint(Data)
    }

    package let host: String
    package let port: Int
    package let trust: Trust

    /// The server's name and port that a device signs and a server compares: as in the `Host` of a request.
    package var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    package var url: String { "https://" + authority }

    /// Empty when the system's authorities are trusted.
    package var fingerprint: Data {
        if case .fingerprint(let fingerprint) = trust { fingerprint } else { Data() }
    }

    /// - Parameters:
    ///   - url: `https://HOST[:PORT]`; the scheme may be left out. Without a port 443 is meant.
    ///   - fingerprint: SHA-256 of the certificate (32 bytes); empty for the system's authorities.
    /// - Throws: `invalid_argument`.
    package init(url: String, fingerprint: Data = Data()) throws(BatonError) {
        let text = url.contains("://") ? url : "https://" + url
        guard text.utf8.count <= 512, let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            var host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.fragment == nil,
            parts.port.map({ (1...65_535).contains($0) }) ?? true
        else {
            throw BatonError(
                .invalidArgument, reason: "malformed_cloud_url",
                "“\(url.shortened(toBytes: 80))” is no address of a cloud. Write https://HOST or https://HOST:PORT.")
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard fingerprint.isEmpty || fingerprint.count == 32 else {
            throw BatonError(
                .invalidArgument, reason: "malformed_fingerprint",
                "The fingerprint of a certificate is its SHA-256: 64 hexadecimal digits, as baton-cloud prints it.")
        }
        guard scheme == "https" else {
            throw BatonError(
                .invalidArgument, reason: "cloud_url_without_tls", "A cloud is reached by https, not by \(scheme).")
        }
        trust = fingerprint.isEmpty ? .systemRoots : .fingerprint(fingerprint)
        self.host = host.lowercased()
        port = parts.port ?? 443
    }
}
