import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton account create`
struct AccountCreateCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an account, on the first device only.",
        discussion: "Every further device joins it with “baton pair”.")

    @Option(name: .long, help: "Name for this device (default: the host's name).")
    var name: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let name = name ?? ProcessInfo.processInfo.hostName
        let answer = try await session.call(
            ControlMethods.createAccount, .with { $0.deviceName = name }, timeout: .seconds(60))
        try session.emit(
            json: [
                "account_id": .string(answer.accountID), "device_id": .string(answer.deviceID),
                "device_name": .string(name),
            ],
            text: """
                Account \(ShownIdentifier.text(answer.accountID)) was made; this device is “\(TerminalText.escape(name))”.
                Let another device join: run “baton pair” on both. It needs no account of its own.
                """)
    }
}
