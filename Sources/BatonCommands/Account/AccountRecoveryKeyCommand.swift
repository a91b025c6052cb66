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
            finds it. It works once this device has told the account's cloud of it: without a cloud it is of no use, \
            and while the cloud is not reached it does not work yet. Both are said beside the code. It is listed among \
            the devices, and is withdrawn by revoking it.
            """)

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(ControlMethods.createRecoveryKey, .init(), timeout: .seconds(30))
        // Asked afterwards, and of no consequence for the code, which is shown this once.
        let cloud = (try? await session.call(CloudControlMethods.status, .init())) ?? .init()
        let groups = answer.code.split(separator: "-").map(String.init)
        let lines = stride(from: 0, to: groups.count, by: 4).map { start in
            "    " + groups[start..<min(start + 4, groups.count)].joined(separator: "-")
        }
        try session.emit(
            json: [
                "device_id": .string(answer.deviceID), "code": .string(answer.code),
                "cloud_state": .string(CloudStatusCommand.name(cloud.state)), "cloud": .init(nonEmpty: cloud.url),
                "fingerprint": .init(nonEmpty: CloudStatusCommand.hexadecimal(cloud.fingerprint)),
            ],
            text: """
                Write this down, all \(groups.count) groups, and keep it where nobody finds it:

                \(lines.joined(separator: "\n"))

                \(Self.standing(cloud))
                To enter the account with it, on a new device: \(Self.command(cloud))
                To withdraw it: baton device revoke \(ShownIdentifier.text(answer.deviceID))
                """)
    }

    /// Whether the code works yet, and what to do if it does not.
    private static func standing(_ cloud: Baton_Control_V1_GetCloudStatusResponse) -> String {
        switch cloud.state {
        case .connected:
            return "This device tells the account's cloud of it now; from then on it works."
        case .noCloud:
            return """
                It does not work yet, since this account has no cloud, and the account is recovered from there: run \
                “baton cloud login URL”, and keep this device on until “baton cloud status” says that it is connected.
                """
        case .waiting where cloud.failureReason == "device_revoked":
            return """
                It does not work: the account's cloud says that this device was revoked. Make one on a device that belongs to \
                the account.
                """
        case .connecting, .waiting:
            let why = cloud.failure.isEmpty ? "" : " (\(TerminalText.escape(cloud.failure)))"
            return """
                It does not work yet, since the account's cloud is not reached now\(why): keep this device on until \
                “baton cloud status” says that it is connected.
                """
        case .noAccount, .unspecified, .UNRECOGNIZED:
            return "It works once this device has told the account's cloud of it: see “baton cloud status”."
        }
    }

    private static func command(_ cloud: Baton_Control_V1_GetCloudStatusResponse) -> String {
        let url = cloud.url.isEmpty ? "URL" : TerminalText.escape(cloud.url)
        let fingerprint = CloudStatusCommand.hexadecimal(cloud.fingerprint)
        return "baton account recover --cloud \(url)" + (fingerprint.isEmpty ? "" : " --fingerprint \(fingerprint)")
    }
}
