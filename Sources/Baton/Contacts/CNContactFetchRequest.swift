public import Foundation

/// Which contacts ``CNContactStore/enumerateContacts(with:usingBlock:)`` gives, and what of them. Contacts'.
///
/// One object belongs to one thread at a time.
open class CNContactFetchRequest: NSObject {
    /// One of ``CNContact``'s predicates; nil for all contacts.
    open var predicate: NSPredicate?
    /// The properties that the contacts will have.
    open var keysToFetch: [any CNKeyDescriptor]
    /// Whether the contacts are ``CNMutableContact``s.
    open var mutableObjects = false
    /// Whether cards that belong together are one contact: always so here.
    open var unifyResults = true
    /// In which order they come.
    open var sortOrder = CNContactSortOrder.none

    /// All contacts, with these properties.
    public init(keysToFetch: [any CNKeyDescriptor]) {
        self.keysToFetch = keysToFetch
        super.init()
    }
}
