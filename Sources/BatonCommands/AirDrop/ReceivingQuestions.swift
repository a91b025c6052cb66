import BatonCore
import Foundation

/// The one question that stands on a terminal, and what a line that is typed says to it.
///
/// A person answers what they read. So there is one question at a time, and a line counts only if all of it was typed
/// while that question stood there, for long enough that it can have been read: what was typed before it was shown, or
/// before another one was withdrawn, is void.
struct ReceivingQuestions {
    struct Question: Hashable {
        let transfer: String
        let text: String
    }

    enum Reply: Hashable {
        case answer(transfer: String, accepts: Bool)
        /// Neither yes nor no.
        case unclear
        /// Typed before the question could be read.
        case early
        /// Nothing is asked.
        case void
    }

    /// The state of the terminal when a line was typed.
    struct Mark: Hashable {
        fileprivate let turn: Int
        fileprivate let time: Date
    }

    private let readingTime: TimeInterval
    private var waiting: [Question] = []
    private(set) var shown: Question?
    private var shownAt = Date.distantPast
    /// Counts what is shown and taken back.
    private var turn = 0

    /// - Parameter readingTime: seconds that are too short to read a question in.
    init(readingTime: TimeInterval) { self.readingTime = readingTime }

    func mark(_ now: Date) -> Mark { Mark(turn: turn, time: now) }

    /// - Returns: what is to be shown now; nil while another question stands there.
    mutating func ask(_ question: Question, now: Date) -> Question? {
        waiting.append(question)
        return next(now)
    }

    /// - Returns: the reply, and whether the line belongs to the question that is shown.
    mutating func reply(_ line: String, _ mark: Mark) -> Reply {
        guard let question = shown else { return .void }
        guard mark.turn == turn, mark.time.timeIntervalSince(shownAt) >= readingTime else { return .early }
        switch Answer(line) {
        case .yes, .no:
            shown = nil
            turn += 1
            return .answer(transfer: question.transfer, accepts: Answer(line) == .yes)
        case .code, .unclear: return .unclear
        }
    }

    /// A question is over.
    /// - Returns: whether it stood on the terminal.
    mutating func end(_ transfer: String) -> Bool {
        waiting.removeAll { $0.transfer == transfer }
        guard shown?.transfer == transfer else { return false }
        shown = nil
        turn += 1
        return true
    }

    /// The next question, which is shown from now on.
    mutating func next(_ now: Date) -> Question? {
        guard shown == nil, !waiting.isEmpty else { return nil }
        let question = waiting.removeFirst()
        shown = question
        shownAt = now
        turn += 1
        return question
    }
}
