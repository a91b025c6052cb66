public import Foundation
import VCard

/// Contacts as vCards, and the other way round. Contacts'. Its methods are safe on any thread.
open class CNContactVCardSerialization: NSObject {
    /// The properties that ``data(with:)`` reads.
    open class func descriptorForRequiredKeys() -> any CNKeyDescriptor {
        ContactKeyGroup(ContactKeys.names + ContactKeys.phoneticNames + ContactKeys.values)
    }

    /// vCards of version 3.0, one after the other, without pictures. Properties that were not fetched are left out.
    open class func data(with contacts: [CNContact]) throws -> Data {
        var data = Data()
        for contact in contacts {
            var card = contact.record.value.card
            card.image = nil
            data.append(contentsOf: VCardWriter(version: .v3).bytes(of: card))
        }
        return data
    }

    /// The contacts of vCards of version 2.1, 3.0 or 4.0. Lines of one that cannot be read are left out.
    /// - Throws: ``CNError/Code/vCardMalformed`` for data without any vCard.
    open class func contacts(with data: Data) throws -> [CNContact] {
        let documents = VCardFile(Array(data)).documents
        guard !documents.isEmpty || data.isEmpty else {
            throw CNError(.vCardMalformed, "The data have no vCard: a line “BEGIN:VCARD” is missing.")
        }
        return documents.filter { !$0.isGroup }.map { document in
            var card = ContactNames.completed(document.card)
            if card.identifier.isEmpty { card.identifier = UUID().uuidString }
            return CNContact(ContactRecord.State(card: card, hasImage: card.image != nil))
        }
    }
}
