import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton device revoke`
struct DeviceRevokeCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Remove a device from the account, at once and for good.",
        discussion: """
            For a device that was lost, stolen or given away. To let it in again, it must pair as a new one.
            A part of a name will do where you are asked; with --yes it takes the whole name, or the identifier that “baton devices” \
            shows.
            """)

    @Argument(help: "Its name or identifier.", completion: DynamicCompletion.devices)
    var device: String

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        if !yes { try session.requirePerson("Shut “\(device)” out of the account for good?") }
        let found = try await DeviceList.find(device, session)
        // Without a question a part of a name may be that of a device which was not meant.
        guard !yes || Self.isWhole(device, for: found) else {
            let whole = [found.name.isEmpty ? "" : "“\(found.name)”", "\(found.id.prefix(ShownIdentifier.length))"]
            throw BatonError(
                .invalidArgument, reason: "no_whole_name",
                "“\(device)” is only a part of what a device is called. With --yes, write the whole: "
                    + "\(whole.filter { !$0.isEmpty }.joined(separator: " or ")). Nothing was changed.")
        }
        // The question names what a beginning or another case stands for.
        try await session.confirm(
            "Shut “\(TerminalText.escape(found.name))” (\(ShownIdentifier.text(found.id))) out of the account for good?",
            assumeYes: yes)
        let answer = try await session.call(
            ControlMethods.revokeDevice, .with { $0.device = found.id }, timeout: .seconds(30))
        try session.emit(
            json: ["device_id": .string(answer.deviceID), "told": .init(strings: answer.told)],
            text: text(answer))
    }

    /// - Returns: also for an identifier as far as it is shown.
    private static func isWhole(_ text: String, for device: DeviceReference.Candidate) -> Bool {
        switch SpokenName.fit(text, device.name) {
        case .exact, .otherCase: return true
        default: break
        }
        let identifier = text.uppercased()
        return identifier == device.id
            || identifier.count >= ShownIdentifier.length && device.id.hasPrefix(identifier)
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
