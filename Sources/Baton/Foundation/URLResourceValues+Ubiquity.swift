public import Foundation

// Foundation on Linux has no such values. The compiler's error names the replacement to an app that asks for them.
extension URLResourceKey {
    /// Not on Linux.
    @available(*, unavailable, message: "Use UTType(filenameExtension: url.pathExtension).")
    public static var contentTypeKey: URLResourceKey { URLResourceKey(rawValue: "NSURLContentTypeKey") }
}

extension URLResourceValues {
    /// Not on Linux.
    @available(*, unavailable, message: "Use UTType(filenameExtension: url.pathExtension).")
    public var contentType: UTType? { nil }

    /// Not on Linux.
    @available(*, unavailable, message: "Use FileManager.default.isUbiquitousItem(at:).")
    public var isUbiquitousItem: Bool? { nil }

    /// Not on Linux.
    @available(*, unavailable, message: "Use url.ubiquitousItemResourceValues().ubiquitousItemDownloadingStatus.")
    public var ubiquitousItemDownloadingStatus: URLUbiquitousItemDownloadingStatus? { nil }

    /// Not on Linux.
    @available(*, unavailable, message: "Use url.ubiquitousItemResourceValues().ubiquitousItemHasUnresolvedConflicts.")
    public var ubiquitousItemHasUnresolvedConflicts: Bool? { nil }

    /// Not on Linux.
    @available(*, unavailable, message: "Use url.ubiquitousItemResourceValues().ubiquitousItemIsDownloading.")
    public var ubiquitousItemIsDownloading: Bool? { nil }

    /// Not on Linux.
    @available(*, unavailable, message: "Use url.ubiquitousItemResourceValues().ubiquitousItemDownloadRequested.")
    public var ubiquitousItemDownloadRequested: Bool? { nil }

    /// Not on Linux.
    @available(*, unavailable, message: "Use url.ubiquitousItemResourceValues().ubiquitousItemIsUploaded.")
    public var ubiquitousItemIsUploaded: Bool? { nil }

    /// Not on Linux.
    @available(*, unavailable, message: "Use url.ubiquitousItemResourceValues().ubiquitousItemIsUploading.")
    public var ubiquitousItemIsUploading: Bool? { nil }

    /// Not on Linux.
    @available(*, unavailable, message: "Use url.ubiquitousItemResourceValues().ubiquitousItemDownloadingError.")
    public var ubiquitousItemDownloadingError: NSError? { nil }

    /// Not on Linux.
    @available(*, unavailable, message: "Use url.ubiquitousItemResourceValues().ubiquitousItemUploadingError.")
    public var ubiquitousItemUploadingError: NSError? { nil }

    /// Not on Linux.
    @available(*, unavailable, message: "Use url.ubiquitousItemResourceValues().ubiquitousItemContainerDisplayName.")
    public var ubiquitousItemContainerDisplayName: String? { nil }
}
