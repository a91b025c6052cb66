import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton unlock`
struct UnlockCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock this device.",
        discussion: """
            The passphrase is asked for at the terminal, or read from the first line of standard input. Where the desktop's \
            keyring keeps it, nothing is asked.
            """)

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        var state = try await session.call(ProtectionMethods.getProtection, .init())
        if state.locked {
            let prompt = PassphrasePrompt(session)
            let passphrase = state.keeper != "passphrase" ? "" : try await prompt.ask("Passphrase: ")
            state = try await session.call(ProtectionMethods.unlock, .with { $0.passphrase = passphrase })
        }
        try session.emit(json: ProtectionReport.json(state), text: "Unlocked.")
    }
}
