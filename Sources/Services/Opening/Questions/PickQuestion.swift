package import BatonCore
package import BatonWire
import SwiftProtobuf

/// A question for a file that an app gets a copy of. The person decides, and sees that; the app says what it wants the file for.
package struct PickQuestion: Sendable {
    /// Bytes of the app's own words. More would hide ours.
    private static let maximumTitle = 120
    /// Bytes of what was wrong with the last file.
    private static let maximumComplaint = 400

    private let question: Baton_App_V1_Question
    private let app: BundleID
    private let name: String

    package init(_ question: Baton_App_V1_Question, app: BundleID, name: String) {
        self.question = question
        self.app = app
        self.name = name
    }

    /// - Parameter complaint: what was wrong with the last file; nil at first.
    package func shown(complaint: String? = nil) -> Baton_App_V1_Question {
        var shown = question
        let said = complaint.map { $0.shortened(toBytes: Self.maximumComplaint) + " Name another file." }
        let title = said ?? question.title.shortened(toBytes: Self.maximumTitle)
        shown.title = "\(title) The app gets a copy."
        // The app suggests no file: the person's choice alone counts.
        shown.suggestion = ""
        return shown
    }

    /// Asks until a file was copied, or the person wants none. A file that cannot be copied is the person's affair: the app does not
    /// hear of it.
    /// - Parameter copy: the file with a path, for the app, where it has one of the types; gives the copy's path.
    package func put(
        to service: QuestionService,
        copy: (_ path: String, BundleID, _ types: [String]) async throws -> String,
        write: (Baton_App_V1_AskPersonResponse) async throws -> Void
    ) async throws {
        var complaint: String?
        repeat {
            let answers = try service.ask(shown(complaint: complaint), from: app, named: name)
            if complaint == nil { try await write(.init()) }
            complaint = nil
            for await answer in answers {
                guard case .text(let path) = answer else {
                    try await write(.init(answer))
                    continue
                }
                do {
                    let copied = try await copy(path, app, question.contentTypes)
                    try await write(.with { $0.inboxPath = copied })
                } catch let error as BatonError {
                    complaint = error.message
                }
            }
        } while complaint != nil
    }
}
