import ArgumentParser

/// `baton device`
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Rename this device, or shut another one out.",
        subcommands: [DeviceRenameCommand.self, DeviceRevokeCommand.self])
}
