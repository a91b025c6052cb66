package import ArgumentParser
import BatonCore
import BatonTransport
import Foundation
import Glibc
import Handoff
import LaunchServices
import Logging
import NIOCore
import Sync

/// `batond`: the per-user daemon of one device.
package struct BatondCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "batond", abstract: "Baton's per-user daemon.",
        discussion: """
            Runs until SIGTERM or SIGINT. Normally systemd starts it: see Packaging/batond.service.
            Exit codes: 0 after a signal, 1 when it cannot start or go on, 64 when an option, or what it names, cannot be \
            used.
            """,
        version: BatonVersion.current)

    @Option(help: "Keep everything of this device under one directory (or BATON_HOME).")
    var home: String?

    @Option(help: "Use only this network interface; may be repeated. Default: all but the loopback.")
    var interface: [String] = []

    @Option(
        help: """
            The TCP port for other devices, which a firewall must let in; the next one is for pairing. If it is taken, \
            random ones are used.
            """)
    var port = LinkServer.defaultPort

    @Option(help: "The largest activity payload in bytes; a larger one is error 4611.")
    var payloadLimit = HandoffConfiguration().payloadLimit

    @Option(
        help: ArgumentHelp(
            "A file in PEM with the authorities that vouch for the account's cloud, instead of the system's.",
            valueName: "file"))
    var cloudAuthorities: String?

    @OptionGroup(title: "Associated domains") var sites: SiteOptions

    @OptionGroup(title: "Documents") var documents: DocumentOptions

    @Option(help: "How much to say on standard error.")
    var logLevel = LogLevel.warning

    package init() {}

    /// Parses the arguments of the process, runs, and exits.
    package static func start() async {
        ConfinedLaunch.runIfRequested(CommandLine.arguments, reading: DocumentReading.run)
        FreeMemory.shareHeaps()
        await main()
    }

    package func validate() throws {
        guard (1...65534).contains(port) else { throw ValidationError("--port must be between 1 and 65534.") }
        guard (1...(3 << 20)).contains(payloadLimit) else {
            throw ValidationError("--payload-limit must be between 1 and \(3 << 20) bytes.")
        }
    }

    package func run() async throws {
        // A peer that goes away must not take the daemon with it.
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        // One event loop: the daemon's sockets wait far more than they work, and the two ends of a stream that passes
        // through are then served by one thread, which costs a quarter less of a processor than two.
        NIOSingletons.groupLoopCountSuggestion = 1
        let descriptors = DescriptorLimit.raise()
        let logLevel = logLevel.level
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = logLevel
            return handler
        }
        let options = try ending(with: .validationFailure) { try self.options(descriptors) }
        do {
            try await Daemon(options: options, logger: Logger(label: "batond")).run()
        } catch {
            try ending(with: .failure) { throw error }
        }
    }

    /// Reads the files that options name. Blocks, at the start.
    private func options(_ descriptors: DescriptorLimit) throws -> Daemon.Options {
        let environment = ProcessInfo.processInfo.environment
        let locations = try Locations(
            home: home, environment: environment, workingDirectory: FileManager.default.currentDirectoryPath)
        for name in interface where if_nametoindex(name) == 0 {
            throw BatonError(
                .notFound, reason: "unknown_interface",
                "There is no network interface “\(name)”. “ip link” lists those of this machine.")
        }
        if cloudAuthorities != nil { try CloudConnectors(authorities: cloudAuthorities).checkAuthorities() }
        return Daemon.Options(
            locations: locations, hasHome: home != nil || environment["BATON_HOME"]?.isEmpty == false,
            interfaces: interface.isEmpty ? nil : interface, port: port,
            payloadLimit: payloadLimit, sites: try sites.settings(), documentRoots: try documents.parse(),
            cloudAuthorities: cloudAuthorities, environment: environment, descriptors: descriptors)
    }

    /// Says what went wrong, and turns it into an exit code.
    private func ending<Result>(with code: ExitCode, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as BatonError {
            FileHandle.standardError.write(Data("batond: \(error.message)\n".utf8))
            throw code
        }
    }
}

/// The levels of the log on standard error, as they are named on the command line.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace, debug, info, notice, warning, error, critical

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .warning }
}
