import BatonWire
public import Foundation
import SwiftProtobuf
import Synchronization
import VCard

/// Changes of contacts, for ``CNContactStore/execute(_:)``. Contacts'.
///
/// At most 1,000 changes. A contact must not be touched while the request with it is executed.
open class CNSaveRequest: NSObject {
    enum Change {
        case add(CNMutableContact)
        case update(CNMutableContact)
        case delete(CNMutableContact)
    }

    private(set) var changes: [Change] = []
    /// The author of the changes, for a history of them: not kept here.
    open var transactionAuthor: String?
    /// Whether contacts are to be as they are after saving. They are not fetched again here.
    open var shouldRefetchContacts = true

    /// A request without changes.
    public override init() { super.init() }

    /// Adds a contact, to the folder of vCards; there is one container.
    open func add(_ contact: CNMutableContact, toContainerWithIdentifier identifier: String?) {
        changes.append(.add(contact))
    }

    /// Writes what was set of a contact that was fetched.
    open func update(_ contact: CNMutableContact) { changes.append(.update(contact)) }

    /// Deletes a contact: all of its cards.
    open func delete(_ contact: CNMutableContact) { changes.append(.delete(contact)) }

    var contacts: [CNMutableContact] {
        changes.map { change in
            switch change {
            case .add(let contact), .update(let contact), .delete(let contact): contact
            }
        }
    }

    var messages: [Baton_App_V1_ContactChange] {
        changes.compactMap { change in
            switch change {
            case .add(let contact):
                .with { $0.add = Data(VCardWriter(version: .v4).bytes(of: contact.record.value.card)) }
            case .update(let contact):
                Self.update(contact.record.value)
            case .delete(let contact):
                .with { $0.delete = contact.identifier }
            }
        }
    }

    /// Nil where nothing was set.
    private static func update(_ state: ContactRecord.State) -> Baton_App_V1_ContactChange? {
        guard !state.changed.isEmpty else { return nil }
        return .with { change in
            change.update = .with {
                $0.identifier = state.card.identifier
                var card = state.card
                if !state.changed.contains(CNContactImageDataKey) { card.image = nil }
                $0.vcard = Data(VCardWriter(version: .v4).bytes(of: card))
                $0.keys = state.changed.sorted()
            }
        }
    }
}
