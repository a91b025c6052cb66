import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton explain airdrop`
struct ExplainAirDropCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "airdrop", abstract: "Why can nothing be sent to this device by AirDrop?",
        discussion: "Looks for some seconds when the device is not one of the account's.")

    @Argument(help: "Its name, or the beginning of its identifier.", completion: DynamicCompletion.devices)
    var device: String

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try NonEmptyArgument.check(device, "The device is an empty text. Name one of “baton nearby”.")
    }

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            AirDropMethods.explainNearby, .with { $0.device = device }, timeout: .seconds(30))
        try ExplanationReport.emit(answer.explanations, session)
    }
}
