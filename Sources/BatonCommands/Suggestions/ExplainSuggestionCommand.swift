import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton explain suggestion`
struct ExplainSuggestionCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "suggestion",
        abstract: "Where was this place seen, or when was this app used, and why is it suggested, or not?")

    @Argument(help: "A place's name, an app, or what an app plays.")
    var place: String

    @Option(name: .long, help: ArgumentHelp("For a field of this type.", valueName: "type"))
    var field: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        do {
            let answer = try await session.call(
                SuggestionsMethods.explainSuggestion,
                .with {
                    $0.place = place
                    $0.field = field ?? ""
                })
            return try ExplanationReport.emit(answer.explanations, session)
        } catch let error as BatonError where error.reason == "unknown_place" && field == nil {
            guard let explanations = try await ExplainPredictionCommand.explain(place, session) else {
                throw BatonError(
                    .notFound, reason: "unknown_place",
                    "No place of that name was looked at in the last two hours, and no app or medium of that name was used in the "
                        + "last 90 days. “baton suggestions” lists places, “baton today” what is likely.", cause: error)
            }
            try ExplanationReport.emit(explanations, session)
        }
    }
}
