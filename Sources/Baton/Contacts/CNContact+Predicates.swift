public import Foundation
import VCard

extension CNContact {
    // MARK: Predicates

    /// Contacts with a name that has all of these words, or words that begin with them; case and accents count for nothing.
    public class func predicateForContacts(matchingName name: String) -> NSPredicate { ContactPredicate(.name(name)) }

    /// Contacts with an e-mail address; case counts for nothing.
    public class func predicateForContacts(matchingEmailAddress emailAddress: String) -> NSPredicate {
        ContactPredicate(.email(emailAddress))
    }

    /// Contacts with a telephone number: its digits are equal, or one number ends in the other, which has at least 7.
    public class func predicateForContacts(matching phoneNumber: CNPhoneNumber) -> NSPredicate {
        ContactPredicate(.telephone(phoneNumber.stringValue))
    }

    /// Contacts by identifiers: at most 10,000. By unification, the identifiers of what is found may be others.
    public class func predicateForContacts(withIdentifiers identifiers: [String]) -> NSPredicate {
        ContactPredicate(identifiers.isEmpty ? .nothing : .identifiers(identifiers))
    }

    /// Contacts of a group: none, since there are no groups here.
    public class func predicateForContactsInGroup(withIdentifier groupIdentifier: String) -> NSPredicate {
        ContactPredicate(.nothing)
    }

    /// Contacts of a container: all of the one that there is.
    public class func predicateForContactsInContainer(withIdentifier containerIdentifier: String) -> NSPredicate {
        ContactPredicate(containerIdentifier == CNContainer.only ? .everything : .nothing)
    }

    // MARK: Order

    /// The properties that ``comparator(forNameSortOrder:)`` reads.
    public class func descriptorForAllComparatorKeys() -> any CNKeyDescriptor {
        ContactKeyGroup(ContactKeys.names + ContactKeys.phoneticNames)
    }

    /// Compares two contacts by their names, for sorting. They need the keys of ``descriptorForAllComparatorKeys()``.
    public class func comparator(
        forNameSortOrder sortOrder: CNContactSortOrder
    ) -> (CNContact, CNContact) -> ComparisonResult {
        { first, second in
            CNContactOrder.name(first, sortOrder).localizedCaseInsensitiveCompare(
                CNContactOrder.name(second, sortOrder))
        }
    }

    /// The name of a property, for people.
    public class func localizedString(forKey key: String) -> String {
        var words = ""
        for character in key {
            if character.isUppercase, !words.isEmpty { words += " " }
            words += character.lowercased()
        }
        return words
    }
}

/// By what contacts are sorted.
enum CNContactOrder {
    static func name(_ contact: CNContact, _ order: CNContactSortOrder) -> String {
        let card = contact.record.value.card
        let parts = order == .givenName ? [card.givenName, card.familyName] : [card.familyName, card.givenName]
        let name = parts.filter { !$0.isEmpty }.joined(separator: " ")
        return name.isEmpty ? card.displayName : name
    }
}
