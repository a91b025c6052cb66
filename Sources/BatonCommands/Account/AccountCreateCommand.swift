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
        // The daemon puts a name of its own in the place of an empty one.
        let status = try? await session.call(ControlMethods.getStatus, .init())
        let shown = status.flatMap { $0.deviceName.isEmpty ? nil : $0.deviceName } ?? name
        try session.emit(
            json: [
                "account_id": .string(answer.accountID), "device_id": .string(answer.deviceID),
                "device_name": .string(shown),
            ],
            text: """
                Account \(ShownIdentifier.text(answer.accountID)) was made; this device is “\(TerminalText.escape(shown))”.
                Let another device join: run “baton pair” on both. It needs no account of its own.
                """)
    }
}
