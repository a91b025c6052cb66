import BatonCore
public import Foundation

/// How the members of a list count. Intents'.
public enum INConditionalOperator: Int, Sendable {
    /// All of them.
    case all = 0
    /// Any of them.
    case any = 1
    /// None of them.
    case none = 2
}

/// An attribute of a message. Intents'.
public struct INMessageAttributeOptions: OptionSet, Sendable, Hashable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Options by Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Read.
    public static let read = Self(rawValue: 1)
    /// Not read.
    public static let unread = Self(rawValue: 2)
    /// Marked.
    public static let flagged = Self(rawValue: 4)
    /// Not marked.
    public static let unflagged = Self(rawValue: 8)
    /// Played.
    public static let played = Self(rawValue: 16)
}

/// Two dates by their components. Intents'.
public final class INDateComponentsRange: INIntentValue, @unchecked Sendable {
    /// The first.
    public var startDateComponents: DateComponents? { store.components("start") }
    /// The last.
    public var endDateComponents: DateComponents? { store.components("end") }

    /// Two dates; nil where there is none.
    public convenience init(start startDateComponents: DateComponents?, end endDateComponents: DateComponents?) {
        self.init(values: [:])
        store.set("start", startDateComponents)
        store.set("end", endDateComponents)
    }
}

/// To search for messages. Intents'.
public final class INSearchForMessagesIntent: INIntent, @unchecked Sendable {
    /// The recipients.
    public var recipients: [INPerson]? { store.objects("recipients") }
    /// How ``recipients`` count.
    public var recipientsOperator: INConditionalOperator { store.option("recipientsOperator", .all) }
    /// The senders.
    public var senders: [INPerson]? { store.objects("senders") }
    /// How ``senders`` count.
    public var sendersOperator: INConditionalOperator { store.option("sendersOperator", .all) }
    /// Words in them.
    public var searchTerms: [String]? { store.strings("searchTerms") }
    /// How ``searchTerms`` count.
    public var searchTermsOperator: INConditionalOperator { store.option("searchTermsOperator", .all) }
    /// Their identifiers.
    public var identifiers: [String]? { store.strings("identifiers") }
    /// How ``identifiers`` count.
    public var identifiersOperator: INConditionalOperator { store.option("identifiersOperator", .all) }
    /// The identifiers of their notifications.
    public var notificationIdentifiers: [String]? { store.strings("notificationIdentifiers") }
    /// How ``notificationIdentifiers`` count.
    public var notificationIdentifiersOperator: INConditionalOperator {
        store.option("notificationIdentifiersOperator", .all)
    }
    /// The names of their groups.
    public var speakableGroupNames: [INSpeakableString]? { store.objects("speakableGroupNames") }
    /// How ``speakableGroupNames`` count.
    public var speakableGroupNamesOperator: INConditionalOperator { store.option("speakableGroupNamesOperator", .all) }
    /// Their conversations.
    public var conversationIdentifiers: [String]? { store.strings("conversationIdentifiers") }
    /// How ``conversationIdentifiers`` count.
    public var conversationIdentifiersOperator: INConditionalOperator {
        store.option("conversationIdentifiersOperator", .all)
    }
    /// Their kinds.
    public var attributes: INMessageAttributeOptions {
        INMessageAttributeOptions(rawValue: UInt(clamping: store.integer("attributes") ?? 0))
    }
    /// When they were sent.
    public var dateTimeRange: INDateComponentsRange? { store.object("dateTimeRange") }

    /// A search. Nil for what is not asked.
    public convenience init(
        recipients: [INPerson]?, senders: [INPerson]?, searchTerms: [String]?, attributes: INMessageAttributeOptions,
        dateTimeRange: INDateComponentsRange?, identifiers: [String]?, notificationIdentifiers: [String]?,
        speakableGroupNames: [INSpeakableString]?, conversationIdentifiers: [String]? = nil
    ) {
        self.init(values: [:])
        store.set("recipients", recipients)
        store.set("senders", senders)
        store.set("searchTerms", searchTerms)
        store.set("attributes", Int(clamping: attributes.rawValue))
        store.set("dateTimeRange", dateTimeRange)
        store.set("identifiers", identifiers)
        store.set("notificationIdentifiers", notificationIdentifiers)
        store.set("speakableGroupNames", speakableGroupNames)
        store.set("conversationIdentifiers", conversationIdentifiers)
    }

    override var persons: [INPerson] { (recipients ?? []) + (senders ?? []) }

    override func parameter(_ name: String) -> Any? {
        switch name {
        case "recipients": recipients
        case "senders": senders
        case "speakableGroupNames": speakableGroupNames
        case "dateTimeRange": dateTimeRange
        default: super.parameter(name)
        }
    }
}

/// How it went to search for messages. Intents'.
public final class INSearchForMessagesIntentResponse: INIntentResponse, @unchecked Sendable {
    /// How it went.
    public var code: INSearchForMessagesIntentResponseCode { storedCode(.unspecified) }

    /// The messages that were found.
    public var messages: [INMessage]? {
        get { store.objects("messages") }
        set { store.set("messages", newValue) }
    }

    /// A response.
    ///
    /// - Parameters:
    ///   - code: how it went.
    ///   - userActivity: what the app continues when a person comes back to it; nil for an activity whose type is the
    ///     intent's class name.
    public convenience init(code: INSearchForMessagesIntentResponseCode, userActivity: NSUserActivity?) {
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

/// How it went to search for messages: Apple's numbers. Intents'.
public enum INSearchForMessagesIntentResponseCode: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// It can be done.
    case ready = 1
    /// It is being done.
    case inProgress = 2
    /// It was done.
    case success = 3
    /// It failed.
    case failure = 4
    /// The app has to be opened.
    case failureRequiringAppLaunch = 5
    /// The service is not there.
    case failureMessageServiceNotAvailable = 6
    /// There are too many.
    case failureMessageTooManyResults = 7
}
