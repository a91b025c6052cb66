import Foundation

/// A question to a person: for one of several options, or for a path.
struct PersonQuestion: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case shareSheet
        /// An existing file.
        case openFile
        case directory
    }

    var kind: Kind
    var title: String
    /// The options of a share sheet; empty for a path.
    var options: [String] = []
    /// The options' icons, in their order; those that are missing have none. A terminal shows none.
    var icons: [OptionIcon] = []
    /// The default text; empty for none.
    var suggestion = ""
    /// The identifiers of the types that the file may have, when the daemon is to copy it into the app's Inbox; otherwise nil.
    var inboxTypes: [String]?
}

/// The icon or text that a desktop shows beside an option.
enum OptionIcon: Sendable, Hashable {
    case none
    /// A name of the icon naming specification.
    case named(String)
    /// PNG.
    case picture(Data)
    /// That of an installed app, by its bundle identifier.
    case app(String)
}

enum PersonAnswer: Sendable, Hashable {
    /// Counted from 0.
    case option(Int)
    case text(String)
}

/// Asks the person. The terminal does, and the daemon for an app without one.
protocol QuestionPresenter: Sendable {
    /// - Returns: nil if the person wants none of it.
    /// - Throws: when no person can be asked. A cancelled task ends the question.
    func ask(_ question: PersonQuestion) async throws -> PersonAnswer?
    /// Shows a person who looks at it a message that needs no answer.
    func tell(_ text: String) async
}

extension QuestionPresenter {
    /// This presenter does not watch the daemon's questions.
    func tell(_ text: String) async {}
}

/// Why something was not shared. Its `localizedDescription` is for the person.
struct SharingError: Error, LocalizedError, CustomNSError {
    static let errorDomain = "BatonSharingErrorDomain"
    let message: String
    let errorCode: Int

    static func cannotAsk(_ why: String) -> SharingError {
        SharingError(message: "The person cannot be asked: \(why)", errorCode: 1)
    }

    static func failed(_ what: String) -> SharingError { SharingError(message: what, errorCode: 2) }

    var errorDescription: String? { message }
    var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
