import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton explain activity`
struct ExplainActivityCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "activity", abstract: "Why is this activity not offered there?")

    @Argument(help: "An activity's identifier or type on this device (default: the current one).")
    var activity: String?

    @Option(
        name: .long, help: "Where it should be offered (default: every device).", completion: DynamicCompletion.devices)
    var device: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try NonEmptyArgument.check(
            activity,
            "The activity is an empty text. Name one of “baton activities”, or leave it out for the current one.")
        try NonEmptyArgument.check(
            device, "The device is an empty text. Name one of “baton devices”, or leave it out for every device.")
    }

    func run(in session: CommandSession) async throws {
        let subject = Baton_Control_V1_ExplainActivity.with {
            $0.activity = activity ?? ""
            $0.device = device ?? ""
        }
        try await ExplanationReport.run(.with { $0.activity = subject }, session)
    }
}
