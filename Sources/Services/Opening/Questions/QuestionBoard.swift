package import BatonCore
package import BatonWire
import SwiftProtobuf

/// A question of an app to the person.
package struct OpenQuestion: Sendable, Hashable {
    package let id: UInt64
    package let app: BundleID
    package let appName: String
    package let question: Baton_App_V1_Question
    /// The daemon asks it: whether the app may do something.
    package let isPermission: Bool
}

package enum QuestionAnswer: Sendable, Hashable {
    case option(String)
    case text(String)
    case cancelled
}

/// The questions that wait for the person: a value.
package struct QuestionBoard: Sendable {
    /// Policies. A person answers one at a time; an app that asks more has lost its way.
    static let maximumOpen = 64
    static let maximumPerApp = 4
    static let maximumOptions = 200
    static let maximumText = 4096
    /// Bytes of all pictures of a question.
    static let maximumIcons = 1 << 20

    private var questions: [UInt64: OpenQuestion] = [:]
    /// Another one at each start: an answer to a question that a daemon before this one had, which a person still reads on their
    /// terminal, must not be taken for one of another app's.
    private var last = UInt64.random(in: 100..<10_000)

    /// The oldest first.
    var open: [OpenQuestion] { questions.values.sorted { $0.id < $1.id } }

    /// - Throws: `invalid_argument` for a question that cannot be answered, `resource_exhausted` for one too many.
    mutating func add(
        _ question: Baton_App_V1_Question, from app: BundleID, named name: String, isPermission: Bool = false
    ) throws(BatonError) -> OpenQuestion {
        try Self.check(question)
        guard questions.count < Self.maximumOpen,
            questions.values.count(where: { $0.app == app }) < Self.maximumPerApp
        else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_questions",
                "Too many questions wait for an answer. “baton questions” lists them.")
        }
        last += 1
        let added = OpenQuestion(
            id: last, app: app, appName: name, question: question, isPermission: isPermission)
        questions[last] = added
        return added
    }

    /// - Returns: the question, which waits no more.
    /// - Throws: `not_found` for one that does not wait, `invalid_argument` for one that is not among its answers.
    mutating func answer(_ id: UInt64, _ answer: QuestionAnswer) throws(BatonError) -> OpenQuestion {
        guard let question = questions[id] else {
            throw BatonError(
                .notFound, reason: "no_such_question",
                "No question \(id) waits for an answer. “baton questions” lists those that do.")
        }
        switch answer {
        case .option(let option):
            guard question.question.options.contains(where: { $0.id == option }) else { throw Self.noAnswer }
        case .text(let text):
            guard question.question.options.isEmpty, !text.isEmpty, text.utf8.count <= Self.maximumText,
                !text.utf8.contains(0)
            else { throw Self.noAnswer }
        case .cancelled: break
        }
        questions[id] = nil
        return question
    }

    /// - Returns: nil if it does not wait.
    mutating func withdraw(_ id: UInt64) -> OpenQuestion? { questions.removeValue(forKey: id) }

    private static func check(_ question: Baton_App_V1_Question) throws(BatonError) {
        let texts =
            [question.title, question.suggestion]
            + question.options.flatMap { [$0.id, $0.title, $0.iconName, $0.bundleID] } + question.contentTypes
        guard question.options.count <= maximumOptions, texts.allSatisfy({ $0.utf8.count <= maximumText }),
            Set(question.options.map(\.id)).count == question.options.count,
            (question.kind == .shareSheet) == !question.options.isEmpty,
            question.options.lazy.map(\.icon.count).reduce(0, +) <= maximumIcons,
            !question.forInbox || question.kind == .openFile, question.contentTypes.count <= maximumOptions
        else {
            throw BatonError(
                .invalidArgument, reason: "invalid_question",
                "A share sheet has 1 to \(maximumOptions) options with pictures of \(maximumIcons) bytes together, any other "
                    + "question none. Only a file can be for the Inbox, of at most \(maximumOptions) types.")
        }
    }

    private static var noAnswer: BatonError {
        BatonError(
            .invalidArgument, reason: "no_such_answer",
            "That is not an answer to the question. “baton questions” lists the answers.")
    }
}
