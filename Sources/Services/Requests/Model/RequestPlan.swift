package import Foundation
package import RequestGrammar

/// The action to perform, with everything that “this”, “here” and “them” stand for.
package enum RequestPlan: Sendable, Hashable {
    case remind(String, RequestMeaning.When?, linked: RequestedContent?, here: RequestedContent?)
    case directions(RequestDestination)
    /// - Parameter name: who that is.
    case dial(TelephoneAddress, name: String?)
    case call(RequestedPerson)
    case video(RequestedPerson)
    case message(RequestedPerson, text: String?)
    case email(RequestedPerson, text: String?)
    case media(RequestMeaning.MediaAction, String?)
    case open(id: String, name: String)
    case page(URL)
    case search(String)
    case show(RequestMeaning.Listing)

    package var action: String {
        switch self {
        case .remind: "remind"
        case .directions: "directions"
        case .dial, .call: "call"
        case .video: "video"
        case .message: "message"
        case .email: "email"
        case .media(let action, _): action.rawValue
        case .open, .page: "open"
        case .search: "search"
        case .show: "show"
        }
    }

    /// The subject of the action.
    package var subject: String {
        switch self {
        case .remind(let subject, _, _, _): subject
        case .directions(let destination): destination.name
        case .dial(let number, let name): name ?? number.text
        case .call(let person), .video(let person): person.name
        case .message(_, let text), .email(_, let text): text ?? ""
        case .media(_, let media): media ?? ""
        case .open(_, let name): name
        case .page(let url): url.absoluteString
        case .search(let text): text
        case .show: ""
        }
    }

    /// For people: what would be done.
    package func sentence(in timeZone: TimeZone) -> String {
        switch self {
        case .remind(let subject, let when, let linked, _):
            let source = linked.map { ", which leads back to \($0.appName)" } ?? ""
            return "Remind you of “\(subject)”\(when.map { " " + $0.phrase(in: timeZone) } ?? "")\(source)"
        case .directions(let destination): return "Directions to \(destination.name)"
        case .dial(let number, let name): return "Call \(name.map { "\($0), " } ?? "")\(number.text)"
        case .call(let person): return "Call \(person.phrase)"
        case .video(let person): return "Video call \(person.phrase)"
        case .message(let person, let text): return "Message \(person.phrase)\(text.map { ": “\($0)”" } ?? "")"
        case .email(let person, let text): return "Email \(person.phrase)\(text.map { ": “\($0)”" } ?? "")"
        case .media(let action, let media): return RequestMeaning.media(action, media).sentence(in: timeZone)
        case .open(_, let name): return "Open \(name)"
        case .page(let url): return "Open \(url.absoluteString)"
        case .search(let text): return "Search for “\(text)”"
        case .show(let listing): return listing.sentence
        }
    }
}

extension RequestDestination {
    package var name: String {
        switch self {
        case .address(let address):
            "\(address.person)\(address.label.isEmpty ? "" : ", \(address.label)"): \(address.text)"
        case .known(let place): place.name
        case .home: "home"
        case .work: "work"
        case .named(let name): name
        }
    }
}

extension RequestDestination {
    /// Whose address it is.
    var owner: String { if case .address(let address) = self { address.person } else { name } }
}

extension RequestedPerson {
    fileprivate var phrase: String { detail.isEmpty ? name : "\(name) (\(detail))" }
}

/// The outcome of a request.
package struct RequestAnswer: Sendable {
    package enum Outcome: Sendable, Hashable {
        case done
        case meant
        case choices
        case notUnderstood
    }

    package var outcome: Outcome
    package var plans: [RequestPlan] = []
    /// The meanings found, where there could be more than one.
    package var meanings: [RequestMeaning] = []
    package var message = ""
    package var examples: [String] = []
    package var results: [RequestedResult] = []
    /// The token with which the person confirms the one plan, which comes from an app; see ``RequestConfirmation``.
    package var confirmation = ""
}
