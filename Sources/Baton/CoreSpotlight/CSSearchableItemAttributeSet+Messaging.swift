public import Foundation

/// The metadata of messages, and addresses of people.
extension CSSearchableItemAttributeSet {
    /// The account to which it belongs.
    public var accountIdentifier: String? {
        get { store.string("accountIdentifier") }
        set { store.set("accountIdentifier", newValue) }
    }

    /// The addresses of the account.
    public var accountHandles: [String]? {
        get { store.strings("accountHandles") }
        set { store.set("accountHandles", newValue) }
    }

    /// The content in HTML.
    public var htmlContentData: Data? {
        get { store.data("htmlContentData") }
        set { store.set("htmlContentData", newValue) }
    }

    /// The content as text, which is searched.
    public var textContent: String? {
        get { store.string("textContent") }
        set { store.set("textContent", newValue) }
    }

    /// The mailboxes in which it is.
    public var mailboxIdentifiers: [String]? {
        get { store.strings("mailboxIdentifiers") }
        set { store.set("mailboxIdentifiers", newValue) }
    }

    /// The names of the authors.
    public var authorNames: [String]? {
        get { store.strings("authorNames") }
        set { store.set("authorNames", newValue) }
    }

    /// The names of the recipients.
    public var recipientNames: [String]? {
        get { store.strings("recipientNames") }
        set { store.set("recipientNames", newValue) }
    }

    /// The e-mail addresses of the authors.
    public var authorEmailAddresses: [String]? {
        get { store.strings("authorEmailAddresses") }
        set { store.set("authorEmailAddresses", newValue) }
    }

    /// The e-mail addresses of the recipients.
    public var recipientEmailAddresses: [String]? {
        get { store.strings("recipientEmailAddresses") }
        set { store.set("recipientEmailAddresses", newValue) }
    }

    /// The postal addresses of the authors.
    public var authorAddresses: [String]? {
        get { store.strings("authorAddresses") }
        set { store.set("authorAddresses", newValue) }
    }

    /// The postal addresses of the recipients.
    public var recipientAddresses: [String]? {
        get { store.strings("recipientAddresses") }
        set { store.set("recipientAddresses", newValue) }
    }

    /// Phone numbers; the first is the one to call (P-23).
    public var phoneNumbers: [String]? {
        get { store.strings("phoneNumbers") }
        set { store.set("phoneNumbers", newValue) }
    }

    /// E-mail addresses.
    public var emailAddresses: [String]? {
        get { store.strings("emailAddresses") }
        set { store.set("emailAddresses", newValue) }
    }

    /// Addresses of messengers.
    public var instantMessageAddresses: [String]? {
        get { store.strings("instantMessageAddresses") }
        set { store.set("instantMessageAddresses", newValue) }
    }

    /// Whether it is probably junk. False unless set.
    public var likelyJunk: NSNumber {
        get { store.number("likelyJunk") ?? NSNumber(value: false) }
        set { store.set("likelyJunk", newValue) }
    }

    /// The headers of the message, each with its values. Values that are no strings, numbers, data or dates are left out.
    public var emailHeaders: [String: [Any]]? {
        get { store.lists("emailHeaders") }
        set { store.set("emailHeaders", newValue) }
    }

    /// The authors.
    public var authors: [CSPerson]? {
        get { store.persons("authors") }
        set { store.set("authors", newValue) }
    }

    /// The recipients that it is addressed to.
    public var primaryRecipients: [CSPerson]? {
        get { store.persons("primaryRecipients") }
        set { store.set("primaryRecipients", newValue) }
    }

    /// The recipients of a copy.
    public var additionalRecipients: [CSPerson]? {
        get { store.persons("additionalRecipients") }
        set { store.set("additionalRecipients", newValue) }
    }

    /// The recipients of a copy whose names the others do not see.
    public var hiddenAdditionalRecipients: [CSPerson]? {
        get { store.persons("hiddenAdditionalRecipients") }
        set { store.set("hiddenAdditionalRecipients", newValue) }
    }
}
