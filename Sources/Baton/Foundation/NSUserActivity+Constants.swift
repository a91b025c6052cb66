// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type of an activity that a web browser offers: a page that a person reads. Its `userInfo` is empty and its
/// `webpageURL` the page (H-86).
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key of `userInfo`: the URL of the document that the activity is about.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURL"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type of an activity with which an app is opened from an item that it had made findable. CoreSpotlight's.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key of `userInfo` in an activity of ``CSSearchableItemActionType``: the item's identifier. CoreSpotlight's.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type of an activity with which a search goes on inside of the app. CoreSpotlight's.
public let CSQueryContinuationActionType = "com.apple.corespotlightquery"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key of `userInfo` in an activity of ``CSQueryContinuationActionType``: what the person searched. CoreSpotlight's.
public let CSSearchQueryString = "kCSSearchQueryString"

/// The type of `NSUserActivity.persistentIdentifier`.
public typealias NSUserActivityPersistentIdentifier = String
