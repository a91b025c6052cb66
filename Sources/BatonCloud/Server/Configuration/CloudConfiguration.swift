import BatonCore
import BatonStore
import BatonTransport
import Foundation

/// The settings of a cloud server, from a file, the command line, or both, with their defaults.
package struct CloudConfiguration: Sendable {
    /// Nil for the folder that is used when none is named.
    package var data: String?
    /// HOST:PORT.
    package var listen = ":8443"
    /// HOST or HOST:PORT.
    package var authorities: [String] = []
    package var certificate: String?
    package var key: String?
    package var isPlain = false
    package var registration = CloudAccounts.Registration.first
    package var logLevel = LogLevel.notice
    package var logFormat = LogFormat.text
    package var metrics = MetricsAudience.local
    package var hasPublicIndex = false
    /// URLs of PostgreSQL databases.
    package var databases: [String] = []
    /// The URL of a bucket.
    package var objects: String?
    package var rules = StoreRules()
    package var limits = CloudLimits()
    package var callsPerSecond = 500
    /// Nil for the number that the process's descriptors allow, and 20,000 at most.
    package var connections: Int?
    /// Nil for 1,024, or any number behind a proxy, from which all come.
    package var connectionsPerAddress: Int?

    package init() {}

    // MARK: Contradictions

    /// The fault of settings that can be read, and which settings it is about.
    struct Finding: Sendable {
        let settings: [String]
        let text: String
    }

    /// Settings that contradict each other, a sentence for each; empty when there are none.
    package var problems: [String] { findings.map(\.text) }

    var findings: [Finding] {
        var findings: [Finding] = []
        func add(_ settings: String..., text: String) { findings.append(Finding(settings: settings, text: text)) }
        if address == nil {
            add("listen", text: "“listen” must be HOST:PORT, as in 127.0.0.1:8443, [::1]:8443 or :8443.")
        }
        if isPlain {
            if authorities.isEmpty || key != nil {
                add(
                    "plain-http", "authorities", "key",
                    text:
                        "“plain-http” needs “authorities” (--authority), the names by which devices call the proxy, and no "
                        + "“key”.")
            }
        } else if (certificate == nil) != (key == nil) {
            add("certificate", "key", text: "“certificate” and “key” belong together: name both, or none.")
        }
        for authority in authorities where ServerAuthority.complete(authority) == nil {
            add(
                "authorities",
                text: "“authorities” (--authority): “\(authority)” is not a valid authority. It must be HOST "
                    + "or HOST:PORT, as in "
                    + "cloud.example.com:443, without “https://”, and its port from 1 to 65535.")
        }
        if hasPublicIndex, !databases.isEmpty {
            add(
                "public-index", "storage.postgres",
                text:
                    "“public-index” (--public-index) is kept in the folder of one server, so it is not for nodes that share a "
                    + "“storage.postgres”.")
        }
        for problem in databaseProblems { add("storage.postgres", text: problem) }
        if !databases.isEmpty, objects == nil {
            add(
                "storage.postgres",
                text:
                    "“storage.postgres” needs “storage.s3” (--postgres needs --s3): nodes that share a database need a place "
                    + "for blobs that they share, too.")
        }
        if let objects {
            do { _ = try S3Location(objects) } catch { add("storage.s3", text: error.message) }
        }
        for (name, size) in [("batch", limits.batchBytes), ("page", limits.pageBytes)] where limits.itemBytes > size {
            add(
                "limits.item", "limits.\(name)",
                text: "“limits.item” is more than “limits.\(name)”: an item must fit in it.")
        }
        for (name, count) in [("connections", connections), ("connections-per-address", connectionsPerAddress)] {
            if let count, count < 1 { add("limits.\(name)", text: "“limits.\(name)” must be at least 1.") }
        }
        return findings
    }

    /// Problems with the databases' URLs; every command checks them.
    var databaseProblems: [String] { databases.compactMap { DatabaseLocation.problem($0) } }

    private var address: (host: String?, port: Int)? {
        guard let colon = listen.lastIndex(of: ":"), let port = Int(listen[listen.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        let host = listen[..<colon].filter { $0 != "[" && $0 != "]" }
        return (host.isEmpty ? nil : String(host), port)
    }

    // MARK: For the server

    /// - Parameters:
    ///   - data: where everything is kept.
    ///   - descriptors: how many files and connections the process may have open.
    /// - Throws: `failed_precondition` `unusable_configuration`.
    func options(
        data: String, environment: [String: String], descriptors: UInt64
    ) throws(BatonError) -> CloudServer.Options {
        let problems = problems
        guard problems.isEmpty, let (host, port) = address else { throw Self.unusable(problems) }
        var options = CloudServer.Options(
            data: data, host: host, port: port, registration: registration, security: security)
        options.authorities = Set(authorities.compactMap { ServerAuthority.complete($0) })
        options.metrics = metrics
        options.hasPublicIndex = hasPublicIndex
        options.databases = databases
        options.objects = try bucket(environment)
        options.limits = limits
        options.rules = rules
        options.rules.zonesPerAccount = limits.zonesPerAccount
        options.rules.conflictBytes = limits.pageBytes
        options.callsPerSecond = Double(callsPerSecond)
        // The rest of the descriptors is for the database and files.
        let room = Int(clamping: max(64, descriptors * 3 / 4))
        let total = min(connections ?? 20_000, room)
        options.connections = PublicConnections.Limits(
            // Behind a proxy all come from one address.
            total: total, perNetwork: connectionsPerAddress ?? (isPlain ? total : 1024),
            // One account leaves room for others, however few there may be.
            perAccount: min(512, max(1, total / 2)), perDevice: min(64, max(1, total / 2)))
        return options
    }

    /// - Throws: when the keys of the bucket are not in the environment.
    func bucket(_ environment: [String: String]) throws(BatonError) -> (S3Location, S3Credentials)? {
        guard let objects else { return nil }
        return (try S3Location(objects), try S3Credentials(environment: environment))
    }

    /// The bucket for blobs, if they are kept in one.
    func store(_ environment: [String: String]) throws(BatonError) -> S3BlobStore? {
        try bucket(environment).map { S3BlobStore($0, $1) }
    }

    private var security: CloudServer.Security {
        if isPlain { return .plain(certificatePath: certificate) }
        if let certificate, let key { return .certificate(path: certificate, key: key) }
        return .ownCertificate
    }

    /// A line for each problem.
    static func unusable(_ problems: [String]) -> BatonError {
        BatonError(
            .failedPrecondition, reason: unusableReason, problems.joined(separator: "\n"))
    }

    static let unusableReason = "unusable_configuration"
}
