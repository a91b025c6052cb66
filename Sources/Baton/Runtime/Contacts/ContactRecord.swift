import Foundation
import Synchronization
import VCard

/// The values of a contact object, behind a lock.
final class ContactRecord: Sendable {
    struct State: Sendable, Hashable {
        var card: ContactCard
        /// Names of the properties that are known; nil for all.
        var keys: Set<String>?
        /// Names of the properties that the app has set.
        var changed: Set<String> = []
        var hasImage = false
    }

    private let state: Mutex<State>

    init(_ state: State) { self.state = Mutex(state) }

    var value: State { state.withLock { $0 } }

    func has(_ key: String) -> Bool {
        key == CNContactIdentifierKey || state.withLock { $0.keys?.contains(key) ?? true }
    }

    /// - Returns: nil for a property that was not fetched, which is a mistake of the program.
    func read<Value>(_ key: String, _ read: (ContactCard) -> Value) -> Value? {
        let (card, isKnown) = state.withLock { ($0.card, $0.keys?.contains(key) ?? true) }
        guard isKnown else {
            BatonExceptions.handler(
                BatonException(
                    name: CNContactPropertyNotFetchedExceptionName,
                    reason: "The property “\(key)” of a contact was read, but not fetched. Add it to keysToFetch."))
            return nil
        }
        return read(card)
    }

    func change(_ key: String, _ change: (inout ContactCard) -> Void) {
        state.withLock { state in
            change(&state.card)
            state.keys?.insert(key)
            state.changed.insert(key)
            if key == CNContactImageDataKey { state.hasImage = state.card.image != nil }
        }
    }
}

extension ContactCard {
    /// With these properties only.
    func restricted(to keys: Set<String>) -> ContactCard {
        var card = ContactCard(identifier: identifier)
        func take<Value>(_ key: String, _ path: WritableKeyPath<ContactCard, Value>) {
            if keys.contains(key) { card[keyPath: path] = self[keyPath: path] }
        }
        take(CNContactTypeKey, \.isOrganization)
        take(CNContactNamePrefixKey, \.namePrefix)
        take(CNContactGivenNameKey, \.givenName)
        take(CNContactMiddleNameKey, \.middleName)
        take(CNContactFamilyNameKey, \.familyName)
        take(CNContactPreviousFamilyNameKey, \.previousFamilyName)
        take(CNContactNameSuffixKey, \.nameSuffix)
        take(CNContactNicknameKey, \.nickname)
        take(CNContactOrganizationNameKey, \.organizationName)
        take(CNContactDepartmentNameKey, \.departmentName)
        take(CNContactJobTitleKey, \.jobTitle)
        take(CNContactPhoneticGivenNameKey, \.phoneticGivenName)
        take(CNContactPhoneticMiddleNameKey, \.phoneticMiddleName)
        take(CNContactPhoneticFamilyNameKey, \.phoneticFamilyName)
        take(CNContactPhoneticOrganizationNameKey, \.phoneticOrganizationName)
        take(CNContactNoteKey, \.note)
        take(CNContactPhoneNumbersKey, \.telephones)
        take(CNContactEmailAddressesKey, \.emails)
        take(CNContactPostalAddressesKey, \.addresses)
        take(CNContactUrlAddressesKey, \.urls)
        take(CNContactRelationsKey, \.relations)
        take(CNContactSocialProfilesKey, \.socialProfiles)
        take(CNContactInstantMessageAddressesKey, \.instantMessages)
        take(CNContactDatesKey, \.dates)
        take(CNContactBirthdayKey, \.birthday)
        take(CNContactImageDataKey, \.image)
        take(CNContactThumbnailImageDataKey, \.image)
        return card
    }
}

/// Labels and values between cards and the classes of Contacts.
enum ContactValues {
    static func label(_ word: String) -> String? {
        word.isEmpty ? nil : word == "iphone" ? CNLabelPhoneNumberiPhone : CardLabel.text(of: word)
    }

    static func word(_ label: String?) -> String {
        guard let label else { return "" }
        return label == CNLabelPhoneNumberiPhone ? "iphone" : CardLabel.word(of: label)
    }

    static func labeled<Value, Object>(
        _ list: [ContactCard.Labeled<Value>], _ kind: String, _ object: (Value) -> Object
    ) -> [CNLabeledValue<Object>] {
        list.enumerated().map { number, value in
            CNLabeledValue(
                identifier: "\(kind)-\(number)", label: label(value.label), value: object(value.value))
        }
    }

    /// The preferred values of the card stay preferred.
    static func list<Value, Object>(
        _ values: [CNLabeledValue<Object>], replacing old: [ContactCard.Labeled<Value>], _ value: (Object) -> Value
    ) -> [ContactCard.Labeled<Value>] {
        values.map { labeled in
            let new = value(labeled.value)
            let isPreferred = old.contains { $0.isPreferred && $0.value == new }
            return .init(label: word(labeled.label), value: new, isPreferred: isPreferred)
        }
    }

    static func components(_ date: ContactCard.PartialDate) -> DateComponents {
        DateComponents(
            calendar: Calendar(identifier: .gregorian), year: date.year, month: date.month, day: date.day)
    }

    static func date(_ components: DateComponents) -> ContactCard.PartialDate {
        .init(year: components.year, month: components.month, day: components.day)
    }

    static func object(_ address: ContactCard.Address) -> CNPostalAddress {
        let object = CNMutablePostalAddress()
        object.street = address.street
        object.subLocality = address.subLocality
        object.city = address.city
        object.subAdministrativeArea = address.subAdministrativeArea
        object.state = address.state
        object.postalCode = address.postalCode
        object.country = address.country
        object.isoCountryCode = address.isoCountryCode
        return object.copy() as? CNPostalAddress ?? object
    }

    static func address(_ object: CNPostalAddress) -> ContactCard.Address {
        var address = ContactCard.Address()
        address.street = object.street
        address.subLocality = object.subLocality
        address.city = object.city
        address.subAdministrativeArea = object.subAdministrativeArea
        address.state = object.state
        address.postalCode = object.postalCode
        address.country = object.country
        address.isoCountryCode = object.isoCountryCode
        return address
    }

    static func object(_ message: ContactCard.ServiceName) -> CNInstantMessageAddress {
        CNInstantMessageAddress(username: message.username, service: message.service, url: message.url)
    }

    static func object(_ profile: ContactCard.ServiceName) -> CNSocialProfile {
        CNSocialProfile(
            urlString: profile.url, username: profile.username, userIdentifier: nil, service: profile.service)
    }
}
