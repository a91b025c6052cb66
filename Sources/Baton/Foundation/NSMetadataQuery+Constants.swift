public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Documents` of the app's containers (D-26).
public let NSMetadataQueryUbiquitousDocumentsScope = "NSMetadataQueryUbiquitousDocumentsScope"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Everything in the app's containers that is not in `Documents`.
public let NSMetadataQueryUbiquitousDataScope = "NSMetadataQueryUbiquitousDataScope"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Documents of other apps' containers that this app was let into.
public let NSMetadataQueryAccessibleUbiquitousExternalDocumentsScope =
    "NSMetadataQueryAccessibleUbiquitousExternalDocumentsScope"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key of a notification's `userInfo`: the results that are new, an array.
public let NSMetadataQueryUpdateAddedItemsKey = "NSMetadataQueryUpdateAddedItemsKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key of a notification's `userInfo`: the results whose attributes changed, an array.
public let NSMetadataQueryUpdateChangedItemsKey = "NSMetadataQueryUpdateChangedItemsKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key of a notification's `userInfo`: what is no result any more, an array.
public let NSMetadataQueryUpdateRemovedItemsKey = "NSMetadataQueryUpdateRemovedItemsKey"

extension NSNotification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A query has begun to gather. The object is the query, as with all four.
    public static let NSMetadataQueryDidStartGathering = Self("NSMetadataQueryDidStartGatheringNotification")

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A query has new results while it gathers.
    public static let NSMetadataQueryGatheringProgress = Self("NSMetadataQueryGatheringProgressNotification")

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A query has found everything that there was when it began (D-28). Not posted if it was stopped before.
    public static let NSMetadataQueryDidFinishGathering = Self("NSMetadataQueryDidFinishGatheringNotification")

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Results have changed since. `userInfo` holds them under ``NSMetadataQueryUpdateAddedItemsKey``,
    /// ``NSMetadataQueryUpdateChangedItemsKey`` and ``NSMetadataQueryUpdateRemovedItemsKey``.
    public static let NSMetadataQueryDidUpdate = Self("NSMetadataQueryDidUpdateNotification")
}
