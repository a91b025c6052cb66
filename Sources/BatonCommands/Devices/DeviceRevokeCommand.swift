import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton device revoke`
struct DeviceRevokeCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Shut a device out of the account, at once and for good.",
        discussion: "For a device that was lost, stolen or given away. To let it in again, it must pair as a new one.")

    @Argument(help: "Its name or identifier.", completion: DynamicCompletion.devices)
    var device: String

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try await session.confirm(
            "Shut “\(TerminalText.escape(device))” out of the account for good?", assumeYes: yes)
        let answer = try await session.call(
            ControlMethods.revokeDevice, .with { $0.device = device }, timeout: .seconds(30))
        try session.emit(
            json: ["device_id": .string(answer.deviceID), "told": .init(strings: answer.told)],
            text: text(answer))
    }

    private func text(_ answer: Baton_Control_V1_RevokeDeviceResponse) -> String {
        let told =
            answer.told.isEmpty
            ? "No other device has heard of it yet; each will when it connects."
            : "Told already: \(answer.told.map(TerminalText.escape).joined(separator: ", "))."
        return "Device \(answer.deviceID) was revoked. \(told)"
    }
}
