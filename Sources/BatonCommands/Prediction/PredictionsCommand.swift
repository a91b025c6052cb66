import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton predictions`
struct PredictionsCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "predictions", abstract: "Choose the apps from whose use Baton learns.",
        discussion: """
            “baton predictions APP off” forgets what was learned of an app, and learns no more of it. “baton settings set \
            suggestions.predictions off” turns all of it off, “baton forget” deletes what was learned.
            """)

    @Argument(help: "An app.", completion: DynamicCompletion.apps)
    var app: String?

    @Argument(help: "“on” or “off”.")
    var choice: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard app == nil || ["on", "off"].contains(choice) else {
            throw ValidationError("Say “on” or “off” after the app.")
        }
    }

    func run(in session: CommandSession) async throws {
        if let app {
            let bundleID: String
            do {
                bundleID = try await AppReference.bundleID(app, session)
            } catch let error as BatonError where error.reason == "app_not_found" {
                // One that is gone may have been turned off, or have left something.
                guard try await Self.isKnown(app, session) else { throw error }
                bundleID = app
            }
            let isOn = choice == "on"
            _ = try await session.call(
                PredictionsMethods.allowPredictions,
                .with {
                    $0.bundleID = bundleID
                    $0.allowed = isOn
                })
            return try session.emit(
                json: ["bundle_id": .string(bundleID), "allowed": .boolean(isOn)],
                text: isOn
                    ? "Baton learns when \(TerminalText.escape(app)) is used."
                    : "Baton has forgotten when \(TerminalText.escape(app)) is used, and learns it no more.")
        }
        let answer = try await Self.list(session)
        let excluded = answer.excluded
        let text =
            !answer.enabled
            ? "Predictions are off. “baton settings set suggestions.predictions on” turns them on."
            : excluded.isEmpty
                ? "Baton learns of all apps when they are used. “baton today” says what is likely now."
                : (["Baton learns of all apps when they are used, but not of:"] + excluded.map { "  " + $0 })
                    .joined(separator: "\n")
        try session.emit(
            json: ["enabled": .boolean(answer.enabled), "off": .array(excluded.map { .string($0) })], text: text)
    }

    private static func list(_ session: CommandSession) async throws -> Baton_Control_V1_ListPredictionsResponse {
        try await session.call(PredictionsMethods.listPredictions, .with { $0.limit = 50 })
    }

    private static func isKnown(_ app: String, _ session: CommandSession) async throws -> Bool {
        let answer = try await list(session)
        return answer.excluded.contains(app) || (answer.apps + answer.media).contains { $0.bundleID == app }
    }
}
