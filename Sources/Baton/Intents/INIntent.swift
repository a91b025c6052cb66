import BatonCore
import BatonWire

/// An action that a person did in an app, or wants to do: to send a message, to call, to play. Intents'.
///
/// Abstract (P-53): there is no initializer, and no class of an app derives from it. Make one of the classes below it, as
/// ``INSendMessageIntent``. Safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/intents/inintent>
public class INIntent: INIntentValue, @unchecked Sendable {
    /// Names it within the app; nil until the system has made it.
    public var identifier: String? { store.string(Self.identifierName) }

    /// A description for logs.
    public var intentDescription: String? { "\(type(of: self))" }

    /// A phrase that a person might say to have it done again; nil at first.
    public var suggestedInvocationPhrase: String? {
        get { store.string("suggestedInvocationPhrase") }
        set { store.set("suggestedInvocationPhrase", newValue) }
    }

    /// Where a shortcut to it may be suggested; nowhere at first.
    public var shortcutAvailability: INShortcutAvailabilityOptions {
        get { INShortcutAvailabilityOptions(rawValue: UInt(clamping: store.integer("shortcutAvailability") ?? 0)) }
        set { store.set("shortcutAvailability", newValue.isEmpty ? nil : Int(clamping: newValue.rawValue)) }
    }

    /// More about a donation of it; nil at first.
    public var donationMetadata: INIntentDonationMetadata? {
        get {
            if let message = store.object("messageMetadata", INSendMessageIntentDonationMetadata.self) {
                return message
            }
            return store.object("donationMetadata", INIntentDonationMetadata.self)
        }
        set {
            let isMessage = newValue is INSendMessageIntentDonationMetadata
            store.set("messageMetadata", isMessage ? newValue : nil)
            store.set("donationMetadata", isMessage ? nil : newValue)
        }
    }

    /// A picture of one of the parameters; nil when none was set.
    ///
    /// - Parameter parameterName: the property's name, as in `speakableGroupName`.
    public func image(forParameterNamed parameterName: String) -> INImage? {
        store.object(Self.imageName(parameterName))
    }

    /// Sets a picture of one of the parameters.
    ///
    /// - Parameter parameterName: the property's name. There is a form with a key path, too.
    public func setImage(_ image: INImage?, forParameterNamed parameterName: String) {
        store.set(Self.imageName(parameterName), image)
    }

    /// The picture that stands for the whole: of the group, the sender, or whatever has one.
    public func keyImage() -> INImage? {
        let names = ["speakableGroupName", "sender", "recipients", "contacts", "mediaContainer", "mediaItems"]
        if let image = names.lazy.compactMap({ self.image(forParameterNamed: $0) }).first { return image }
        return persons.lazy.compactMap(\.image).first
    }

    /// The persons that it concerns.
    var persons: [INPerson] { [] }

    /// A parameter by its name, as ``INInteraction/parameterValue(for:)`` answers it.
    func parameter(_ name: String) -> Any? { store[name]?.any }

    static let identifierName = "intentIdentifier"
    private static func imageName(_ parameter: String) -> String { "imageOf." + parameter }
}

/// Where a shortcut may be suggested. Intents'.
public struct INShortcutAvailabilityOptions: OptionSet, Sendable, Hashable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Options by Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Before sleep: mindfulness.
    public static let sleepMindfulness = Self(rawValue: 1)
    /// Before sleep: a journal.
    public static let sleepJournaling = Self(rawValue: 2)
    /// Before sleep: music.
    public static let sleepMusic = Self(rawValue: 4)
    /// Before sleep: podcasts.
    public static let sleepPodcasts = Self(rawValue: 8)
    /// Before sleep: reading.
    public static let sleepReading = Self(rawValue: 16)
    /// Before sleep: wrapping up the day.
    public static let sleepWrapUpYourDay = Self(rawValue: 32)
    /// Before sleep: yoga and stretching.
    public static let sleepYogaAndStretching = Self(rawValue: 64)
}

/// More about a donation. Intents'.
public class INIntentDonationMetadata: INIntentValue, @unchecked Sendable {
    /// Nothing is known.
    public convenience init() { self.init(values: [:]) }
}

/// More about the donation of a message. Intents'.
public final class INSendMessageIntentDonationMetadata: INIntentDonationMetadata, @unchecked Sendable {
    /// Whether the message mentions the person who reads it.
    public var mentionsCurrentUser: Bool {
        get { store.boolean("mentionsCurrentUser") ?? false }
        set { store.set("mentionsCurrentUser", newValue) }
    }

    /// Whether it answers a message of that person.
    public var isReplyToCurrentUser: Bool {
        get { store.boolean("isReplyToCurrentUser") ?? false }
        set { store.set("isReplyToCurrentUser", newValue) }
    }

    /// Whether the group is notified.
    public var notifyRecipientAnyway: Bool {
        get { store.boolean("notifyRecipientAnyway") ?? false }
        set { store.set("notifyRecipientAnyway", newValue) }
    }

    /// How many receive it; 0 at first.
    public var recipientCount: Int {
        get { store.integer("recipientCount") ?? 0 }
        set { store.set("recipientCount", newValue) }
    }
}
