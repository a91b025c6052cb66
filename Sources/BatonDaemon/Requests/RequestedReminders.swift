import BatonCore
import RequestGrammar
import Requests

/// Reminders that a sentence asks for.
struct RequestedReminders: RequestReminders {
    func add(
        subject: String, when: RequestMeaning.When?, linkedActivity: RequestedContent?, here: RequestedContent?
    ) async throws {
        throw BatonError(
            .unimplemented, reason: "no_reminders", "This is a reminder, but Baton keeps no reminders on this device.")
    }
}
