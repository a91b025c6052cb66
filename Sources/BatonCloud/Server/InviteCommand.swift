import ArgumentParser
import BatonCore
import Foundation

/// `baton-cloud invite`
struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Prints an invitation, by which one account can be registered.",
        discussion: "For a server that runs with --registration invitation. It may be running.")

    @OptionGroup var data: DataOption

    @Option(help: "The directory database, where the server has one: the first of its --postgres.")
    var postgres: String?

    @Option(help: "How long the invitation is good for.")
    var days: UInt64 = 7

    func validate() throws {
        guard (1...3650).contains(days) else { throw ValidationError("--days must be between 1 and 3650.") }
    }

    func run() async throws {
        try await explaining {
            let secret =
                if let postgres { try PostgreSQLItemStore.secret(location: postgres) } else {
                    try CloudDatabase.secret(path: CloudServer.databasePath(in: try data.path))
                }
            let expires = WallClock.system.milliseconds + days * 86_400_000
            say(ServerTokens(secret: secret).invitation(expires: expires))
        }
    }
}
