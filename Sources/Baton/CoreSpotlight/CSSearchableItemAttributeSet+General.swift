public import Foundation

/// The metadata of every kind of item.
extension CSSearchableItemAttributeSet {
    /// The name to show for the item, in the person's language.
    public var displayName: String? {
        get { store.string("displayName") }
        set { store.set("displayName", newValue) }
    }

    /// Other names by which it can be found.
    public var alternateNames: [String]? {
        get { store.strings("alternateNames") }
        set { store.set("alternateNames", newValue) }
    }

    /// The path of the file that it stands for.
    public var path: String? {
        get { store.string("path") }
        set { store.set("path", newValue) }
    }

    /// The file that it stands for.
    public var contentURL: URL? {
        get { store.url("contentURL") }
        set { store.set("contentURL", newValue) }
    }

    /// A file with a small picture of it.
    public var thumbnailURL: URL? {
        get { store.url("thumbnailURL") }
        set { store.set("thumbnailURL", newValue) }
    }

    /// A small picture of it.
    public var thumbnailData: Data? {
        get { store.data("thumbnailData") }
        set { store.set("thumbnailData", newValue) }
    }

    /// A file with a small picture for dark surroundings.
    public var darkThumbnailURL: URL? {
        get { store.url("darkThumbnailURL") }
        set { store.set("darkThumbnailURL", newValue) }
    }

    /// The identifier of the searchable item that the activity is about: what is saved of activities with the same
    /// one is kept once.
    public var relatedUniqueIdentifier: String? {
        get { store.string("relatedUniqueIdentifier") }
        set { store.set("relatedUniqueIdentifier", newValue) }
    }

    /// As `relatedUniqueIdentifier`, for an item that need not exist.
    public var weakRelatedUniqueIdentifier: String? {
        get { store.string("weakRelatedUniqueIdentifier") }
        set { store.set("weakRelatedUniqueIdentifier", newValue) }
    }

    /// When the metadata last changed.
    public var metadataModificationDate: Date? {
        get { store.date("metadataModificationDate") }
        set { store.set("metadataModificationDate", newValue) }
    }

    /// The type of the content: any text, by convention a uniform type identifier.
    public var contentType: String? {
        get { store.string("contentType") }
        set { store.set("contentType", newValue) }
    }

    /// The type and those that it conforms to.
    public var contentTypeTree: [String]? {
        get { store.strings("contentTypeTree") }
        set { store.set("contentTypeTree", newValue) }
    }

    /// Words by which the item can be found.
    public var keywords: [String]? {
        get { store.strings("keywords") }
        set { store.set("keywords", newValue) }
    }

    /// Its title.
    public var title: String? {
        get { store.string("title") }
        set { store.set("title", newValue) }
    }

    /// Its version.
    public var version: String? {
        get { store.string("version") }
        set { store.set("version", newValue) }
    }

    /// Whether the person made it.
    public var userCreated: NSNumber? {
        get { store.number("userCreated") }
        set { store.set("userCreated", newValue) }
    }

    /// Whether it is the person's own.
    public var userOwned: NSNumber? {
        get { store.number("userOwned") }
        set { store.set("userOwned", newValue) }
    }

    /// Whether the person chose it.
    public var userCurated: NSNumber? {
        get { store.number("userCurated") }
        set { store.set("userCurated", newValue) }
    }

    /// How important it is among the app's items, from 0 to 100.
    public var rankingHint: NSNumber? {
        get { store.number("rankingHint") }
        set { store.set("rankingHint", newValue) }
    }

    /// The group to which it belongs, by parts with periods between them.
    public var domainIdentifier: String? {
        get { store.string("domainIdentifier") }
        set { store.set("domainIdentifier", newValue) }
    }

    /// Whether the item's first phone number can be called (P-24). It has an effect only with `phoneNumbers`.
    public var supportsPhoneCall: NSNumber? {
        get { store.number("supportsPhoneCall") }
        set { store.set("supportsPhoneCall", newValue) }
    }

    /// Whether one can be led to the place (P-24). It has an effect only with `latitude` and `longitude`.
    public var supportsNavigation: NSNumber? {
        get { store.number("supportsNavigation") }
        set { store.set("supportsNavigation", newValue) }
    }

    /// The actions that are offered with it: identifiers of the app's `CoreSpotlightActions`. Never nil.
    public var actionIdentifiers: [String] {
        get { store.strings("actionIdentifiers") ?? [] }
        set { store.set("actionIdentifiers", newValue.isEmpty ? nil : newValue) }
    }

    /// The type of what is shared with it.
    public var sharedItemContentType: UTType? {
        get { store.string("sharedItemContentType").flatMap { UTType($0) } }
        set { store.set("sharedItemContentType", newValue?.identifier) }
    }

    /// The title of what holds the item.
    public var containerTitle: String? {
        get { store.string("containerTitle") }
        set { store.set("containerTitle", newValue) }
    }

    /// The name to show for what holds the item.
    public var containerDisplayName: String? {
        get { store.string("containerDisplayName") }
        set { store.set("containerDisplayName", newValue) }
    }

    /// The identifier of what holds the item.
    public var containerIdentifier: String? {
        get { store.string("containerIdentifier") }
        set { store.set("containerIdentifier", newValue) }
    }

    /// Its place among what the container holds.
    public var containerOrder: NSNumber? {
        get { store.number("containerOrder") }
        set { store.set("containerOrder", newValue) }
    }

    /// The types in which the app gives the item as data.
    public var providerDataTypeIdentifiers: [String]? {
        get { store.strings("providerDataTypeIdentifiers") }
        set { store.set("providerDataTypeIdentifiers", newValue) }
    }

    /// The types in which the app gives the item as a file that may be copied.
    public var providerFileTypeIdentifiers: [String]? {
        get { store.strings("providerFileTypeIdentifiers") }
        set { store.set("providerFileTypeIdentifiers", newValue) }
    }

    /// The types in which the app gives the item as a file that may be opened in its place.
    public var providerInPlaceFileTypeIdentifiers: [String]? {
        get { store.strings("providerInPlaceFileTypeIdentifiers") }
        set { store.set("providerInPlaceFileTypeIdentifiers", newValue) }
    }
}
