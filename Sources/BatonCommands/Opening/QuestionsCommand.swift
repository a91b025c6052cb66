import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton questions`
struct QuestionsCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "questions", abstract: "List what apps without a terminal ask you, such as share sheets.",
        discussion: "“baton answer” answers one.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        var open: [Baton_Control_V1_QuestionNews] = []
        for try await news in try await session.stream(ControlMethods.watchQuestions, .init()) {
            guard news.questionID != 0 else { break }
            if news.hasQuestion { open.append(news) } else { open.removeAll { $0.questionID == news.questionID } }
        }
        try session.emit(
            json: ["questions": .array(open.map(Self.json))],
            text: open.isEmpty ? "No app asks anything." : open.map { text($0, session) }.joined(separator: "\n"))
    }

    private static func json(_ news: Baton_Control_V1_QuestionNews) -> JSONValue {
        [
            "question_id": .init(news.questionID), "bundle_id": .string(news.bundleID),
            "app_name": .string(news.appName), "kind": .string(kind(news.question.kind)),
            "title": .string(news.question.title),
            "options": .array(news.question.options.map { .string($0.title) }),
            "suggestion": .init(nonEmpty: news.question.suggestion),
        ]
    }

    private static func kind(_ kind: Baton_App_V1_Question.Kind) -> String {
        switch kind {
        case .shareSheet: "share_sheet"
        case .openFile: "open_file"
        case .directory: "directory"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    private func text(_ news: Baton_Control_V1_QuestionNews, _ session: CommandSession) -> String {
        let title =
            "\(news.questionID)  \(TerminalText.escape(news.appName)): \(TerminalText.escape(news.question.title))"
        let options = news.question.options.enumerated().map { "   \($0 + 1)  \(TerminalText.escape($1.title))" }
        let how =
            options.isEmpty ? "   baton answer \(news.questionID) PATH" : "   baton answer \(news.questionID) NUMBER"
        return ([session.paint(.bold, title)] + options + [how]).joined(separator: "\n")
    }
}

/// `baton answer`
struct AnswerCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Answer what an app asks you.",
        discussion: "“baton questions” lists the questions, their numbers and their answers.")

    @Argument(help: "The number of the question.")
    var question: UInt64

    @Argument(help: "The number of an answer, or a path. Without it, the question is cancelled.", completion: .file())
    var answer: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        var request = Baton_Control_V1_AnswerQuestionRequest()
        request.questionID = question
        if let answer { try await set(answer, in: &request, session) } else { request.cancelled = true }
        _ = try await session.call(ControlMethods.answerQuestion, request)
        try session.emit(
            json: ["question_id": .init(question), "cancelled": .boolean(answer == nil)],
            text: answer == nil ? "Cancelled." : "Answered.")
    }

    /// A number means an option where the question has any, else everything is a path.
    private func set(
        _ answer: String, in request: inout Baton_Control_V1_AnswerQuestionRequest, _ session: CommandSession
    ) async throws {
        for try await news in try await session.stream(ControlMethods.watchQuestions, .init()) {
            guard news.questionID != 0 else { break }
            guard news.questionID == question, news.hasQuestion, !news.question.options.isEmpty else { continue }
            guard let number = Int(answer), news.question.options.indices.contains(number - 1) else {
                throw BatonError(
                    .invalidArgument, reason: "no_such_answer",
                    "The question has the answers 1 to \(news.question.options.count). “baton questions” lists them.")
            }
            request.optionID = news.question.options[number - 1].id
            return
        }
        request.text = answer.hasPrefix("~") ? answer : session.context.absolutePath(answer)
    }
}
