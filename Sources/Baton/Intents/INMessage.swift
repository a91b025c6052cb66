import BatonCore
public import Foundation

/// The kind of a message. Intents'.
public enum INMessageType: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// A text.
    case text = 1
    /// A recording.
    case audio = 2
    /// A digital touch.
    case digitalTouch = 3
    /// Handwriting.
    case handwriting = 4
    /// A sticker.
    case sticker = 5
    /// A reaction.
    case tapbackLiked = 6
    /// A reaction.
    case tapbackDisliked = 7
    /// A reaction.
    case tapbackEmphasized = 8
    /// A reaction.
    case tapbackLoved = 9
    /// A reaction.
    case tapbackQuestioned = 10
    /// A reaction.
    case tapbackLaughed = 11
    /// An event.
    case mediaCalendar = 12
    /// A place.
    case mediaLocation = 13
    /// A card.
    case mediaAddressCard = 14
    /// A picture.
    case mediaImage = 15
    /// A video.
    case mediaVideo = 16
    /// A pass.
    case mediaPass = 17
    /// Audio.
    case mediaAudio = 18
    /// Money that was sent.
    case paymentSent = 19
    /// Money that is asked for.
    case paymentRequest = 20
    /// A note on a payment.
    case paymentNote = 21
    /// An animated face.
    case animoji = 22
    /// A part of a workout.
    case activitySnippet = 23
    /// A file.
    case file = 24
    /// A link.
    case link = 25
}

/// A message. Intents'.
public final class INMessage: INIntentValue, @unchecked Sendable {
    /// The app's own identifier.
    public var identifier: String { store.string("identifier") ?? "" }
    /// The conversation's.
    public var conversationIdentifier: String? { store.string("conversationIdentifier") }
    /// The text.
    public var content: String? { store.string("content") }
    /// When it was sent.
    public var dateSent: Date? { store.date("dateSent") }
    /// The sender.
    public var sender: INPerson? { store.object("sender") }
    /// The recipients.
    public var recipients: [INPerson]? { store.objects("recipients") }
    /// The group's name.
    public var groupName: INSpeakableString? { store.object("groupName") }
    /// Its kind.
    public var messageType: INMessageType { store.option("messageType", .unspecified) }
    /// The service, as it is called.
    public var serviceName: String? { store.string("serviceName") }

    /// A message.
    public convenience init(
        identifier: String, conversationIdentifier: String?, content: String?, dateSent: Date?, sender: INPerson?,
        recipients: [INPerson]?, groupName: INSpeakableString?, messageType: INMessageType, serviceName: String?
    ) {
        self.init(values: ["identifier": .string(identifier)])
        store.set("conversationIdentifier", conversationIdentifier)
        store.set("content", content)
        store.set("dateSent", dateSent)
        store.set("sender", sender)
        store.set("recipients", recipients)
        store.set("groupName", groupName)
        store.set(option: "messageType", messageType)
        store.set("serviceName", serviceName)
    }

    /// A message of a group without a name.
    public convenience init(
        identifier: String, conversationIdentifier: String?, content: String?, dateSent: Date?, sender: INPerson?,
        recipients: [INPerson]?, messageType: INMessageType
    ) {
        self.init(
            identifier: identifier, conversationIdentifier: conversationIdentifier, content: content,
            dateSent: dateSent, sender: sender, recipients: recipients, groupName: nil, messageType: messageType,
            serviceName: nil)
    }

    /// A text.
    public convenience init(
        identifier: String, content: String?, dateSent: Date?, sender: INPerson?, recipients: [INPerson]?
    ) {
        self.init(
            identifier: identifier, conversationIdentifier: nil, content: content, dateSent: dateSent, sender: sender,
            recipients: recipients, messageType: .text)
    }
}
