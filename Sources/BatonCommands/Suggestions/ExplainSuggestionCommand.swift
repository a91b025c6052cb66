import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton explain suggestion`
struct ExplainSuggestionCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "suggestion", abstract: "Where was this place seen, and why is it suggested, or not?")

    @Argument(help: "A place's name.")
    var place: String

    @Option(name: .long, help: ArgumentHelp("For a field of this type.", valueName: "type"))
    var field: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(
            SuggestionsMethods.explainSuggestion,
            .with {
                $0.place = place
                $0.field = field ?? ""
            })
        try ExplanationReport.emit(answer.explanations, session)
    }
}
