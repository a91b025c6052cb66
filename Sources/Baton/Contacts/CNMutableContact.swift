public import Foundation
import VCard

/// A contact that can be changed. Contacts'.
///
/// ``CNContactStore/execute(_:)`` writes what was set, and nothing else. One object must not be changed while it is saved.
//
// @unchecked: as its superclass, whose lock holds what changes.
open class CNMutableContact: CNContact, @unchecked Sendable {
    /// A person or an organization.
    open override var contactType: CNContactType {
        get { super.contactType }
        set { record.change(CNContactTypeKey) { $0.isOrganization = newValue == .organization } }
    }
    /// The prefix of the name, as in “Dr.”.
    open override var namePrefix: String {
        get { super.namePrefix }
        set { record.change(CNContactNamePrefixKey) { $0.namePrefix = newValue } }
    }
    /// The given name.
    open override var givenName: String {
        get { super.givenName }
        set { record.change(CNContactGivenNameKey) { $0.givenName = newValue } }
    }
    /// The middle name.
    open override var middleName: String {
        get { super.middleName }
        set { record.change(CNContactMiddleNameKey) { $0.middleName = newValue } }
    }
    /// The family name.
    open override var familyName: String {
        get { super.familyName }
        set { record.change(CNContactFamilyNameKey) { $0.familyName = newValue } }
    }
    /// The family name before, as before a marriage.
    open override var previousFamilyName: String {
        get { super.previousFamilyName }
        set { record.change(CNContactPreviousFamilyNameKey) { $0.previousFamilyName = newValue } }
    }
    /// The suffix of the name, as in “Jr.”.
    open override var nameSuffix: String {
        get { super.nameSuffix }
        set { record.change(CNContactNameSuffixKey) { $0.nameSuffix = newValue } }
    }
    /// The nickname.
    open override var nickname: String {
        get { super.nickname }
        set { record.change(CNContactNicknameKey) { $0.nickname = newValue } }
    }
    /// The organization's name.
    open override var organizationName: String {
        get { super.organizationName }
        set { record.change(CNContactOrganizationNameKey) { $0.organizationName = newValue } }
    }
    /// The department in the organization.
    open override var departmentName: String {
        get { super.departmentName }
        set { record.change(CNContactDepartmentNameKey) { $0.departmentName = newValue } }
    }
    /// The person's job there.
    open override var jobTitle: String {
        get { super.jobTitle }
        set { record.change(CNContactJobTitleKey) { $0.jobTitle = newValue } }
    }
    /// How the given name is said.
    open override var phoneticGivenName: String {
        get { super.phoneticGivenName }
        set { record.change(CNContactPhoneticGivenNameKey) { $0.phoneticGivenName = newValue } }
    }
    /// How the middle name is said.
    open override var phoneticMiddleName: String {
        get { super.phoneticMiddleName }
        set { record.change(CNContactPhoneticMiddleNameKey) { $0.phoneticMiddleName = newValue } }
    }
    /// How the family name is said.
    open override var phoneticFamilyName: String {
        get { super.phoneticFamilyName }
        set { record.change(CNContactPhoneticFamilyNameKey) { $0.phoneticFamilyName = newValue } }
    }
    /// How the organization's name is said.
    open override var phoneticOrganizationName: String {
        get { super.phoneticOrganizationName }
        set { record.change(CNContactPhoneticOrganizationNameKey) { $0.phoneticOrganizationName = newValue } }
    }
    /// Notes about the contact.
    open override var note: String {
        get { super.note }
        set { record.change(CNContactNoteKey) { $0.note = newValue } }
    }
    /// Telephone numbers with their labels.
    open override var phoneNumbers: [CNLabeledValue<CNPhoneNumber>] {
        get { super.phoneNumbers }
        set {
            record.change(CNContactPhoneNumbersKey) { card in
                card.telephones = ContactValues.list(newValue, replacing: card.telephones) { $0.stringValue }
            }
        }
    }
    /// E-mail addresses with their labels.
    open override var emailAddresses: [CNLabeledValue<NSString>] {
        get { super.emailAddresses }
        set {
            record.change(CNContactEmailAddressesKey) { card in
                card.emails = ContactValues.list(newValue, replacing: card.emails) { String(describing: $0) }
            }
        }
    }
    /// Postal addresses with their labels.
    open override var postalAddresses: [CNLabeledValue<CNPostalAddress>] {
        get { super.postalAddresses }
        set {
            record.change(CNContactPostalAddressesKey) { card in
                card.addresses = ContactValues.list(newValue, replacing: card.addresses) { ContactValues.address($0) }
            }
        }
    }
    /// Addresses of pages with their labels.
    open override var urlAddresses: [CNLabeledValue<NSString>] {
        get { super.urlAddresses }
        set {
            record.change(CNContactUrlAddressesKey) { card in
                card.urls = ContactValues.list(newValue, replacing: card.urls) { String(describing: $0) }
            }
        }
    }
    /// People related to the contact, by the relation.
    open override var contactRelations: [CNLabeledValue<CNContactRelation>] {
        get { super.contactRelations }
        set {
            record.change(CNContactRelationsKey) { card in
                card.relations = ContactValues.list(newValue, replacing: card.relations) { $0.name }
            }
        }
    }
    /// Profiles on social networks.
    open override var socialProfiles: [CNLabeledValue<CNSocialProfile>] {
        get { super.socialProfiles }
        set {
            record.change(CNContactSocialProfilesKey) { card in
                card.socialProfiles = ContactValues.list(newValue, replacing: card.socialProfiles) {
                    .init(service: $0.service, username: $0.username, url: $0.urlString)
                }
            }
        }
    }
    /// Addresses for instant messages.
    open override var instantMessageAddresses: [CNLabeledValue<CNInstantMessageAddress>] {
        get { super.instantMessageAddresses }
        set {
            record.change(CNContactInstantMessageAddressesKey) { card in
                card.instantMessages = ContactValues.list(newValue, replacing: card.instantMessages) {
                    .init(service: $0.service, username: $0.username, url: $0.url)
                }
            }
        }
    }
    /// Days that matter, as an anniversary.
    open override var dates: [CNLabeledValue<NSDateComponents>] {
        get { super.dates }
        set {
            record.change(CNContactDatesKey) { card in
                card.dates = ContactValues.list(newValue, replacing: card.dates) {
                    ContactValues.date($0 as DateComponents)
                }
            }
        }
    }
    /// The birthday; its year may be unknown.
    open override var birthday: DateComponents? {
        get { super.birthday }
        set { record.change(CNContactBirthdayKey) { $0.birthday = newValue.map(ContactValues.date) } }
    }
    /// A birthday in another calendar, which vCards do not keep: setting it has no effect.
    open override var nonGregorianBirthday: DateComponents? {
        get { super.nonGregorianBirthday }
        set { _ = newValue }
    }
    /// The picture: PNG, JPEG or GIF, of at most 2 MiB.
    open override var imageData: Data? {
        get { super.imageData }
        set { record.change(CNContactImageDataKey) { $0.image = newValue.map { Array($0) } } }
    }

    /// A contact as it is now, that does not change.
    open override func copy(with zone: NSZone? = nil) -> Any { CNContact(record.value) }
}
