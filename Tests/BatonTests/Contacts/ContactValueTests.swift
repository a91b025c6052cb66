import BatonWire
import Foundation
import Testing
import VCard

@testable import Baton

/// Contacts without a daemon: values, names, vCards (P-48).
@Suite struct ContactValueTests {
    private let text = """
        BEGIN:VCARD
        VERSION:3.0
        UID:1
        N:Appleseed;John;Q;Dr.;Jr.
        FN:Dr. John Q Appleseed Jr.
        item1.TEL:+1 800 275 2273
        item1.X-ABLabel:_$!<Mobile>!$_
        BDAY:--0601
        ADR;TYPE=WORK:;;1 Infinite Loop;Cupertino;CA;95014;United States
        END:VCARD
        """

    @Test("vCards become contacts with Contacts' labels, and contacts vCards")
    func vCards() throws {
        let contact = try #require(try CNContactVCardSerialization.contacts(with: Data(text.utf8)).first)
        #expect(contact.identifier == "1" && contact.givenName == "John" && contact.contactType == .person)
        #expect(contact.phoneNumbers.first?.label == CNLabelPhoneNumberMobile)
        #expect(contact.phoneNumbers.first?.value.stringValue == "+1 800 275 2273")
        #expect(contact.birthday?.month == 6 && contact.birthday?.year == nil)
        #expect(contact.postalAddresses.first?.label == CNLabelWork)
        #expect(contact.postalAddresses.first?.value.city == "Cupertino")
        #expect(CNContactFormatter.string(from: contact, style: .fullName) == "Dr. John Q Appleseed Jr.")
        #expect(CNContactFormatter.string(from: CNContact(), style: .fullName) == nil)
        let data = try CNContactVCardSerialization.data(with: [contact])
        #expect(try CNContactVCardSerialization.contacts(with: data).first?.phoneNumbers == contact.phoneNumbers)
        #expect(throws: CNError.self) { try CNContactVCardSerialization.contacts(with: Data("nothing".utf8)) }
    }

    @Test("A contact that can be changed is a copy of its own, and knows what was set")
    func changes() throws {
        let contact = try #require(try CNContactVCardSerialization.contacts(with: Data(text.utf8)).first)
        let mutable = try #require(contact.mutableCopy() as? CNMutableContact)
        mutable.givenName = "Jon"
        mutable.emailAddresses = [CNLabeledValue(label: "Beach", value: "j@example.com" as NSString)]
        mutable.dates = [CNLabeledValue(label: CNLabelDateAnniversary, value: NSDateComponents())]
        #expect(contact.givenName == "John" && contact.emailAddresses.isEmpty)
        #expect(mutable.identifier == contact.identifier && mutable.emailAddresses.first?.label == "Beach")
        #expect(mutable.record.value.changed == ["givenName", "emailAddresses", "dates"])
        let request = CNSaveRequest()
        request.update(mutable)
        request.delete(mutable)
        #expect(request.messages.count == 2 && request.messages[0].update.keys.count == 3)
        let copy = try #require(mutable.copy() as? CNContact)
        #expect(!(copy is CNMutableContact) && copy.givenName == "Jon")
    }

    @Test("Contacts and their values survive an archive")
    func archives() throws {
        let contact = try #require(try CNContactVCardSerialization.contacts(with: Data(text.utf8)).first)
        let data = try NSKeyedArchiver.archivedData(withRootObject: contact, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: CNContact.self, from: data) == contact)
        let number = CNPhoneNumber(stringValue: "1")
        let archived = try NSKeyedArchiver.archivedData(withRootObject: number, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: CNPhoneNumber.self, from: archived) == number)
    }

    // Another test may set the handler meanwhile; what is looked for is this property's own mistake.
    @Test("A property that was not fetched is known as such")
    func unfetched() throws {
        let full = try #require(try CNContactVCardSerialization.contacts(with: Data(text.utf8)).first)
        let card = full.record.value.card.restricted(to: [CNContactGivenNameKey])
        let contact = CNContact(ContactRecord.State(card: card, keys: [CNContactGivenNameKey]))
        #expect(contact.givenName == "John" && contact.isKeyAvailable(CNContactIdentifierKey))
        #expect(!contact.isKeyAvailable(CNContactPhoneNumbersKey))
        #expect(!contact.areKeysAvailable([CNContactFormatter.descriptorForRequiredKeys(for: .fullName)]))
        #expect(contact.areKeysAvailable([CNContactGivenNameKey]))
        #expect(card.telephones.isEmpty && card.familyName.isEmpty)
    }
}
