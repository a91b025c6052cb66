import ArgumentParser
import BatonCore
import BatonTrust
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton account recovery-key`
struct AccountRecoveryKeyCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "recovery-key",
        abstract: "Make a recovery key, to enter the account when all devices are lost.",
        discussion: """
            Prints a code for paper, with the cloud's address and certificate that belong to it, also as a QR code; then \
            waits until the account's cloud has the key, and says that it works. The code is kept nowhere, and any person who \
            has it can enter the account: put it in a safe place. It is listed among the devices, and is withdrawn by \
            revoking it.
            """)

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(ControlMethods.createRecoveryKey, .init(), timeout: .seconds(30))
        // Asked afterwards, and of no consequence for the code, which is shown this once.
        let cloud = (try? await session.call(CloudControlMethods.getCloudStatus, .init())) ?? .init()
        if !session.isJSON { try show(answer, cloud, session) }
        let check = RecoveryKeyCheck(session: session, cloud: cloud)
        let finding = await check.run(answer.code)
        try session.emit(
            json: [
                "device_id": .string(answer.deviceID), "code": .string(answer.code),
                "works": finding.works.map { .boolean($0) } ?? .null,
                "cloud_state": .string(CloudStatusCommand.name(cloud.state)), "cloud": .init(nonEmpty: cloud.url),
                "fingerprint": .init(nonEmpty: CloudStatusCommand.hexadecimal(cloud.fingerprint)),
            ],
            text: finding.text)
    }

    private func show(
        _ answer: Baton_Control_V1_CreateRecoveryKeyResponse, _ cloud: Baton_Control_V1_GetCloudStatusResponse,
        _ session: CommandSession
    ) throws {
        let sheet = RecoverySheet(
            cloud: cloud.url, fingerprint: Array(cloud.fingerprint), code: try RecoveryCode(typed: answer.code))
        try session.emitLine(
            """
            Write this down, all of it, and keep it in a safe place:

            \(sheet.lines.joined(separator: "\n"))
            """)
        if let code = QRCode(sheet.text), session.context.terminal.isOutputInteractive,
            session.context.terminal.width.map({ $0 >= code.size + 4 }) ?? false
        {
            try session.emitLine("\n\(code.terminalLines().joined(separator: "\n"))")
        }
        try session.emitLine(
            """

            To enter the account with it, on a new machine: baton setup --recover
            It brings back what the account's cloud has. Apps are not there: keep their bundles, and the keys of your \
            teams (“baton team export”), in another safe place.
            To withdraw it: baton device revoke \(ShownIdentifier.text(answer.deviceID))

            """)
        if RecoveryKeyCheck.mayWork(cloud) {
            try session.remark("Waiting for the account's cloud… (Ctrl-C ends the waiting; the code stays valid.)")
        }
    }
}
