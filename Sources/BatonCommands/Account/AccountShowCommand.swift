import ArgumentParser
import BatonCore
import BatonWire

/// `baton account show`
struct AccountShowCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the account and this device's place in it.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let status = try await session.call(ControlMethods.getStatus, .init())
        guard !status.accountID.isEmpty else {
            throw BatonError(
                .notFound, reason: "no_account",
                "This device belongs to no account. Make one with “baton account create”, or join one with “baton "
                    + "pair” on this device and on one of the account's.")
        }
        try session.emit(
            json: [
                "account_id": .string(status.accountID), "device_id": .string(status.deviceID),
                "device_name": .string(status.deviceName), "revoked": .boolean(status.revoked),
                "devices_known": .init(status.devicesKnown), "devices_connected": .init(status.devicesConnected),
            ],
            text: text(status))
    }

    private func text(_ status: Baton_Control_V1_GetStatusResponse) -> String {
        """
        Account      \(ShownIdentifier.text(status.accountID))
        This device  \(TerminalText.escape(status.deviceName)) (\(ShownIdentifier.text(status.deviceID)))\(status.revoked ? ", revoked" : "")
        Others       \(status.devicesKnown) known, \(status.devicesConnected) connected
        """
    }
}
