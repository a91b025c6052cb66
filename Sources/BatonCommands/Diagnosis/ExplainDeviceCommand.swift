import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton explain device`
struct ExplainDeviceCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Why is this device not seen?")

    @Argument(help: "Its name or identifier.", completion: DynamicCompletion.devices)
    var device: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try await ExplanationReport.run(.with { $0.device = device }, session)
    }
}
