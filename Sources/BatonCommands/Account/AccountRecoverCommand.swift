import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton account recover`
struct AccountRecoverCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Enter an account whose devices are lost, with its recovery key.",
        discussion: """
            Asks for what “baton account recovery-key” printed: the cloud's address, its certificate and the code. The code \
            is read from standard input, so that it is in no list of processes and no history. It may be typed in several \
            lines, with or without hyphens. On a new machine, where the daemon does not run yet: baton setup --recover.
            """)

    @Option(name: .long, help: "The account's cloud: https://HOST or https://HOST:PORT (default: asks).")
    var cloud: String?

    @Option(
        name: .long,
        help: "The SHA-256 of the cloud's certificate, as “baton-cloud serve” prints it (default: the system's roots).")
    var fingerprint: String?

    @Option(name: .long, help: "Name for this device (default: the host's name).")
    var name: String?

    @Flag(name: .long, help: "Also when the account's devices say there that its cloud has changed.")
    var here = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        var session = session
        session.context.input = SharedLines(session.context.input)
        let questions = RecoveryQuestions(session: session, cloud: cloud, fingerprint: fingerprint)
        // Before a code is asked for.
        try questions.check()
        try await checkAccount(session)
        let sheet = try await questions.ask()
        let answer = try await questions.recover(sheet, name: name ?? "", here: here)
        try session.emit(
            json: ["account_id": .string(answer.accountID), "device_id": .string(answer.deviceID)],
            text: """
                This device has entered account \(ShownIdentifier.text(answer.accountID)).
                \(RecoveryQuestions.next)
                """)
    }

    /// - Throws: `already_exists` where this device has an account, as the daemon would once it has the code.
    private func checkAccount(_ session: CommandSession) async throws {
        let status: Baton_Control_V1_GetStatusResponse
        do {
            status = try await session.call(ControlMethods.getStatus, .init())
        } catch let error as BatonError where error.reason == "daemon_not_running" {
            throw BatonError(
                error.code, reason: error.reason,
                "The daemon does not run here. On a new machine, “baton setup --recover” starts it and enters the account "
                    + "with the recovery key.", cause: error)
        }
        // A device that was revoked may enter again.
        guard !status.accountID.isEmpty, !status.revoked else { return }
        throw BatonError(
            .alreadyExists, reason: "account_exists",
            "This device is in account \(ShownIdentifier.text(status.accountID)) already. To enter another one, leave this "
                + "one first: “baton account leave”.")
    }
}
