import ArgumentParser
import BatonCore
import Foundation

/// `baton-cloud invite`
struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Print an invitation, by which one account can be registered.",
        discussion: """
            For a server that has an account, or runs with --registration invitation. It may be running. Of several \
            databases the first is asked. The first line is the invitation, the last one the whole command for a device of the \
            new account.

              baton-cloud invite --days 2
              baton-cloud invite --config /etc/baton-cloud.yaml --url https://cloud.example.com
            """)

    @OptionGroup var settings: SettingsOptions

    @Option(help: "How long the invitation is good for.")
    var days: UInt64 = 7

    @Option(
        help: "https://HOST[:PORT] as devices call the server. Default: as in the configuration, or this machine.")
    var url: String?

    func validate() throws {
        guard (1...3650).contains(days) else { throw ValidationError("--days must be between 1 and 3650.") }
    }

    func run() async throws {
        try await explaining {
            let configuration = try settings.configuration()
            let secret =
                if let directory = configuration.databases.first {
                    try await PostgreSQLStart.explaining(
                        directory, place: configuration.databases.count > 1 ? 1 : nil
                    ) { try PostgreSQLItemStore.secret(location: directory) }
                } else {
                    try CloudDatabase.secret(
                        path: try CloudFolder.database(in: try SettingsOptions.folder(configuration.data)))
                }
            let expires = WallClock.system.milliseconds + days * 86_400_000
            let invitation = ServerTokens(secret: secret).invitation(expires: expires)
            say(invitation)
            say("It lets one account in, within \(amount(Int(clamping: days), "day")).")
            if url == nil, settings.config == nil {
                say("A server that was started with --listen or --authority has another address: name it with --url.")
            }
            say("On a device of that account:")
            say(try command(invitation, configuration))
        }
    }

    /// As a person types it.
    private func command(_ invitation: String, _ configuration: CloudConfiguration) throws(BatonError) -> String {
        let address = url ?? "https://\(Self.host(configuration))"
        let print = try fingerprint(configuration).map { " --fingerprint \($0.hexadecimal)" } ?? ""
        return "baton cloud login \(address)\(print) --invitation \(invitation)"
    }

    private static func host(_ configuration: CloudConfiguration) -> String {
        if let named = configuration.authorities.lazy.compactMap({ ServerAuthority.complete($0) }).first {
            return named.hasSuffix(":443") ? String(named.dropLast(4)) : named
        }
        let colon = configuration.listen.lastIndex(of: ":") ?? configuration.listen.endIndex
        let named = configuration.listen[..<colon].filter { $0 != "[" && $0 != "]" }
        let host = ServeCommand.callable(
            named.isEmpty ? nil : String(named), machine: ReachableAddress.current() ?? ProcessInfo.processInfo.hostName
        )
        return host + configuration.listen[colon...]
    }

    /// The server's own certificate's, which no authority vouches for; nil for one that is given.
    private func fingerprint(_ configuration: CloudConfiguration) throws(BatonError) -> Data? {
        guard configuration.certificate == nil, !configuration.isPlain else { return nil }
        let folder = try SettingsOptions.folder(configuration.data)
        guard ServerIdentity.isThere(in: folder) else { return nil }
        return try ServerIdentity.fingerprint(certificatePath: folder + "/certificate.pem")
    }
}
