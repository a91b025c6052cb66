import BatonCore
public import Foundation

/// Whose name is shown for a suggested person. Intents'.
public enum INPersonSuggestionType: Int, Sendable {
    /// The person's.
    case none = 0
    /// That of a social profile.
    case socialProfile = 1
    /// That of an instant message address.
    case instantMessageAddress = 2
}

/// The relation of a person to the user of the device. Intents'.
public struct INPersonRelationship: RawRepresentable, Sendable, Hashable {
    /// The relation's text.
    public let rawValue: String
    /// A relation with a text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A relation with a text.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// The father.
    public static let father = Self("father")
    /// The mother.
    public static let mother = Self("mother")
    /// A parent.
    public static let parent = Self("parent")
    /// A brother.
    public static let brother = Self("brother")
    /// A sister.
    public static let sister = Self("sister")
    /// A child.
    public static let child = Self("child")
    /// A friend.
    public static let friend = Self("friend")
    /// A spouse.
    public static let spouse = Self("spouse")
    /// A partner.
    public static let partner = Self("partner")
    /// An assistant.
    public static let assistant = Self("assistant")
    /// A manager.
    public static let manager = Self("manager")
    /// A son.
    public static let son = Self("son")
    /// A daughter.
    public static let daughter = Self("daughter")
}

/// A participant in an interaction. Intents'.
///
/// The system joins it with a card of the person's address book, in this order: by ``contactIdentifier``, by
/// ``personHandle`` or one of ``aliases``, by ``customIdentifier`` within the app. Safe to use from any thread.
///
/// Apple: <https://developer.apple.com/documentation/intents/inperson>
public class INPerson: INIntentValue, INSpeakable, @unchecked Sendable {
    /// The address by which the person is matched.
    public var personHandle: INPersonHandle? { store.object("personHandle") }

    /// The parts of the name.
    public var nameComponents: PersonNameComponents? {
        guard let values = Self.values(of: store["nameComponents"]) else { return nil }
        let parts = AttributeStore(values)
        var components = PersonNameComponents()
        components.namePrefix = parts.string("namePrefix")
        components.givenName = parts.string("givenName")
        components.middleName = parts.string("middleName")
        components.familyName = parts.string("familyName")
        components.nameSuffix = parts.string("nameSuffix")
        components.nickname = parts.string("nickname")
        return components
    }

    /// The name: as it was given, else the parts of the name, else the address. Never nil, but may be empty.
    public var displayName: String {
        if let name = store.string("displayName"), !name.isEmpty { return name }
        let components = nameComponents
        let parts = [components?.givenName, components?.middleName, components?.familyName].compactMap { $0 }
        if !parts.isEmpty { return parts.joined(separator: " ") }
        return personHandle?.value ?? ""
    }

    /// A picture.
    public var image: INImage? { store.object("image") }
    /// The identifier of the person's card, a `CNContact`'s; nil where the app does not know it.
    public var contactIdentifier: String? { store.string("contactIdentifier") }
    /// The app's own identifier. Never shown.
    public var customIdentifier: String? { store.string("customIdentifier") }
    /// The relation of the person to the user of the device.
    public var relationship: INPersonRelationship? { store.string("relationship").map { INPersonRelationship($0) } }
    /// Other addresses of the same person.
    public var aliases: [INPersonHandle]? { store.objects("aliases") }
    /// Whose name is shown.
    public var suggestionType: INPersonSuggestionType { store.option("suggestionType", .none) }
    /// Whether it is the one who uses the device.
    public var isMe: Bool { store.boolean("isMe") ?? false }
    /// Whether the app suggests this person as a contact.
    public var isContactSuggestion: Bool { store.boolean("isContactSuggestion") ?? false }
    /// Other persons that may be meant. There are none here.
    public var siriMatches: [INPerson]? { nil }

    // MARK: INSpeakable

    /// The name.
    public var spokenPhrase: String { displayName }
    /// None.
    public var pronunciationHint: String? { nil }
    /// The app's own identifier.
    public var vocabularyIdentifier: String? { customIdentifier }
    /// None.
    public var alternativeSpeakableMatches: [any INSpeakable]? { nil }

    // MARK: Initializers

    /// A person.
    ///
    /// - Parameters:
    ///   - personHandle: an address, by which the card is found.
    ///   - nameComponents: the parts of the name.
    ///   - displayName: the name.
    ///   - image: a picture, of at most 256 KiB in a donation.
    ///   - contactIdentifier: of the person's card.
    ///   - customIdentifier: the app's own.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?
    ) {
        self.init(values: [:])
        store.set("personHandle", personHandle)
        store.set("displayName", displayName)
        store.set("image", image)
        store.set("contactIdentifier", contactIdentifier)
        store.set("customIdentifier", customIdentifier)
        guard let nameComponents else { return }
        let parts = AttributeStore()
        parts.set("namePrefix", nameComponents.namePrefix)
        parts.set("givenName", nameComponents.givenName)
        parts.set("middleName", nameComponents.middleName)
        parts.set("familyName", nameComponents.familyName)
        parts.set("nameSuffix", nameComponents.nameSuffix)
        parts.set("nickname", nameComponents.nickname)
        store["nameComponents"] = .dictionary(
            Dictionary(parts.values.map { (PropertyValue.string($0.key), $0.value) }, uniquingKeysWith: { $1 }))
    }

    /// A person with a relation.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, relationship: INPersonRelationship?
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
            contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
        store.set("relationship", relationship?.rawValue)
    }

    /// A person who may be the one who uses the device.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, isMe: Bool
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
            contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
        store.set("isMe", isMe)
    }

    /// A person who may be the one who uses the device, under a name of a kind.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, isMe: Bool, suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
            contactIdentifier: contactIdentifier, customIdentifier: customIdentifier, isMe: isMe)
        store.set(option: "suggestionType", suggestionType)
    }

    /// A person that the app suggests as a contact, under a name of a kind.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, isContactSuggestion: Bool,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
            contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
        store.set("isContactSuggestion", isContactSuggestion)
        store.set(option: "suggestionType", suggestionType)
    }

    /// A person with other addresses, under a name of a kind.
    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, aliases: [INPersonHandle]?,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
            contactIdentifier: contactIdentifier, customIdentifier: customIdentifier)
        store.set("aliases", aliases)
        store.set(option: "suggestionType", suggestionType)
    }
}
