import Baton
import Foundation

/// Donates each message, so that the cards of the people lead back to the app (P-54, P-56 to P-58).
final class DonateInteraction {
    /// The type of the activity that is continued when a person acts on a card.
    static let activityType = "com.xamarin.message"

    /// The current activity: one without a strong reference is gone.
    private var activity: NSUserActivity?

    /// - Parameters:
    ///   - text: what the message says.
    ///   - from: who sent it.
    ///   - to: everybody who got it.
    func sendMessageIntent(text: String, from: INPerson, to: [INPerson]) {
        // The activity that the app continues.
        let activity = NSUserActivity(activityType: Self.activityType)
        activity.title = "Sent MonkeyChat Message"
        activity.userInfo = ["message": text]
        activity.isEligibleForSearch = true
        activity.isEligibleForHandoff = true
        activity.isEligibleForPublicIndexing = true
        activity.becomeCurrent()
        self.activity = activity

        let intent = INSendMessageIntent(
            recipients: to, content: text, groupName: "", serviceName: "MonkeyChat", sender: from)
        let response = INSendMessageIntentResponse(code: .success, userActivity: activity)
        let interaction = INInteraction(intent: intent, response: response)
        interaction.donate { error in
            if let error {
                print("not donated: \(error.localizedDescription)")
            } else {
                print("donated “\(text)”")
            }
        }
    }
}
