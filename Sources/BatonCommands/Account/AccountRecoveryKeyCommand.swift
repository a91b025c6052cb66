import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton account recovery-key`
struct AccountRecoveryKeyCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "recovery-key",
        abstract: "Make a recovery key, to enter the account when all devices are lost.",
        discussion: """
            Prints a code for paper. It is kept nowhere, and whoever has it can enter the account: put it where nobody \
            finds it. It works once a device that is signed in to the cloud has been online. It is listed among the \
            devices, and is withdrawn by revoking it.
            """)

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(ControlMethods.createRecoveryKey, .init(), timeout: .seconds(30))
        let groups = answer.code.split(separator: "-").map(String.init)
        let lines = stride(from: 0, to: groups.count, by: 4).map { start in
            "    " + groups[start..<min(start + 4, groups.count)].joined(separator: "-")
        }
        try session.emit(
            json: ["device_id": .string(answer.deviceID), "code": .string(answer.code)],
            text: """
                Write this down, all \(groups.count) groups, and keep it where nobody finds it:

                \(lines.joined(separator: "\n"))

                To enter the account with it, on a new device: baton account recover --cloud URL
                To withdraw it: baton device revoke \(answer.deviceID)
                """)
    }
}
