import ArgumentParser

/// `baton media`
struct MediaCommandLine: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media", abstract: "See what plays, here and on your other devices, and control it.",
        discussion: """
            Without PLAYER a command goes to what plays, here before elsewhere, else to what last played. Only Baton apps can be moved.
            """,
        subcommands: [
            MediaListCommand.self, MediaPlayCommand.self, MediaPauseCommand.self, MediaToggleCommand.self,
            MediaNextCommand.self, MediaPreviousCommand.self, MediaSeekCommand.self, MediaMoveCommand.self,
        ],
        defaultSubcommand: MediaListCommand.self)
}
