import ArgumentParser
import BatonCore
import BatonTransport
import Foundation
import Glibc
import Logging

/// `baton-cloud serve`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Runs the server until SIGTERM or SIGINT.")

    @OptionGroup var data: DataOption

    @OptionGroup var storage: StorageOptions

    @Option(help: "HOST:PORT to listen on; “:PORT” for every address. Port 0: one that is free.")
    var listen = ":8443"

    @Option(help: "A certificate (PEM, with its chain); with --key. Default: one that the server makes for itself.")
    var certificate: String?

    @Option(help: "The certificate's key (PEM).")
    var key: String?

    @Flag(help: "Plain HTTP, behind a proxy that does TLS; with --authority. --certificate may name the proxy's.")
    var plainHttp = false

    @Option(help: "HOST:PORT as devices call the server; may be repeated.")
    var authority: [String] = []

    @Option(help: "Who may register an account.")
    var registration = CloudAccounts.Registration.open

    @Option(help: "Bytes that an account may keep; 0 for no bound.")
    var quota = StoreRules().quota

    @Option(help: "Calls that a device may make in a second.")
    var callsPerSecond = 500

    @Option(help: "Connections from one address.")
    var connectionsPerAddress: Int?

    @Option(help: "How much to say on standard error.")
    var logLevel = LogLevel.notice

    func validate() throws {
        _ = try address()
        if !storage.postgres.isEmpty, storage.s3 == nil {
            throw ValidationError(
                "--postgres needs --s3: nodes that share a database need a place for blobs that they share, too.")
        }
        guard callsPerSecond > 0 else { throw ValidationError("--calls-per-second must be above 0.") }
        if plainHttp {
            guard !authority.isEmpty, key == nil else {
                throw ValidationError(
                    "--plain-http needs --authority, the name by which devices call the proxy, and no --key.")
            }
        } else {
            guard (certificate == nil) == (key == nil) else {
                throw ValidationError("--certificate and --key belong together.")
            }
        }
    }

    func run() async throws {
        // A device that goes away must not take the server with it.
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        let descriptors = DescriptorLimit.raise()
        let logLevel = logLevel.level
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = logLevel
            return handler
        }
        try await explaining {
            let (host, port) = try address()
            var options = CloudServer.Options(
                data: try data.path, host: host, port: port, registration: registration, security: security)
            options.authorities = Set(authority)
            options.databases = storage.postgres
            options.objects = try storage.objects()
            options.rules.quota = quota
            options.callsPerSecond = Double(callsPerSecond)
            // Behind a proxy all come from one address.
            options.connectionsPerAddress = connectionsPerAddress ?? (plainHttp ? 20_000 : 1024)
            // The rest is for the database and files.
            options.maximumConnections = Int(clamping: max(64, min(20_000, descriptors.current * 3 / 4)))
            let scheme = plainHttp ? "http" : "https"
            try await CloudServer(options: options, logger: Logger(label: "baton-cloud")) { port, fingerprint in
                say("baton-cloud answers at \(scheme)://\(host ?? "[::]"):\(port)")
                if let fingerprint { say("certificate SHA-256 \(fingerprint.hexadecimal)") }
            }.run()
        }
    }

    private var security: CloudServer.Security {
        if plainHttp { return .plain(certificatePath: certificate) }
        if let certificate, let key { return .certificate(path: certificate, key: key) }
        return .ownCertificate
    }

    private func address() throws(ValidationError) -> (host: String?, port: Int) {
        guard let colon = listen.lastIndex(of: ":"), let port = Int(listen[listen.index(after: colon)...]),
            (0...65_535).contains(port)
        else { throw ValidationError("--listen must be HOST:PORT, as in 127.0.0.1:8443, [::1]:8443 or :8443.") }
        let host = listen[..<colon].filter { $0 != "[" && $0 != "]" }
        return (host.isEmpty ? nil : String(host), port)
    }
}

extension CloudAccounts.Registration: ExpressibleByArgument {}

/// The levels of the log, as they are named on the command line.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace, debug, info, notice, warning, error, critical

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .notice }
}
