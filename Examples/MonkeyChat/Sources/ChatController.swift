import Baton
import Foundation

/// The part of the app in which people write to each other. It prints what its screen would show.
@MainActor
final class ChatController {
    private let donations = DonateInteraction()

    /// The person signs out: the system's knowledge of the app goes, the partners of its messages too.
    func signOut() {
        CSSearchableIndex.default().deleteAllSearchableItems { error in
            print(error.map { "not signed out: \($0.localizedDescription)" } ?? "signed out")
        }
    }

    /// Sends what `monkeychat://send?to=NAME&handle=ADDRESS&text=TEXT` asks for, or signs out for `monkeychat://signout`.
    /// - Returns: false for another address.
    func send(_ url: URL) -> Bool {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return false }
        if components.host == "signout" {
            signOut()
            return true
        }
        guard components.host == "send" else { return false }
        func item(_ name: String) -> String? { components.queryItems?.first { $0.name == name }?.value }
        guard let name = item("to"), let text = item("text") else { return false }
        let address = item("handle") ?? name
        let type: INPersonHandleType =
            address.contains("@") ? .emailAddress : address.hasPrefix("+") ? .phoneNumber : .unknown
        let recipient = INPerson(
            personHandle: INPersonHandle(value: address, type: type), nameComponents: nil, displayName: name,
            image: nil,
            contactIdentifier: nil, customIdentifier: "monkey-" + name.lowercased())
        let sender = INPerson(
            personHandle: INPersonHandle(value: "me", type: .unknown), nameComponents: nil, displayName: "Me",
            image: nil,
            contactIdentifier: nil, customIdentifier: "monkey-me", isMe: true)
        print("sends “\(text)” to \(name)")
        donations.sendMessageIntent(text: text, from: sender, to: [recipient])
        return true
    }

    /// The person acts on a card: the message is there to be sent, and nothing is sent without them (P-55).
    /// - Returns: false for an activity that is no message.
    func compose(_ activity: NSUserActivity) -> Bool {
        guard let intent = activity.interaction?.intent as? INSendMessageIntent else {
            guard activity.activityType == DonateInteraction.activityType else { return false }
            print("shows the message “\(activity.userInfo?["message"] as? String ?? "")”")
            return true
        }
        let names = (intent.recipients ?? []).map(\.displayName).joined(separator: ", ")
        print("\(activity.activityType): a message to \(names): “\(intent.content ?? "")”")
        return true
    }
}
