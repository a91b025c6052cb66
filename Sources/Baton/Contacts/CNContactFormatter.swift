public import Foundation
import VCard

/// The style of a formatter. Contacts'.
public enum CNContactFormatterStyle: Int, Sendable {
    /// The whole name.
    case fullName = 0
    /// How the name is said.
    case phoneticFullName = 1
}

/// Which name goes first. Contacts'.
public enum CNContactDisplayNameOrder: Int, Sendable {
    /// As the person likes it: the given name here, but in names of East Asia.
    case userDefault = 0
    /// The given name.
    case givenNameFirst = 1
    /// The family name.
    case familyNameFirst = 2
}

/// Writes names of contacts. Contacts'. One object belongs to one thread at a time; its class methods are safe on any.
open class CNContactFormatter: NSObject {
    /// The style of this object.
    open var style = CNContactFormatterStyle.fullName

    /// A formatter of whole names.
    public override init() { super.init() }

    /// The properties that a style reads.
    open class func descriptorForRequiredKeys(for style: CNContactFormatterStyle) -> any CNKeyDescriptor {
        ContactKeyGroup(style == .fullName ? ContactKeys.names : ContactKeys.phoneticNames)
    }

    /// The properties that ``nameOrder(for:)`` reads.
    open class var descriptorForRequiredKeysForNameOrder: any CNKeyDescriptor { ContactKeyGroup(ContactKeys.names) }
    /// The properties that ``delimiter(for:)`` reads.
    open class var descriptorForRequiredKeysForDelimiter: any CNKeyDescriptor { ContactKeyGroup(ContactKeys.names) }

    /// The name; nil for a contact that has none. A contact needs the keys of ``descriptorForRequiredKeys(for:)``.
    open class func string(from contact: CNContact, style: CNContactFormatterStyle) -> String? {
        let parts: [String]
        let delimiter = delimiter(for: contact)
        switch style {
        case .fullName:
            if contact.contactType == .organization, !contact.organizationName.isEmpty {
                return contact.organizationName
            }
            let names = [contact.givenName, contact.middleName, contact.familyName]
            let ordered = nameOrder(for: contact) == .familyNameFirst ? Array(names.reversed()) : names
            let name = ordered.filter { !$0.isEmpty }.joined(separator: delimiter)
            parts = name.isEmpty ? [] : [contact.namePrefix, name, contact.nameSuffix]
            if name.isEmpty {
                let others = [contact.nickname, contact.organizationName]
                return others.first { !$0.isEmpty }
            }
        case .phoneticFullName:
            let names = [contact.phoneticGivenName, contact.phoneticMiddleName, contact.phoneticFamilyName]
            parts = isEastAsian(names.joined()) ? names.reversed() : names
        }
        let text = parts.filter { !$0.isEmpty }.joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    /// The name; nil for a contact that has none.
    open func string(from contact: CNContact) -> String? { Self.string(from: contact, style: style) }

    /// Which name of a contact goes first, by the letters of it.
    open class func nameOrder(for contact: CNContact) -> CNContactDisplayNameOrder {
        isEastAsian(contact.givenName + contact.familyName) ? .familyNameFirst : .givenNameFirst
    }

    /// The delimiter between the parts of a contact's name.
    open class func delimiter(for contact: CNContact) -> String {
        isEastAsian(contact.givenName + contact.familyName) ? "" : " "
    }

    /// Chinese, Japanese and Korean letters only.
    private class func isEastAsian(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0x20000...0x2FA1F: true
                default: false
                }
            }
    }
}
