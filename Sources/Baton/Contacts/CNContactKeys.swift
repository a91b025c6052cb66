public import Foundation

/// A key of properties that are to be fetched: a text, or a descriptor that a formatter gives. Contacts'.
///
/// Write `CNContactGivenNameKey as any CNKeyDescriptor`, or the key alone.
public protocol CNKeyDescriptor {}

extension String: CNKeyDescriptor {}
extension NSString: CNKeyDescriptor {}

/// The identifier, which is always fetched. Contacts'.
public let CNContactIdentifierKey = "identifier"
/// Person or organization. Contacts'.
public let CNContactTypeKey = "contactType"
/// The prefix of the name, as in “Dr.”. Contacts'.
public let CNContactNamePrefixKey = "namePrefix"
/// The given name. Contacts'.
public let CNContactGivenNameKey = "givenName"
/// The middle name. Contacts'.
public let CNContactMiddleNameKey = "middleName"
/// The family name. Contacts'.
public let CNContactFamilyNameKey = "familyName"
/// The family name before, as before a marriage. Contacts'.
public let CNContactPreviousFamilyNameKey = "previousFamilyName"
/// The suffix of the name, as in “Jr.”. Contacts'.
public let CNContactNameSuffixKey = "nameSuffix"
/// The nickname. Contacts'.
public let CNContactNicknameKey = "nickname"
/// The organization's name. Contacts'.
public let CNContactOrganizationNameKey = "organizationName"
/// The department in the organization. Contacts'.
public let CNContactDepartmentNameKey = "departmentName"
/// The person's job there. Contacts'.
public let CNContactJobTitleKey = "jobTitle"
/// How the given name is said. Contacts'.
public let CNContactPhoneticGivenNameKey = "phoneticGivenName"
/// How the middle name is said. Contacts'.
public let CNContactPhoneticMiddleNameKey = "phoneticMiddleName"
/// How the family name is said. Contacts'.
public let CNContactPhoneticFamilyNameKey = "phoneticFamilyName"
/// How the organization's name is said. Contacts'.
public let CNContactPhoneticOrganizationNameKey = "phoneticOrganizationName"
/// Notes about the contact. Contacts'.
public let CNContactNoteKey = "note"
/// Telephone numbers with their labels. Contacts'.
public let CNContactPhoneNumbersKey = "phoneNumbers"
/// E-mail addresses with their labels. Contacts'.
public let CNContactEmailAddressesKey = "emailAddresses"
/// Postal addresses with their labels. Contacts'.
public let CNContactPostalAddressesKey = "postalAddresses"
/// Addresses of pages with their labels. Contacts'.
public let CNContactUrlAddressesKey = "urlAddresses"
/// People related to the contact, by the relation. Contacts'.
public let CNContactRelationsKey = "contactRelations"
/// Profiles on social networks. Contacts'.
public let CNContactSocialProfilesKey = "socialProfiles"
/// Addresses for instant messages. Contacts'.
public let CNContactInstantMessageAddressesKey = "instantMessageAddresses"
/// Days that matter, as an anniversary. Contacts'.
public let CNContactDatesKey = "dates"
/// The birthday. Contacts'.
public let CNContactBirthdayKey = "birthday"
/// A birthday in another calendar. Contacts'.
public let CNContactNonGregorianBirthdayKey = "nonGregorianBirthday"
/// The picture. Contacts'.
public let CNContactImageDataKey = "imageData"
/// The picture for a list. Contacts'.
public let CNContactThumbnailImageDataKey = "thumbnailImageData"
/// Whether there is a picture. Contacts'.
public let CNContactImageDataAvailableKey = "imageDataAvailable"

/// The name of the mistake of reading a property that was not fetched. Contacts'.
public let CNContactPropertyNotFetchedExceptionName = "CNPropertyNotFetchedException"

/// Several keys behind one descriptor.
final class ContactKeyGroup: CNKeyDescriptor, Sendable {
    let keys: [String]

    init(_ keys: [String]) { self.keys = keys }
}

/// Names of properties.
enum ContactKeys {
    static let names = [
        CNContactTypeKey, CNContactNamePrefixKey, CNContactGivenNameKey, CNContactMiddleNameKey,
        CNContactFamilyNameKey, CNContactNameSuffixKey, CNContactNicknameKey, CNContactOrganizationNameKey,
        CNContactPreviousFamilyNameKey,
    ]
    static let phoneticNames = [
        CNContactPhoneticGivenNameKey, CNContactPhoneticMiddleNameKey, CNContactPhoneticFamilyNameKey,
        CNContactPhoneticOrganizationNameKey,
    ]
    static let values = [
        CNContactDepartmentNameKey, CNContactJobTitleKey, CNContactNoteKey, CNContactPhoneNumbersKey,
        CNContactEmailAddressesKey, CNContactPostalAddressesKey, CNContactUrlAddressesKey, CNContactRelationsKey,
        CNContactSocialProfilesKey, CNContactInstantMessageAddressesKey, CNContactDatesKey, CNContactBirthdayKey,
    ]
    static let images = [CNContactImageDataKey, CNContactThumbnailImageDataKey]

    static func names(_ descriptors: [any CNKeyDescriptor]) -> Set<String> {
        var names: Set<String> = []
        for descriptor in descriptors {
            switch descriptor {
            case let key as String: names.insert(key)
            case let key as NSString: names.insert(String(describing: key))
            case let group as ContactKeyGroup: names.formUnion(group.keys)
            default: break
            }
        }
        return names
    }
}
