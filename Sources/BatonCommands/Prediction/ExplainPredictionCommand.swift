import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton explain prediction`
struct ExplainPredictionCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "prediction", abstract: "Why is this app, or what it plays, likely now, or not?")

    @Argument(help: "An app, or what an app plays.", completion: DynamicCompletion.apps)
    var item: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(PredictionsMethods.explainPrediction, .with { $0.item = item })
        try ExplanationReport.emit(answer.explanations, session)
    }

    /// - Returns: nil where nothing of that name was used.
    static func explain(
        _ item: String, _ session: CommandSession
    ) async throws -> [Baton_Control_V1_Explanation]? {
        do {
            return try await session.call(PredictionsMethods.explainPrediction, .with { $0.item = item }).explanations
        } catch let error as BatonError where error.reason == "unknown_item" {
            return nil
        }
    }
}
