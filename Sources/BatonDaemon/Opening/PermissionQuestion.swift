import BatonCore
import BatonWire
import Opening
import SwiftProtobuf

/// Asks the person whether an app may do something, as apps without a terminal ask.
struct PermissionQuestion: Sendable {
    private static let (allow, deny) = ("allow", "deny")

    let questions: QuestionService
    /// Completes “May APP …?”.
    let action: String

    /// - Returns: nil where the person decided nothing.
    func ask(_ app: AppIdentity, _ name: String) async throws -> Bool? {
        let question = Baton_App_V1_Question.with {
            $0.kind = .shareSheet
            // The name is the app's: it cannot close the quotation and ask something else.
            $0.title = "May \(PeerRelation.quoted(name)) (\(app.bundleID)) \(action)?"
            $0.options = [
                .with {
                    $0.id = Self.allow
                    $0.title = "Allow"
                },
                .with {
                    $0.id = Self.deny
                    $0.title = "Do not allow"
                },
            ]
        }
        let answers = try questions.ask(question, from: app.bundleID, named: name, isPermission: true)
        for await answer in answers {
            switch answer {
            case .option(Self.allow): return true
            case .option(Self.deny): return false
            case .option, .text, .cancelled: return nil
            }
        }
        // The app withdrew the question, or the daemon ends.
        throw CancellationError()
    }
}
