import ArgumentParser
import BatonCore
import Foundation

/// `baton-cloud invite`
struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Prints an invitation, by which one account can be registered.",
        discussion: """
            For a server that has an account, or runs with --registration invitation. It may be running. Of several \
            databases the first is asked.
            """)

    @OptionGroup var settings: SettingsOptions

    @Option(help: "How long the invitation is good for.")
    var days: UInt64 = 7

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
            say(ServerTokens(secret: secret).invitation(expires: expires))
        }
    }
}
