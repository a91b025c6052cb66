import AppLink
import BatonCore
import Foundation
import MetadataQuery

extension UbiquitousItem {
    func recordIdentifier(in container: UbiquityContainer) -> String {
        container.identifier + "/" + id.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Under Apple's names, as a query shows it (D-27, D-30).
    func record(in container: UbiquityContainer) -> MetadataRecord {
        let url = container.url(of: self)
        var attributes: [String: PropertyValue] = [
            NSMetadataItemFSNameKey: .string(name),
            NSMetadataItemDisplayNameKey: .string(name),
            NSMetadataItemURLKey: .url(url),
            NSMetadataItemPathKey: .string(container.path + "/" + path),
            NSMetadataItemFSSizeKey: .integer(Int64(clamping: size)),
            NSMetadataItemIsUbiquitousKey: .boolean(true),
            NSMetadataUbiquitousItemURLInLocalContainerKey: .url(url),
            NSMetadataUbiquitousItemContainerDisplayNameKey: .string(container.displayName),
            NSMetadataUbiquitousItemHasUnresolvedConflictsKey: .boolean(hasConflicts),
            NSMetadataUbiquitousItemDownloadingStatusKey: .string(downloadingStatus),
            NSMetadataUbiquitousItemIsDownloadingKey: .boolean(isDownloading),
            NSMetadataUbiquitousItemDownloadRequestedKey: .boolean(isDownloading),
            NSMetadataUbiquitousItemIsUploadedKey: .boolean(isUploaded),
            NSMetadataUbiquitousItemIsUploadingKey: .boolean(isUploading),
            NSMetadataUbiquitousItemPercentDownloadedKey: .real(download == .notDownloaded ? downloadedPercent : 100),
            NSMetadataUbiquitousItemPercentUploadedKey: .real(isUploaded ? 100 : uploadedPercent),
            NSMetadataUbiquitousItemIsExternalDocumentKey: .boolean(false),
            NSMetadataUbiquitousItemIsSharedKey: .boolean(false),
        ]
        if let created { attributes[NSMetadataItemFSCreationDateKey] = .date(created) }
        if let modified { attributes[NSMetadataItemFSContentChangeDateKey] = .date(modified) }
        if let type = contentType ?? UTType(filenameExtension: url.pathExtension)?.identifier {
            attributes[NSMetadataItemContentTypeKey] = .string(type)
            attributes[NSMetadataItemContentTypeTreeKey] = .array(Self.tree(type).map(PropertyValue.string))
        }
        if let problem {
            let isLeaving = download == .current && !isUploaded
            let key =
                isLeaving ? NSMetadataUbiquitousItemUploadingErrorKey : NSMetadataUbiquitousItemDownloadingErrorKey
            attributes[key] = .array([.string(problem.reason), .string(problem.message)])
        }
        return MetadataRecord(id: recordIdentifier(in: container), attributes: attributes)
    }

    var downloadingStatus: String {
        switch download {
        case .notDownloaded: NSMetadataUbiquitousItemDownloadingStatusNotDownloaded
        case .downloaded: NSMetadataUbiquitousItemDownloadingStatusDownloaded
        case .current: NSMetadataUbiquitousItemDownloadingStatusCurrent
        }
    }

    private static func tree(_ type: String) -> [String] {
        [type] + (UTType(type)?.supertypes.map(\.identifier).sorted() ?? [])
    }
}

extension UbiquitousItem.Problem {
    /// As it is kept in a record.
    init?(_ value: PropertyValue?) {
        guard case .array(let texts) = value, texts.count == 2, case .string(let reason) = texts[0],
            case .string(let message) = texts[1]
        else { return nil }
        self.init(reason: reason, message: message)
    }
}
