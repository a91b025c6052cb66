package import BatonCore
package import BatonWire
import Foundation
import SwiftProtobuf

/// Where the account's cloud is. The members send it to each other; the newest counts.
package struct CloudEndpoint: Sendable, Equatable {
    package static let maximumURLSize = 1024

    /// `https://host` or `https://host:port`; nil: the account was logged out of its cloud, on all devices.
    package let url: String?
    /// SHA-256 of the server's certificate; nil for one that the system's roots vouch for.
    package let certificate: [UInt8]?
    package let timestamp: HybridTimestamp

    /// - Throws: `invalid_argument` for what is no such URL or fingerprint.
    package init(url: String?, certificate: [UInt8]?, timestamp: HybridTimestamp) throws(BatonError) {
        if let url { try Self.check(url) }
        guard certificate.map({ $0.count == 32 && url != nil }) ?? true else {
            throw BatonError(
                .invalidArgument, reason: "invalid_fingerprint",
                "A certificate's fingerprint has 64 hexadecimal digits, and belongs to a URL.")
        }
        self.url = url
        self.certificate = certificate
        self.timestamp = timestamp
    }

    /// As a member sent it.
    /// - Throws: as ``init(url:certificate:timestamp:)``.
    package init(_ message: Baton_Link_V1_CloudEndpoint) throws(BatonError) {
        try self.init(
            url: message.url.isEmpty ? nil : message.url,
            certificate: message.certificate.isEmpty ? nil : Array(message.certificate),
            timestamp: HybridTimestamp(rawValue: message.timestamp))
    }

    package var message: Baton_Link_V1_CloudEndpoint {
        .with {
            $0.url = url ?? ""
            $0.certificate = Data(certificate ?? [])
            $0.timestamp = timestamp.rawValue
        }
    }

    /// With equal timestamps the greater bytes win, so that every device agrees.
    package func isNewer(than other: CloudEndpoint) -> Bool {
        if timestamp != other.timestamp { return timestamp > other.timestamp }
        let (left, right) = (Array((url ?? "").utf8), Array((other.url ?? "").utf8))
        if left != right { return right.lexicographicallyPrecedes(left) }
        return (other.certificate ?? []).lexicographicallyPrecedes(certificate ?? [])
    }

    /// Whether both have one host and port.
    package func isAt(_ other: CloudEndpoint) -> Bool {
        guard let url, let otherURL = other.url, let here = URLComponents(string: url),
            let there = URLComponents(string: otherURL)
        else { return url == other.url }
        return here.host?.lowercased() == there.host?.lowercased() && here.port ?? 443 == there.port ?? 443
    }

    /// For one that a person gave.
    /// - Throws: `invalid_argument` `unspecified_address` for what a server listens on, and is no address of it.
    package static func checkAddress(host: String) throws(BatonError) {
        guard LocalHost(host: host) != .unspecified else {
            throw BatonError(
                .invalidArgument, reason: "unspecified_address",
                "\(host) is what a server listens on, and no address of it: each device would look for the cloud on itself. "
                    + "Give an address or a name at which all of your devices reach the server.")
        }
    }

    /// As ``checkAddress(host:)``, of its own.
    package func checkAddress() throws(BatonError) {
        guard let url, let host = URLComponents(string: url)?.host else { return }
        try Self.checkAddress(host: host)
    }

    private static func check(_ url: String) throws(BatonError) {
        guard url.utf8.count <= maximumURLSize, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            url.hasPrefix("https://"), let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
            parts.path.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil,
            parts.port.map({ (1...65_535).contains($0) }) ?? true
        else {
            throw BatonError(
                .invalidArgument, reason: "invalid_cloud_url",
                "A cloud's URL is https://HOST or https://HOST:PORT, without anything after it.")
        }
    }
}
