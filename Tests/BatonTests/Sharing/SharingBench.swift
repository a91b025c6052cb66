import Foundation
import Synchronization

@testable import Baton

/// A person who answers as the test says, and programs that only note what they were given.
final class SharingBench: Sendable {
    struct Run: Sendable, Equatable {
        var program: String
        var arguments: [String]
        var input: String
    }

    typealias Answer = @Sendable (PersonQuestion) -> PersonAnswer?

    private final class Notes: QuestionPresenter {
        struct State {
            var answers: [Answer] = []
            var questions: [PersonQuestion] = []
            var runs: [Run] = []
        }

        let state = Mutex(State())

        func ask(_ question: PersonQuestion) async throws -> PersonAnswer? {
            let answer = state.withLock { state in
                state.questions.append(question)
                return state.answers.isEmpty ? nil : state.answers.removeFirst()
            }
            return answer.flatMap { $0(question) }
        }
    }

    private let notes: Notes
    let tools: SharingTools

    /// - Parameter programs: in the search path.
    init(programs: Set<String> = [], variables: [String: String] = [:], isConfined: Bool = false) {
        let notes = Notes()
        self.notes = notes
        tools = SharingTools(
            find: { programs.contains($0) ? "/usr/bin/\($0)" : nil },
            run: { program, arguments, input in
                let text = String(decoding: input, as: UTF8.self)
                notes.state.withLock {
                    $0.runs.append(Run(program: program, arguments: arguments, input: text))
                }
            },
            isConfined: { isConfined }, variables: { variables }, presenter: { _ in notes }, daemon: { _ in notes },
            activities: SystemActivities.all)
    }

    var runs: [Run] { notes.state.withLock { $0.runs } }
    var questions: [PersonQuestion] { notes.state.withLock { $0.questions } }
    /// In the last sheet.
    var offered: [String] { questions.last { $0.kind == .shareSheet }?.options ?? [] }

    /// The next question without an answer yet is answered so.
    func answer(_ answer: @escaping Answer) { notes.state.withLock { $0.answers.append(answer) } }

    /// In the next sheet the person chooses this.
    func choose(_ title: String) {
        answer { question in question.options.firstIndex(of: title).map { .option($0) } }
    }
}

/// How a share sheet ended.
struct SheetOutcome {
    var type: UIActivity.ActivityType?
    var isCompleted: Bool
    var error: (any Error)?
}

/// Presents a sheet, and waits until it is over.
@MainActor
func share(
    _ items: [Any], _ activities: [UIActivity]? = nil, excluding excluded: [UIActivity.ActivityType]? = nil
) async -> SheetOutcome {
    let controller = UIActivityViewController(activityItems: items, applicationActivities: activities)
    controller.excludedActivityTypes = excluded
    let host = UIViewController()
    return await withCheckedContinuation { (waiter: CheckedContinuation<SheetOutcome, Never>) in
        controller.completionWithItemsHandler = { type, isCompleted, _, error in
            waiter.resume(returning: SheetOutcome(type: type, isCompleted: isCompleted, error: error))
        }
        host.present(controller, animated: true)
    }
}
