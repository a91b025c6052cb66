import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton lock`
struct LockCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock this device: files that came for apps cannot be read.",
        discussion: """
            The files in the Inboxes of apps are sealed until “baton unlock”, and so is what arrives meanwhile. \
            “--set-passphrase” sets the passphrase that unlocks, and asks for the one of before; an empty one removes it. \
            Without a passphrase locking protects against apps only.
            """)

    @Flag(name: .long, help: "Set or remove the passphrase that unlocks, and do not lock.")
    var setPassphrase = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        if setPassphrase { return try await set(session) }
        let state = try await session.call(ProtectionMethods.lock, .init())
        let text =
            switch state.keeper {
            case "none":
                "Locked, against apps only: there is no passphrase. “baton lock --set-passphrase” sets one."
            default: "Locked. \(ProtectionReport.files(state.sealed)). “baton unlock” opens them."
            }
        try session.emit(json: ProtectionReport.json(state), text: text)
    }

    private func set(_ session: CommandSession) async throws {
        let before = try await session.call(ProtectionMethods.getProtection, .init())
        let prompt = PassphrasePrompt(session)
        let old = before.keeper == "none" ? "" : try await prompt.ask("Present passphrase: ")
        let new = try await prompt.ask("New passphrase: ")
        guard try await prompt.ask("The same again: ") == new else {
            throw CommandFailure.usage("The two passphrases differ. Nothing was changed.")
        }
        let state = try await session.call(
            ProtectionMethods.setPassphrase,
            .with {
                $0.old = old
                $0.new = new
            })
        try session.emit(
            json: ProtectionReport.json(state),
            text: state.keeper == "none"
                ? "There is no passphrase any more. Locking protects against apps only."
                : "The passphrase is set. Without it, nobody can open what is sealed: keep it well.")
    }
}

/// How the lock is shown.
enum ProtectionReport {
    static func json(_ state: Baton_Control_V1_ProtectionState) -> JSONValue {
        [
            "locked": .boolean(state.locked), "keeper": .string(state.keeper), "sealed": .init(state.sealed),
            "follows_session": .boolean(state.followsSession),
        ]
    }

    static func files(_ count: UInt64) -> String { count == 1 ? "1 file is sealed" : "\(count) files are sealed" }
}
