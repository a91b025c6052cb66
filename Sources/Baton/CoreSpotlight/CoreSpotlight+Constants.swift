// Apple's names for mailboxes and actions. The values of those that Apple does not publish are Baton's.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key of `userInfo` in an activity of ``CSSearchableItemActionType``: which of the item's actions the person chose, by its
/// identifier. Absent when the person chose the item itself.
public let CSActionIdentifier = "CSActionIdentifier"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// For ``CSSearchableItemAttributeSet/mailboxIdentifiers``: what has arrived.
public let CSMailboxInbox = "inbox"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// For ``CSSearchableItemAttributeSet/mailboxIdentifiers``: what is being written.
public let CSMailboxDrafts = "drafts"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// For ``CSSearchableItemAttributeSet/mailboxIdentifiers``: what was sent.
public let CSMailboxSent = "sent"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// For ``CSSearchableItemAttributeSet/mailboxIdentifiers``: unwanted messages.
public let CSMailboxJunk = "junk"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// For ``CSSearchableItemAttributeSet/mailboxIdentifiers``: what was deleted.
public let CSMailboxTrash = "trash"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// For ``CSSearchableItemAttributeSet/mailboxIdentifiers``: what is kept out of sight.
public let CSMailboxArchive = "archive"
