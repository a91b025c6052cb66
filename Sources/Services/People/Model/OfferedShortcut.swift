package import BatonCore
package import BatonWire
import SwiftProtobuf

/// Something that an app offers to do or to play: a shortcut, or media that were not heard yet. A value.
///
/// All of it is the app's claim; it is given back only to the app.
package struct OfferedShortcut: Sendable {
    package let app: AppIdentity
    /// Names it within the app: the medium's own, else the same for what is the same.
    package let identifier: String
    /// For people; one line.
    package let title: String
    package let list: Baton_App_V1_OfferShortcutsRequest.List
    /// Its place in the list, from 0.
    package let place: Int
    /// By the numbers of `INMediaItemType`; nil for what is no medium.
    package let mediaType: Int?
    package let providers: [Baton_App_V1_RelevanceProvider]
    let message: Baton_App_V1_OfferedShortcut

    /// Bytes of an identifier and of a title.
    private static let maximumText = 256

    /// Nil for one that says nothing that can be read or done.
    init?(
        _ message: Baton_App_V1_OfferedShortcut, of app: AppIdentity, list: Baton_App_V1_OfferShortcutsRequest.List,
        place: Int
    ) {
        switch message.subject {
        case .intent(let intent)?:
            guard let read = try? DonatedIntent(.with { $0.intent = intent }) else { return nil }
            if let media = read.media {
                let name = media.identifier.isEmpty ? media.title : media.identifier
                guard name.utf8.count <= Self.maximumText else { return nil }
                identifier = name
                title = media.title.isEmpty ? name : media.title
                mediaType = media.type
            } else if list == .upcomingMedia || read.className.isEmpty {
                return nil
            } else {
                let persons = read.persons.map(\.person)
                identifier = Self.identifier(
                    read.className, persons.map { "\($0.name)\n\($0.handle?.value ?? "")" } + [intent.identifier])
                title = Self.title(read.className, persons.prefix(3).map(\.name).filter { !$0.isEmpty })
                mediaType = nil
            }
        case .activity(let payload)?:
            let activity = payload.description_p
            guard list != .upcomingMedia, ActivityType(rawValue: activity.activityType) != nil else { return nil }
            identifier = Self.identifier(
                activity.activityType, [payload.persistentIdentifier, activity.title, activity.webpageURL])
            title = activity.title.isEmpty ? activity.activityType : activity.title
            mediaType = nil
        case nil: return nil
        }
        (self.app, self.list, self.place) = (app, list, place)
        self.message = message
        providers = Array(message.providers.prefix(16))
    }

    /// Short, whatever the app wrote. Two of an app that differ have another one, in all likelihood (FNV-1a).
    private static func identifier(_ kind: String, _ parts: [String]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in parts.joined(separator: "\u{0}").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\(kind.shortened(toBytes: 200))/\(String(hash, radix: 16))"
    }

    private static func title(_ className: String, _ names: [String]) -> String {
        let whom = names.joined(separator: ", ")
        switch className {
        case IntentName.sendMessage: return whom.isEmpty ? "Write a message" : "Message to \(whom)"
        case IntentName.startCall, IntentName.startAudioCall: return whom.isEmpty ? "Start a call" : "Call \(whom)"
        case IntentName.startVideoCall: return whom.isEmpty ? "Start a video call" : "Video call with \(whom)"
        case IntentName.sendPayment: return whom.isEmpty ? "Send money" : "Send money to \(whom)"
        case "INRequestRideIntent": return "Request a ride"
        case "INSearchForMessagesIntent": return "Search messages"
        case "INAddTasksIntent": return "Add tasks"
        default: return className
        }
    }
}
