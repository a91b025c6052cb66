import AppLink
public import Foundation
import Synchronization
import VCard

/// A kind of data that an app can ask for. Contacts'.
public enum CNEntityType: Int, Sendable {
    /// Contacts.
    case contacts = 0
}

/// Whether the app may read contacts. Contacts'.
public enum CNAuthorizationStatus: Int, Sendable {
    /// The person was never asked.
    case notDetermined = 0
    /// The person of this device cannot allow it.
    case restricted = 1
    /// The person does not allow it.
    case denied = 2
    /// The person allows it.
    case authorized = 3
    /// The person allows it for some contacts: never so here.
    case limited = 4
}

extension NSNotification.Name {
    /// Contacts have changed, or the person has changed what the app may do: fetch again what you keep. Contacts'.
    ///
    /// Posted on a queue of Baton's, once a ``CNContactStore`` was made.
    public static let CNContactStoreDidChange = NSNotification.Name("CNContactStoreDidChangeNotification")
}

/// The person's contacts. Contacts'.
///
/// Methods that fetch or save block the thread: do not call them on the main one. Nothing is fetched before the person has allowed
/// it: ask with ``requestAccess(for:completionHandler:)``. Without that, and after a refusal, the error is
/// ``CNError/Code/authorizationDenied`` at once. A store is safe to use from any thread.
//
// @unchecked: its property is a constant.
open class CNContactStore: NSObject, @unchecked Sendable {
    private let runtime = AppRuntime.current

    /// The store of the person's contacts; all stores are the same one.
    public override init() {
        super.init()
        runtime.contacts.watch()
    }

    // MARK: Permission

    /// Whether the app may read contacts. Waits a moment for the daemon; ``CNAuthorizationStatus/notDetermined`` without one.
    open class func authorizationStatus(for entityType: CNEntityType) -> CNAuthorizationStatus {
        let runtime = AppRuntime.current
        return (try? runtime.link.wait(.seconds(5)) { try await runtime.contacts.access() }) ?? .notDetermined
    }

    /// Asks the person, once for each app; later calls get what was answered.
    /// - Parameter completionHandler: called on a queue of Baton's; the error says why it is not allowed.
    open func requestAccess(
        for entityType: CNEntityType, completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let runtime = runtime
        // The caller does not wait: the person may take long. The handler is called once.
        Task {
            do {
                try await runtime.contacts.requestAccess()
                runtime.onCallbackQueue { completionHandler(true, nil) }
            } catch {
                runtime.onCallbackQueue { completionHandler(false, error) }
            }
        }
    }

    /// Asks the person, once for each app; later calls get what was answered.
    /// - Throws: ``CNError`` where it is not allowed.
    @discardableResult
    open func requestAccess(for entityType: CNEntityType) async throws -> Bool {
        try await runtime.contacts.requestAccess()
        return true
    }

    // MARK: Reading

    /// The contacts that a predicate of ``CNContact`` means; none is no error.
    /// - Throws: ``CNError``, with ``CNError/Code/predicateInvalid`` for a predicate of another class.
    open func unifiedContacts(
        matching predicate: NSPredicate, keysToFetch keys: [any CNKeyDescriptor]
    ) throws -> [CNContact] {
        try fetch(predicate, keys).map { CNContact($0) }
    }

    /// A contact by its identifier. That of what is found may be another one.
    /// - Throws: ``CNError``, with ``CNError/Code/recordDoesNotExist`` where it is gone.
    open func unifiedContact(
        withIdentifier identifier: String, keysToFetch keys: [any CNKeyDescriptor]
    ) throws -> CNContact {
        let found = try fetch(CNContact.predicateForContacts(withIdentifiers: [identifier]), keys)
        guard let state = found.first else {
            throw CNError(.recordDoesNotExist, "There is no contact of that identifier.")
        }
        return CNContact(state)
    }

