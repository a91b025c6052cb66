import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton account leave`
struct AccountLeaveCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Take this device out of its account, e.g. to join another.",
        discussion: """
            The account's other devices are notified, and go on without this one. Data in the key-value stores of apps \
            stays here, as this device's own, and goes into the next account that it joins. Saved activities and apps stay, \
            too. To come back, pair again.
            """)

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let devices = try await session.call(ControlMethods.listDevices, .init()).devices
        if !yes {
            try await session.confirm(Self.question(devices), assumeYes: false)
        }
        let answer = try await session.call(ControlMethods.leaveAccount, .init(), timeout: .seconds(60))
        try session.emit(
            json: [
                "account_id": .string(answer.accountID), "told": .init(strings: answer.told),
                "cloud_told": .boolean(answer.cloudTold),
            ],
            text: Self.text(answer, hadOthers: !Self.others(devices).isEmpty))
    }

    private static func others(_ devices: [Baton_Control_V1_Device]) -> [Baton_Control_V1_Device] {
        devices.filter { !$0.thisDevice && !$0.revoked && !$0.recoveryKey }
    }

    static func question(_ devices: [Baton_Control_V1_Device]) -> String {
        let others = others(devices)
        let hasKey = devices.contains { $0.recoveryKey && !$0.revoked }
        let stays =
            "Key-value stores of apps stay on this device. So do documents that are downloaded; “baton download” fetches "
            + "the others before."
        guard others.isEmpty else {
            let names = others.map { $0.name.isEmpty ? ShownIdentifier.text($0.deviceID) : $0.name }.sorted()
            return "The account goes on with \(TerminalText.escape(names.joined(separator: ", "))). \(stays)\n"
                + "Take this device out of the account?"
        }
        let end =
            hasKey
            ? "Only its recovery key can enter it then, from its cloud."
            : "No device can enter it any more then, and data that only its cloud has is lost."
        return "This is the account's only device. \(end) \(stays)\nTake this device out of the account?"
    }

    private static func text(_ answer: Baton_Control_V1_LeaveAccountResponse, hadOthers: Bool) -> String {
        let names = TerminalText.escape(answer.told.joined(separator: ", "))
        let told = names.isEmpty ? "" : " \(names) \(answer.told.count == 1 ? "was" : "were") notified."
        let rest =
            answer.cloudTold
            ? " Devices that are not nearby learn of it from the account's cloud."
            : names.isEmpty && hadOthers
                ? " No other device was notified: if there is one, run “baton device revoke” for this one there." : ""
        return "This device has left account \(ShownIdentifier.text(answer.accountID)).\(told)\(rest)"
    }
}
