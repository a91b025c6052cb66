package import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Takes questions from apps, and answers from the person.
package struct QuestionsHarness: Sendable {
    /// Copies the file that the person picked into an app's Inbox, and gives the copy's path.
    package typealias Pick =
        @Sendable (
            _ path: String, BundleID, _ types: [String], _ isWanted: @escaping @Sendable () -> Bool
        ) async throws -> String

    private let service: QuestionService
    private let pick: Pick

    package init(_ service: QuestionService, pick: @escaping Pick) {
        self.service = service
        self.pick = pick
    }

    package func register(on router: inout ConnectRouter) {
        router.appStream(QuestionMethods.askPerson) { [self] request, caller, writer in
            let (process, caller) = (caller.process, caller.named(request.displayName))
            let app = caller.identity.bundleID
            guard !request.question.forInbox else {
                guard !caller.identity.team.isDevelopment else {
                    throw BatonError(
                        .failedPrecondition, reason: "no_inbox",
                        "\(app) is not installed, so it has no Inbox. It opens the file that the person names itself.")
                }
                let question = PickQuestion(request.question, app: app, name: caller.name)
                try await question.put(
                    to: service,
                    copy: { [pick] path, app, types in try await pick(path, app, types) { process.isAlive } }
                ) { try await writer.write($0) }
                return try Task.checkCancellation()
            }
            let answers = try service.ask(request.question, from: app, named: caller.name)
            try await writer.write(.init())
            for await answer in answers { try await writer.write(.init(answer)) }
            // The daemon shuts down: the app does not hear that the person wants none of it.
            try Task.checkCancellation()
        }
        router.serverStream(ControlMethods.watchQuestions) { [service] _, _, writer in
            let (open, events) = try service.watch()
            defer { service.stopWatching() }
            for question in open { try await writer.write(.init(question)) }
            try await writer.write(.init())
            for await event in events {
                switch event {
                case .put(let question): try await writer.write(.init(question))
                case .gone(let id): try await writer.write(.with { $0.questionID = id })
                }
            }
            try Task.checkCancellation()
            throw BatonError(
                .resourceExhausted, reason: "left_behind", "The questions were not read in time. Watch again.")
        }
        router.unary(ControlMethods.answerQuestion) { [service] request, _ in
            let answer: QuestionAnswer =
                switch request.answer {
                case .optionID(let id)?: .option(id)
                case .text(let text)?: .text(text)
                case .cancelled?, nil: .cancelled
                }
            try service.answer(request.questionID, answer)
            return .init()
        }
    }
}

extension Baton_App_V1_AskPersonResponse {
    init(_ answer: QuestionAnswer) {
        self.init()
        switch answer {
        case .option(let id): optionID = id
        case .text(let text): self.text = text
        case .cancelled: cancelled = true
        }
    }
}

extension Baton_Control_V1_QuestionNews {
    init(_ question: OpenQuestion) {
        self.init()
        questionID = question.id
        self.question = question.question
        bundleID = question.app.rawValue
        appName = question.appName
    }
}