    /// Calls a block with each contact, on the thread of the call.
    /// - Parameter block: sets the value behind its pointer to true to stop.
    /// - Throws: ``CNError``.
    open func enumerateContacts(
        with fetchRequest: CNContactFetchRequest,
        usingBlock block: (CNContact, UnsafeMutablePointer<ObjCBool>) -> Void
    ) throws {
        var contacts = try fetch(fetchRequest.predicate, fetchRequest.keysToFetch).map {
            fetchRequest.mutableObjects ? CNMutableContact($0) : CNContact($0)
        }
        // They come by family name.
        if fetchRequest.sortOrder == .givenName {
            let compare = CNContact.comparator(forNameSortOrder: .givenName)
            contacts.sort { compare($0, $1) == .orderedAscending }
        }
        var stop = ObjCBool(false)
        for contact in contacts {
            block(contact, &stop)
            if stop.boolValue { return }
        }
    }

    private func fetch(_ predicate: NSPredicate?, _ keys: [any CNKeyDescriptor]) throws -> [ContactRecord.State] {
        let filter: ContactPredicate.Filter
        if let predicate {
            guard let own = predicate as? ContactPredicate else {
                throw CNError(
                    .predicateInvalid, "Only the predicates that CNContact makes can be used, and no compound ones.")
            }
            filter = own.filter
        } else {
            filter = .everything
        }
        let names = ContactKeys.names(keys)
        let withImages = !names.isDisjoint(with: ContactKeys.images)
        let client = runtime.contacts
        let found: [ContactsClient.Fetched]
        do {
            found = try runtime.link.wait(ContactsClient.patience) {
                try await client.fetch(filter, withImages: withImages)
            }
        } catch {
            throw ContactsClient.contactError(error)
        }
        return found.map {
            ContactRecord.State(
                card: ContactNames.completed($0.card).restricted(to: names), keys: names, hasImage: $0.hasImage)
        }
    }

    // MARK: Writing

    /// Writes the changes of a request, all together: new contacts become vCards of the person's folder.
    /// - Throws: ``CNError``: ``CNError/Code/recordNotWritable`` for contacts of address books that cannot be written from here,
    ///   ``CNError/Code/recordDoesNotExist`` for one that is gone, ``CNError/Code/insertedRecordAlreadyExists`` for one that is
    ///   there. The contacts of the request are in its user information.
    open func execute(_ saveRequest: CNSaveRequest) throws {
        let changes = saveRequest.messages
        guard !changes.isEmpty else { return }
        let client = runtime.contacts
        do {
            try runtime.link.wait(ContactsClient.patience) { try await client.save(changes) }
        } catch {
            let known = ContactsClient.contactError(error)
            guard let error = known as? CNError else { throw known }
            throw CNError(error.code, error.message, affectedRecords: saveRequest.contacts)
        }
    }

    // MARK: Containers

    /// The one container that there is.
    open func containers(matching predicate: NSPredicate?) throws -> [CNContainer] { [CNContainer()] }

    /// None: there are no groups here.
    open func groups(matching predicate: NSPredicate?) throws -> [CNGroup] { [] }

    /// The identifier of the one container.
    open func defaultContainerIdentifier() -> String { CNContainer.only }
}

/// Names of cards that have a whole name only.
enum ContactNames {
    static func completed(_ card: ContactCard) -> ContactCard {
        guard (card.givenName + card.familyName + card.middleName).isEmpty, !card.formattedName.isEmpty else {
            return card
        }
        var card = card
        if card.isOrganization || card.formattedName == card.organizationName {
            if card.organizationName.isEmpty { card.organizationName = card.formattedName }
            return card
        }
        // As most names are written where vCards come without their parts.
        let words = card.formattedName.split(separator: " ")
        card.givenName = words.dropLast(words.count > 1 ? 1 : 0).joined(separator: " ")
        card.familyName = words.count > 1 ? words.last.map(String.init) ?? "" : ""
        return card
    }
}
