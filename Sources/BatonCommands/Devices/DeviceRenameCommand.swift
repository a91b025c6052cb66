import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton device rename`
struct DeviceRenameCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Change this device's name.")

    @Argument(help: "The new name.")
    var name: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        _ = try await session.call(ControlMethods.renameDevice, .with { $0.name = name })
        try session.emit(
            json: ["device_name": .string(name)],
            text: "This device is now “\(TerminalText.escape(name))”.")
    }
}
