import AppLink
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Has the daemon ask the person, for an app without a terminal: at `baton questions`, or on the desktop.
struct DaemonPresenter: QuestionPresenter {
    let runtime: AppRuntime

    func ask(_ question: PersonQuestion) async throws -> PersonAnswer? {
        let profile = runtime.profile
        guard profile.socketPath != nil else {
            throw SharingError.cannotAsk("the app has no terminal, and there is no daemon.")
        }
        let request = Baton_App_V1_AskPersonRequest.with {
            $0.displayName = profile.displayName
            $0.question = .init(question)
        }
        do {
            let answers = try await runtime.link.stream(
                QuestionMethods.askPerson, request)
            for try await response in answers {
                switch response.answer {
                case .optionID(let id)?:
                    guard let number = Int(id), question.options.indices.contains(number) else { return nil }
                    return .option(number)
                case .text(let text)?, .inboxPath(let text)?: return .text(text)
                case .cancelled?: return nil
                case nil: continue
                }
            }
            if Task.isCancelled { return nil }
            throw SharingError.cannotAsk("the daemon has ended.")
        } catch let error as BatonError {
            throw SharingError.cannotAsk(error.message)
        }
    }
}

extension Baton_App_V1_Question {
    init(_ question: PersonQuestion) {
        self.init()
        kind =
            switch question.kind {
            case .shareSheet: .shareSheet
            case .openFile: .openFile
            case .directory: .directory
            }
        title = question.title
        suggestion = question.suggestion
        forInbox = question.inboxTypes != nil
        contentTypes = question.inboxTypes ?? []
        options = question.options.enumerated().map { number, option in
            .with {
                $0.id = "\(number)"
                $0.title = option
                if question.icons.indices.contains(number) { $0.set(question.icons[number]) }
            }
        }
    }
}

extension Baton_App_V1_QuestionOption {
    fileprivate mutating func set(_ icon: OptionIcon) {
        switch icon {
        case .none: break
        case .named(let name): iconName = name
        case .picture(let data): self.icon = data
        case .app(let bundleIdentifier): bundleID = bundleIdentifier
        }
    }
}
