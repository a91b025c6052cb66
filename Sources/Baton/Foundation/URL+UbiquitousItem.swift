import AppLink
public import Foundation

/// Whether the content of an item in iCloud is on this device. Apple's names and values.
public struct URLUbiquitousItemDownloadingStatus: RawRepresentable, Hashable, Sendable {
    /// Apple's text.
    public let rawValue: String
    /// A status of Apple's text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Only the item's attributes are here.
    public static let notDownloaded = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusNotDownloaded")
    /// A version is here; a newer one may be about to come.
    public static let downloaded = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusDownloaded")
    /// The newest version that is known is here.
    public static let current = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusCurrent")
}

/// The properties of an item in iCloud. Apple's names; Foundation's `URLResourceValues` cannot be filled on Linux.
public struct UbiquitousItemResourceValues: Sendable {
    /// Whether the item is in a container of this app. All else is nil if it is not, or the daemon does not know it yet.
    public let isUbiquitousItem: Bool
    /// Whether its content is here.
    public let ubiquitousItemDownloadingStatus: URLUbiquitousItemDownloadingStatus?
    /// Whether a person must decide between versions.
    public let ubiquitousItemHasUnresolvedConflicts: Bool?
    /// Whether its content is coming.
    public let ubiquitousItemIsDownloading: Bool?
    /// Whether a download was asked for, and is not over.
    public let ubiquitousItemDownloadRequested: Bool?
    /// Whether the cloud has it.
    public let ubiquitousItemIsUploaded: Bool?
    /// Whether it is on its way to the cloud.
    public let ubiquitousItemIsUploading: Bool?
    /// Why it does not come.
    public let ubiquitousItemDownloadingError: NSError?
    /// Why it does not go.
    public let ubiquitousItemUploadingError: NSError?
    /// The container's name.
    public let ubiquitousItemContainerDisplayName: String?
}

extension URL {
    /// The properties of an item in iCloud. Not Apple's; stands for `resourceValues(forKeys:)` with the keys of ubiquitous
    /// items.
    ///
    /// Waits for the daemon at first, up to 10 s: call it off the main thread.
    public func ubiquitousItemResourceValues() -> UbiquitousItemResourceValues {
        let ubiquity = AppRuntime.current.ubiquity
        let found = ubiquity.item(at: self)
        let item = found?.item
        let problem = item?.problem.map { UbiquityErrors.cocoa($0, self) }
        let isLeaving = item.map { $0.download == .current && !$0.isUploaded } ?? false
        let status: URLUbiquitousItemDownloadingStatus? =
            switch item?.download {
            case .notDownloaded: .notDownloaded
            case .downloaded: .downloaded
            case .current: .current
            case nil: nil
            }
        return UbiquitousItemResourceValues(
            isUbiquitousItem: item != nil || FileManager.default.isUbiquitousItem(at: self),
            ubiquitousItemDownloadingStatus: status, ubiquitousItemHasUnresolvedConflicts: item?.hasConflicts,
            ubiquitousItemIsDownloading: item?.isDownloading, ubiquitousItemDownloadRequested: item?.isDownloading,
            ubiquitousItemIsUploaded: item?.isUploaded, ubiquitousItemIsUploading: item?.isUploading,
            ubiquitousItemDownloadingError: isLeaving ? nil : problem,
            ubiquitousItemUploadingError: isLeaving ? problem : nil,
            ubiquitousItemContainerDisplayName: found?.container.displayName)
    }
}
