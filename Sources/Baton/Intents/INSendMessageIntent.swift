import BatonCore

/// The kind of message. Intents'.
public enum INOutgoingMessageType: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// A text.
    case outgoingMessageText = 1
    /// A recording.
    case outgoingMessageAudio = 2
}

/// Something that is sent with a message. Intents'.
public final class INSendMessageAttachment: INIntentValue, @unchecked Sendable {
    /// A recording.
    public var audioMessageFile: INFile? { store.object("audioMessageFile") }

    /// A recording.
    public convenience init(audioMessageFile: INFile) {
        self.init(values: ["audioMessageFile": audioMessageFile.archived])
    }
}

/// To send a message (P-52, P-57). Intents'.
///
/// Donate one for each message, with all recipients: each recipient's card then lists the app as a way to send messages
/// (P-48). Safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/intents/insendmessageintent>
public final class INSendMessageIntent: INIntent, @unchecked Sendable {
    /// The recipients.
    public var recipients: [INPerson]? { store.objects("recipients") }
    /// The kind of message.
    public var outgoingMessageType: INOutgoingMessageType { store.option("outgoingMessageType", .unknown) }
    /// The text.
    public var content: String? { store.string("content") }
    /// The group's name.
    public var speakableGroupName: INSpeakableString? { store.object("speakableGroupName") }
    /// The conversation, by an identifier of the app's.
    public var conversationIdentifier: String? { store.string("conversationIdentifier") }
    /// The service, as it is called.
    public var serviceName: String? { store.string("serviceName") }
    /// The sender.
    public var sender: INPerson? { store.object("sender") }
    /// The attachments.
    public var attachments: [INSendMessageAttachment]? { store.objects("attachments") }
    /// The group's name, as text.
    public var groupName: String? { speakableGroupName?.spokenPhrase }

    /// A message, as in iOS 10. A group name that is empty counts as none.
    public convenience init(
        recipients: [INPerson]?, content: String?, groupName: String?, serviceName: String?, sender: INPerson?
    ) {
        let group = groupName.flatMap { $0.isEmpty ? nil : INSpeakableString(spokenPhrase: $0) }
        self.init(
            recipients: recipients, outgoingMessageType: .unknown, content: content, speakableGroupName: group,
            conversationIdentifier: nil, serviceName: serviceName, sender: sender, attachments: nil)
    }

    /// A message in a conversation, as in iOS 11.
    public convenience init(
        recipients: [INPerson]?, content: String?, speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?, serviceName: String?, sender: INPerson?
    ) {
        self.init(
            recipients: recipients, outgoingMessageType: .unknown, content: content,
            speakableGroupName: speakableGroupName, conversationIdentifier: conversationIdentifier,
            serviceName: serviceName, sender: sender, attachments: nil)
    }

    /// A message.
    ///
    /// - Parameters:
    ///   - recipients: everybody who gets it.
    ///   - outgoingMessageType: a text or a recording.
    ///   - content: the text.
    ///   - speakableGroupName: the group's name; nil for none.
    ///   - conversationIdentifier: of the app's, to find the conversation again.
    ///   - serviceName: the service, as it is called.
    ///   - sender: the one who sends it.
    ///   - attachments: what is sent with it.
    public convenience init(
        recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType, content: String?,
        speakableGroupName: INSpeakableString?, conversationIdentifier: String?, serviceName: String?,
        sender: INPerson?, attachments: [INSendMessageAttachment]?
    ) {
        self.init(values: [:])
        store.set("recipients", recipients)
        if outgoingMessageType != .unknown { store.set(option: "outgoingMessageType", outgoingMessageType) }
        store.set("content", content)
        store.set("speakableGroupName", speakableGroupName)
        store.set("conversationIdentifier", conversationIdentifier)
        store.set("serviceName", serviceName)
        store.set("sender", sender)
        store.set("attachments", attachments)
    }

    override var persons: [INPerson] { (recipients ?? []) + (sender.map { [$0] } ?? []) }

    override func parameter(_ name: String) -> Any? {
        switch name {
        case "recipients": recipients
        case "sender": sender
        case "speakableGroupName": speakableGroupName
        case "attachments": attachments
        default: super.parameter(name)
        }
    }
}

/// How it went to send a message (P-52, P-58). Intents'.
public final class INSendMessageIntentResponse: INIntentResponse, @unchecked Sendable {
    /// Apple's numbers. Intents' `INSendMessageIntentResponseCode`.
    public typealias Code = INSendMessageIntentResponseCode

    /// How it went.
    public var code: INSendMessageIntentResponseCode { storedCode(.unspecified) }

    /// The messages that were sent.
    public var sentMessages: [INMessage]? {
        get { store.objects("sentMessages") }
        set { store.set("sentMessages", newValue) }
    }

    /// The message that was sent.
    public var sentMessage: INMessage? {
        get { sentMessages?.first }
        set { sentMessages = newValue.map { [$0] } }
    }

    /// A response.
    ///
    /// - Parameters:
    ///   - code: how it went.
    ///   - userActivity: what the app continues when a person acts on the card; nil for an activity of type
    ///     `INSendMessageIntent`.
    public convenience init(code: INSendMessageIntentResponseCode, userActivity: NSUserActivity?) {
        self.init(number: code.rawValue, userActivity: userActivity)
    }

    override var handlingStatus: INIntentHandlingStatus {
        switch code {
        case .unspecified: .unspecified
        case .ready: .ready
        case .inProgress: .inProgress
        case .success: .success
        case .failureRequiringAppLaunch: .deferredToApplication
        default: .failure
        }
    }
}

/// How it went to send a message: Apple's numbers. Intents'.
public enum INSendMessageIntentResponseCode: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// It can be sent.
    case ready = 1
    /// It is being sent.
    case inProgress = 2
    /// It was sent.
    case success = 3
    /// It was not sent.
    case failure = 4
    /// The app has to be opened.
    case failureRequiringAppLaunch = 5
    /// The service is not there.
    case failureMessageServiceNotAvailable = 6
    /// The person has to prove in the app who they are.
    case failureRequiringInAppAuthentication = 7
}
