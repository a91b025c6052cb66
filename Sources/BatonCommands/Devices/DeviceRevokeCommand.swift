import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton device revoke`
struct DeviceRevokeCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Remove a device from the account, at once and for good.",
        discussion: "For a device that was lost, stolen or given away. To let it in again, it must pair as a new one.")

    @Argument(help: "Its name or identifier.", completion: DynamicCompletion.devices)
    var device: String

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        var device = device
        if !yes {
            try session.requirePerson("Shut “\(device)” out of the account for good?")
            // The question names what a beginning or another case stands for.
            let found = try await DeviceList.find(device, session)
            try await session.confirm(
                "Shut “\(TerminalText.escape(found.name))” (\(ShownIdentifier.text(found.id))) out of the account for good?",
                assumeYes: false)
            device = found.id
        }
        let answer = try await session.call(
            ControlMethods.revokeDevice, .with { [device] in $0.device = device }, timeout: .seconds(30))
        try session.emit(
            json: ["device_id": .string(answer.deviceID), "told": .init(strings: answer.told)],
            text: text(answer))
    }

    private func text(_ answer: Baton_Control_V1_RevokeDeviceResponse) -> String {
        let name = answer.deviceName.isEmpty ? ShownIdentifier.text(answer.deviceID) : answer.deviceName
        let told =
            answer.toldNames.isEmpty
            ? "Others learn of it when they connect."
            : "Already notified: \(answer.toldNames.map(TerminalText.escape).joined(separator: ", "))."
        return "“\(TerminalText.escape(name))” is shut out. \(told)"
    }
}
