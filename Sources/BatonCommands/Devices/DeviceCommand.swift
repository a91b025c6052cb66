import ArgumentParser

/// `baton device`
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Rename this device or remove another.",
        subcommands: [DeviceRenameCommand.self, DeviceRevokeCommand.self])
}
