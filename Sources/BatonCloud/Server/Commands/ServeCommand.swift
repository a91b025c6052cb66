import ArgumentParser
import BatonCore
import BatonTransport
import Foundation
import Glibc
import Logging

/// `baton-cloud serve`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the server until SIGTERM or SIGINT.",
        discussion: """
            Needs no configuration. Options here override the file's.
            SIGHUP: the certificate's files are looked at again, which happens every ten seconds besides.
            """)

    @OptionGroup var settings: SettingsOptions

    @Option(
        help: "HOST:PORT to listen on; “:PORT” for every address. Port 0: one that is free. Default: :8443.")
    var listen: String?

    @Option(help: "A certificate (PEM, with its chain); with --key. Default: one that the server makes for itself.")
    var certificate: String?

    @Option(help: "The certificate's key (PEM).")
    var key: String?

    @Flag(help: "Plain HTTP, behind a proxy that does TLS; with --authority. --certificate may name the proxy's.")
    var plainHttp = false

    @Option(help: "HOST or HOST:PORT as devices call the server; may be repeated.")
    var authority: [String] = []

    @Option(
        help: """
            Registration of accounts: first (open while there is none, then by invitation), open, \
            invitation or closed. Default: first.
            """)
    var registration: CloudAccounts.Registration?

    @Option(help: "Bytes that an account may keep; 0 for no bound. Default: 10 GiB.")
    var quota: UInt64?

    @Option(help: "Calls that a device may make in a second. Default: 500.")
    var callsPerSecond: Int?

    @Option(
        help: """
            Connections from one address, or one IPv6 network (/64). Default: 1024, and no bound of its own with \
            --plain-http.
            """)
    var connectionsPerAddress: Int?

    @Option(help: "How much to say on standard error. Default: notice.")
    var logLevel: LogLevel?

    @Option(help: "How to say it. Default: text.")
    var logFormat: LogFormat?

    @Option(help: "Access to /metrics: local (callers on this machine) or all (everyone). Default: local.")
    var metrics: MetricsAudience?

    @Flag(help: "Keep a public index: pages that apps make public are found once three accounts gave them.")
    var publicIndex = false

    func validate() throws {
        guard (callsPerSecond ?? 1) > 0 else { throw ValidationError("--calls-per-second must be above 0.") }
        guard (connectionsPerAddress ?? 1) > 0 else {
            throw ValidationError("--connections-per-address must be above 0.")
        }
    }

    func run() async throws {
        // A device that goes away must not take the server with it.
        signal(SIGPIPE, SIG_IGN)
        // Until it is heard.
        signal(SIGHUP, SIG_IGN)
        umask(0o077)
        let descriptors = DescriptorLimit.raise()
        try await explaining {
            let configuration = try configuration()
            let options = try configuration.options(
                data: try SettingsOptions.folder(configuration.data),
                environment: ProcessInfo.processInfo.environment, descriptors: descriptors.current)
            configuration.startLogging()
            let scheme = configuration.isPlain ? "http" : "https"
            let host = Self.callable(
                options.host, machine: ReachableAddress.current() ?? ProcessInfo.processInfo.hostName)
            try await CloudServer(options: options, logger: Logger(label: "baton-cloud")) { port, fingerprint in
                say("baton-cloud answers at \(scheme)://\(host):\(port)")
                if let fingerprint { say("certificate SHA-256 \(fingerprint.hexadecimal)") }
                for authority in options.authorities.sorted() { say("devices call it https://\(authority)") }
                if options.authorities.isEmpty, LocalHost(host: host) == .loopback {
                    say("Only this machine reaches it there. For others, name another address with --listen.")
                }
            }.run()
        }
    }

    /// The name under which a server that listens on `host` is called; the machine's name if it listens on every
    /// address.
    static func callable(_ host: String?, machine: String) -> String {
        let host = host.flatMap { LocalHost(host: $0) == .unspecified ? nil : $0 } ?? machine
        return host.contains(":") ? "[\(host)]" : host
    }

    private func configuration() throws(BatonError) -> CloudConfiguration {
        var configuration = try settings.configuration()
        if let listen { configuration.listen = listen }
        if let certificate { configuration.certificate = certificate }
        if let key { configuration.key = key }
        if plainHttp { configuration.isPlain = true }
        if !authority.isEmpty { configuration.authorities = authority }
        if let registration { configuration.registration = registration }
        if let quota { configuration.rules.quota = quota }
        if let callsPerSecond { configuration.callsPerSecond = callsPerSecond }
        if let connectionsPerAddress { configuration.connectionsPerAddress = connectionsPerAddress }
        if let logLevel { configuration.logLevel = logLevel }
        if let logFormat { configuration.logFormat = logFormat }
        if let metrics { configuration.metrics = metrics }
        if publicIndex { configuration.hasPublicIndex = true }
        return configuration
    }
}

extension CloudAccounts.Registration: ExpressibleByArgument {}
extension LogLevel: ExpressibleByArgument {}
extension LogFormat: ExpressibleByArgument {}
extension MetricsAudience: ExpressibleByArgument {}
