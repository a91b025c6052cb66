import ArgumentParser
import BatonWire

/// `baton explain sync`
struct ExplainSyncCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Why is something not on the other devices yet?",
        discussion: "Shows the changes that wait to be sent, since when, why, and what would help.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(CloudControlMethods.explainSync, .init(), timeout: .seconds(30))
        try ExplanationReport.emit(answer.explanations, session)
    }
}
