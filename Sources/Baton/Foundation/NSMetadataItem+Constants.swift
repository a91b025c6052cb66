// Apple's names for what a query finds out about a file (D-26 to D-30).

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The file's name, a `String` (D-27).
public let NSMetadataItemFSNameKey = "kMDItemFSName"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name to show to a person, a `String`.
public let NSMetadataItemDisplayNameKey = "kMDItemDisplayName"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where the file is on this device, a `URL` (D-30). The place where it will be, if it is not downloaded.
public let NSMetadataItemURLKey = "kMDItemURL"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The same as a path, a `String`.
public let NSMetadataItemPathKey = "kMDItemPath"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The size in bytes, an `Int`.
public let NSMetadataItemFSSizeKey = "kMDItemFSSize"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// When the file was created, a `Date`.
public let NSMetadataItemFSCreationDateKey = "kMDItemFSCreationDate"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// When the content changed last, a `Date`.
public let NSMetadataItemFSContentChangeDateKey = "kMDItemFSContentChangeDate"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The uniform type identifier, a `String`.
public let NSMetadataItemContentTypeKey = "kMDItemContentType"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type and those that it conforms to, a `[String]`.
public let NSMetadataItemContentTypeTreeKey = "kMDItemContentTypeTree"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the file is in a container that is synced, a `Bool`.
public let NSMetadataItemIsUbiquitousKey = "NSMetadataItemIsUbiquitousKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether there are versions in conflict, a `Bool`.
public let NSMetadataUbiquitousItemHasUnresolvedConflictsKey = "NSMetadataUbiquitousItemHasUnresolvedConflictsKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the content is here: one of the values ``NSMetadataUbiquitousItemDownloadingStatusNotDownloaded``,
/// ``NSMetadataUbiquitousItemDownloadingStatusDownloaded`` and ``NSMetadataUbiquitousItemDownloadingStatusCurrent``.
public let NSMetadataUbiquitousItemDownloadingStatusKey = "NSMetadataUbiquitousItemDownloadingStatusKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the content is being downloaded, a `Bool`.
public let NSMetadataUbiquitousItemIsDownloadingKey = "NSMetadataUbiquitousItemIsDownloadingKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the cloud has the content, a `Bool`.
public let NSMetadataUbiquitousItemIsUploadedKey = "NSMetadataUbiquitousItemIsUploadedKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the content is being uploaded, a `Bool`.
public let NSMetadataUbiquitousItemIsUploadingKey = "NSMetadataUbiquitousItemIsUploadingKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How much is downloaded, a `Double` from 0 to 100.
public let NSMetadataUbiquitousItemPercentDownloadedKey = "NSMetadataUbiquitousItemPercentDownloadedKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How much is uploaded, a `Double` from 0 to 100.
public let NSMetadataUbiquitousItemPercentUploadedKey = "NSMetadataUbiquitousItemPercentUploadedKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Why the last download failed, an `NSError`; none if it did not.
public let NSMetadataUbiquitousItemDownloadingErrorKey = "NSMetadataUbiquitousItemDownloadingErrorKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Why the last upload failed, an `NSError`; none if it did not.
public let NSMetadataUbiquitousItemUploadingErrorKey = "NSMetadataUbiquitousItemUploadingErrorKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether a download was asked for, a `Bool`.
public let NSMetadataUbiquitousItemDownloadRequestedKey = "NSMetadataUbiquitousItemDownloadRequestedKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the file is in another app's container, a `Bool`.
public let NSMetadataUbiquitousItemIsExternalDocumentKey = "NSMetadataUbiquitousItemIsExternalDocumentKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name of the container to show to a person, a `String`.
public let NSMetadataUbiquitousItemContainerDisplayNameKey = "NSMetadataUbiquitousItemContainerDisplayNameKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where the file is within this app's own container, a `URL`.
public let NSMetadataUbiquitousItemURLInLocalContainerKey = "NSMetadataUbiquitousItemURLInLocalContainerKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether other people have the file too, a `Bool`.
public let NSMetadataUbiquitousItemIsSharedKey = "NSMetadataUbiquitousItemIsSharedKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The person's role for a shared file, a `String`.
public let NSMetadataUbiquitousSharedItemCurrentUserRoleKey = "NSMetadataUbiquitousSharedItemCurrentUserRoleKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The person's permissions for a shared file, a `String`.
public let NSMetadataUbiquitousSharedItemCurrentUserPermissionsKey =
    "NSMetadataUbiquitousSharedItemCurrentUserPermissionsKey"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Only the file's attributes are on this device.
public let NSMetadataUbiquitousItemDownloadingStatusNotDownloaded =
    "NSMetadataUbiquitousItemDownloadingStatusNotDownloaded"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A version is on this device; a newer one may be about to come.
public let NSMetadataUbiquitousItemDownloadingStatusDownloaded = "NSMetadataUbiquitousItemDownloadingStatusDownloaded"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The newest version that is known is on this device.
public let NSMetadataUbiquitousItemDownloadingStatusCurrent = "NSMetadataUbiquitousItemDownloadingStatusCurrent"
