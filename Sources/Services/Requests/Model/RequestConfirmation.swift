package import Foundation

/// A call or a message for which an app or a page gives the name or the number: the person is shown it before it is done.
///
/// Any app can say that it is in front, and that a place has its own number.
package struct RequestConfirmation: Sendable, Hashable {
    /// The app that says so, or why another person may be meant, for people.
    package let source: String
    package let plan: RequestPlan

    /// Nil for what the person may take back: a reminder, directions.
    package init?(of plan: RequestPlan, from source: String?) {
        guard let source else { return nil }
        switch plan {
        case .dial, .call, .video, .message, .email: break
        case .remind, .directions, .media, .open, .page, .search, .show: return nil
        }
        self.source = source
        self.plan = plan
    }

    /// Says all that the person was shown, so that another number, name or app is not confirmed with it.
    package func token(in timeZone: TimeZone) -> String {
        let person =
            switch plan {
            case .call(let person), .video(let person), .message(let person, _), .email(let person, _): person.id
            case .dial(let number, _): number.digits
            default: ""
            }
        return [source, person, plan.sentence(in: timeZone)].joined(separator: "\u{1F}")
    }
}
