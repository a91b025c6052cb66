public import Foundation
import VCard

/// Whether a contact is a person or an organization. Contacts'.
public enum CNContactType: Int, Sendable {
    /// A person.
    case person = 0
    /// An organization.
    case organization = 1
}

/// How contacts are ordered. Contacts'.
public enum CNContactSortOrder: Int, Sendable {
    /// In no order of its own.
    case none = 0
    /// As the person likes it: by family name here.
    case userDefault = 1
    /// By given name.
    case givenName = 2
    /// By family name.
    case familyName = 3
}

/// One person or organization, as it was when it was fetched. Contacts'.
///
/// Cards of several address books that share an e-mail address or a telephone number are one contact. It does not change, and is
/// safe to use from any thread. To read a property that was not fetched is a mistake of the program: ``BatonExceptions/handler``
/// gets it, with the name ``CNContactPropertyNotFetchedExceptionName``. A text that is not known is empty.
//
// @unchecked: the only stored property is a constant, and what changes lies behind its lock.
open class CNContact: NSObject, NSCopying, NSMutableCopying, NSSecureCoding, @unchecked Sendable {
    let record: ContactRecord

    /// A contact of which nothing is known, with an identifier of its own.
    public override init() {
        record = ContactRecord(.init(card: ContactCard(identifier: UUID().uuidString)))
        super.init()
    }

    init(_ state: ContactRecord.State) {
        record = ContactRecord(state)
        super.init()
    }

    /// Names the contact on this device, also after a restart. By unification it may become another one's: look a stored one up.
    open var identifier: String { record.value.card.identifier }

    /// A person or an organization.
    open var contactType: CNContactType {
        record.read(CNContactTypeKey) { $0.isOrganization } ?? false ? .organization : .person
    }

    // MARK: Texts

    /// The prefix of the name, as in “Dr.”.
    open var namePrefix: String { record.read(CNContactNamePrefixKey) { $0.namePrefix } ?? "" }
    /// The given name.
    open var givenName: String { record.read(CNContactGivenNameKey) { $0.givenName } ?? "" }
    /// The middle name.
    open var middleName: String { record.read(CNContactMiddleNameKey) { $0.middleName } ?? "" }
    /// The family name.
    open var familyName: String { record.read(CNContactFamilyNameKey) { $0.familyName } ?? "" }
    /// The family name before, as before a marriage.
    open var previousFamilyName: String { record.read(CNContactPreviousFamilyNameKey) { $0.previousFamilyName } ?? "" }
    /// The suffix of the name, as in “Jr.”.
    open var nameSuffix: String { record.read(CNContactNameSuffixKey) { $0.nameSuffix } ?? "" }
    /// The nickname.
    open var nickname: String { record.read(CNContactNicknameKey) { $0.nickname } ?? "" }
    /// The organization's name.
    open var organizationName: String { record.read(CNContactOrganizationNameKey) { $0.organizationName } ?? "" }
    /// The department in the organization.
    open var departmentName: String { record.read(CNContactDepartmentNameKey) { $0.departmentName } ?? "" }
    /// The person's job there.
    open var jobTitle: String { record.read(CNContactJobTitleKey) { $0.jobTitle } ?? "" }
    /// How the given name is said.
    open var phoneticGivenName: String { record.read(CNContactPhoneticGivenNameKey) { $0.phoneticGivenName } ?? "" }
    /// How the middle name is said.
    open var phoneticMiddleName: String { record.read(CNContactPhoneticMiddleNameKey) { $0.phoneticMiddleName } ?? "" }
    /// How the family name is said.
    open var phoneticFamilyName: String { record.read(CNContactPhoneticFamilyNameKey) { $0.phoneticFamilyName } ?? "" }
    /// How the organization's name is said.
    open var phoneticOrganizationName: String {
        record.read(CNContactPhoneticOrganizationNameKey) { $0.phoneticOrganizationName } ?? ""
    }
    /// Notes about the contact.
    open var note: String { record.read(CNContactNoteKey) { $0.note } ?? "" }

    // MARK: Lists

