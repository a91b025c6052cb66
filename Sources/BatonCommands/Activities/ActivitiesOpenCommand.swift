import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton activities open`
struct ActivitiesOpenCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open what an app has saved: its app is started, and continues the activity.")

    @Argument(help: "The saved activity, or a unique beginning of its identifier.")
    var saved: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        // Launching and continuing have deadlines of their own in the daemon.
        let answer = try await session.call(
            ControlMethods.openSavedActivity, .with { $0.savedID = saved }, timeout: .seconds(90))
        guard answer.handled else {
            throw CommandFailure(
                .notContinued,
                BatonError(.aborted, reason: "not_handled", "The app was started, but did not take the activity."))
        }
        try session.emit(json: ["handled": .boolean(true)], text: "The app has taken the activity.")
    }
}
