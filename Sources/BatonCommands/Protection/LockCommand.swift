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
            “--set-passphrase” sets the passphrase that unlocks, and asks for the previous one; an empty one removes it. \
            Without a passphrase locking protects against apps only. “--keep-in-keyring” has the desktop's keyring keep a random \
            one: unlocking the desktop then unlocks this device, too. The desktop's lock locks this device.
            """)

    @Flag(name: .long, help: "Set or remove the passphrase that unlocks, and do not lock.")
    var setPassphrase = false

    @Flag(name: .long, help: "Have the desktop's keyring keep what unlocks, and do not lock.")
    var keepInKeyring = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !setPassphrase || !keepInKeyring else {
            throw ValidationError("--set-passphrase and --keep-in-keyring exclude each other.")
        }
    }

    func run(in session: CommandSession) async throws {
        if setPassphrase { return try await set(session) }
        if keepInKeyring { return try await keep(session) }
        let state = try await session.call(ProtectionMethods.lock, .init())
        let text =
            switch state.keeper {
            case "none":
                "Locked, against apps only: there is no passphrase. “baton lock --set-passphrase” sets one."
            case "secret_service":
                "Locked. \(ProtectionReport.files(state.sealed)). Unlocking the desktop, or “baton unlock”, opens them."
            default: "Locked. \(ProtectionReport.files(state.sealed)). “baton unlock” opens them."
            }
        try session.emit(json: ProtectionReport.json(state), text: text)
    }

    private func set(_ session: CommandSession) async throws {
        let before = try await changeable(session)
        let prompt = PassphrasePrompt(session)
        let old = before.keeper != "passphrase" ? "" : try await prompt.ask("Present passphrase: ")
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
                : "The passphrase is set. Without it, sealed files cannot be opened: keep it well.")
    }

    /// - Throws: before a passphrase is asked for, where what unlocks cannot be changed now.
    private func changeable(_ session: CommandSession) async throws -> Baton_Control_V1_ProtectionState {
        let state = try await session.call(ProtectionMethods.getProtection, .init())
        guard !state.locked else {
            throw BatonError(
                .failedPrecondition, reason: "locked",
                "The device is locked. Unlock it with “baton unlock”, then change the passphrase.")
        }
        return state
    }

    private func keep(_ session: CommandSession) async throws {
        let before = try await changeable(session)
        let old =
            before.keeper == "passphrase" ? try await PassphrasePrompt(session).ask("Present passphrase: ") : ""
        let state = try await session.call(
            ProtectionMethods.setPassphrase,
            .with {
                $0.old = old
                $0.secretService = true
            })
        try session.emit(
            json: ProtectionReport.json(state),
            text: "The desktop's keyring keeps what unlocks this device. Unlocking the desktop unlocks it, too.")
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