    /// Telephone numbers with their labels.
    open var phoneNumbers: [CNLabeledValue<CNPhoneNumber>] {
        record.read(CNContactPhoneNumbersKey) {
            ContactValues.labeled($0.telephones, "phoneNumbers") { CNPhoneNumber(stringValue: $0) }
        } ?? []
    }
    /// E-mail addresses with their labels.
    open var emailAddresses: [CNLabeledValue<NSString>] {
        record.read(CNContactEmailAddressesKey) {
            ContactValues.labeled($0.emails, "emailAddresses") { NSString(string: $0) }
        } ?? []
    }
    /// Postal addresses with their labels.
    open var postalAddresses: [CNLabeledValue<CNPostalAddress>] {
        record.read(CNContactPostalAddressesKey) {
            ContactValues.labeled($0.addresses, "postalAddresses") { ContactValues.object($0) }
        } ?? []
    }
    /// Addresses of pages with their labels.
    open var urlAddresses: [CNLabeledValue<NSString>] {
        record.read(CNContactUrlAddressesKey) {
            ContactValues.labeled($0.urls, "urlAddresses") { NSString(string: $0) }
        } ?? []
    }
    /// People related to the contact, by the relation.
    open var contactRelations: [CNLabeledValue<CNContactRelation>] {
        record.read(CNContactRelationsKey) {
            ContactValues.labeled($0.relations, "contactRelations") { CNContactRelation(name: $0) }
        } ?? []
    }
    /// Profiles on social networks.
    open var socialProfiles: [CNLabeledValue<CNSocialProfile>] {
        record.read(CNContactSocialProfilesKey) {
            ContactValues.labeled($0.socialProfiles, "socialProfiles") { ContactValues.object($0) }
        } ?? []
    }
    /// Addresses for instant messages.
    open var instantMessageAddresses: [CNLabeledValue<CNInstantMessageAddress>] {
        record.read(CNContactInstantMessageAddressesKey) {
            ContactValues.labeled($0.instantMessages, "instantMessageAddresses") { ContactValues.object($0) }
        } ?? []
    }
    /// Days that matter, as an anniversary.
    open var dates: [CNLabeledValue<NSDateComponents>] {
        record.read(CNContactDatesKey) {
            ContactValues.labeled($0.dates, "dates") { ContactValues.components($0) as NSDateComponents }
        } ?? []
    }

    // MARK: Days and pictures

    /// The birthday; its year may be unknown. Nil where it is not known.
    open var birthday: DateComponents? {
        record.read(CNContactBirthdayKey) { $0.birthday.map(ContactValues.components) } ?? nil
    }

    /// A birthday in another calendar: none here, since vCards know none.
    open var nonGregorianBirthday: DateComponents? {
        record.read(CNContactNonGregorianBirthdayKey) { _ in DateComponents?.none } ?? nil
    }

    /// The picture, as its card has it.
    open var imageData: Data? { record.read(CNContactImageDataKey) { $0.image.map { Data($0) } } ?? nil }

    /// The picture for a list: the same picture here.
    open var thumbnailImageData: Data? {
        record.read(CNContactThumbnailImageDataKey) { $0.image.map { Data($0) } } ?? nil
    }

    /// Whether there is a picture, fetched or not.
    open var imageDataAvailable: Bool {
        _ = record.read(CNContactImageDataAvailableKey) { _ in }
        return record.value.hasImage
    }

    // MARK: Availability

    /// Whether a property was fetched.
    open func isKeyAvailable(_ key: String) -> Bool { record.has(key) }

    /// Whether all of these properties were fetched.
    open func areKeysAvailable(_ keyDescriptors: [any CNKeyDescriptor]) -> Bool {
        ContactKeys.names(keyDescriptors).allSatisfy { record.has($0) }
    }

    /// Whether a card of this identifier belongs to this contact, as far as this object knows.
    open func isUnifiedWithContact(withIdentifier contactIdentifier: String) -> Bool {
        identifier == contactIdentifier
    }

    // MARK: Copies and archives

    /// Contacts do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A contact with the same identifier, to be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        var state = record.value
        state.changed = []
        return CNMutableContact(state)
    }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes what is known as a vCard, in an archive of Baton's own.
    open func encode(with coder: NSCoder) {
        let state = record.value
        coder.encode(NSData(data: Data(VCardWriter(version: .v4).bytes(of: state.card))), forKey: "vcard")
        if let keys = state.keys { coder.encode(keys.sorted().joined(separator: " ") as NSString, forKey: "keys") }
        coder.encode(state.hasImage, forKey: "hasImage")
    }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: "vcard"),
            let card = VCardFile(Array(Data(referencing: data))).documents.first?.card, !card.identifier.isEmpty
        else { return nil }
        var state = ContactRecord.State(card: card)
        // A value that is missing is an error of the whole archive.
        if coder.containsValue(forKey: "keys"), let keys = coder.decodeObject(of: NSString.self, forKey: "keys") {
            state.keys = Set(String(describing: keys).split(separator: " ").map(String.init))
        }
        state.hasImage = coder.decodeBool(forKey: "hasImage")
        record = ContactRecord(state)
        super.init()
    }

    /// Contacts are equal if everything that is known of them is.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CNContact else { return false }
        let (one, two) = (record.value, other.record.value)
        return one.card == two.card && one.keys == two.keys
    }

    /// Equal contacts have it in common.
    open override var hash: Int { identifier.hashValue }
}
