import ArgumentParser
import BatonCore
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
        do {
            try await ExplanationReport.run(.with { $0.device = device }, session)
        } catch let error as BatonError where error.reason == "unknown_device" && device.utf8.count < 4 {
            throw BatonError(
                error.code, reason: error.reason,
                "\(error.message) The beginning of an identifier has 4 characters at least.")
        }
    }
}
