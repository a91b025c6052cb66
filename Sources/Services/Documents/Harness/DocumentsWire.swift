import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf

/// Items and versions as messages.
enum DocumentsWire {
    /// - Parameter created: nanoseconds since 1970; 0 where it is not known.
    static func message(_ item: ContainerItem, created: Int64 = 0) -> Baton_App_V1_DocumentItem {
        .with {
            $0.id = EntryCodec.bytes(of: item.id)
            $0.path = item.path
            $0.kind = kind(item.kind)
            $0.size = item.size
            $0.modified = item.modified
            $0.created = created
            $0.download = download(item.download)
            $0.downloading = item.isDownloading
            $0.downloadedPercent = item.downloaded * 100
            $0.uploaded = item.isUploaded
            $0.uploading = item.isUploading
            $0.uploadedPercent = item.isUploaded ? 100 : item.uploaded * 100
            $0.conflicts = UInt32(clamping: item.conflicts)
            $0.problem = item.problem?.reason ?? ""
            $0.problemMessage = item.problem?.message ?? ""
            $0.deleted = item.deleted
            $0.deviceName = item.device
        }
    }

    private static func kind(_ kind: EntryKind) -> Baton_App_V1_DocumentKind {
        switch kind {
        case .file: .file
        case .directory: .directory
        case .symbolicLink: .symbolicLink
        case .package: .package
        }
    }

    private static func download(_ state: ContainerItem.Download) -> Baton_App_V1_DownloadState {
        switch state {
        case .notDownloaded: .notDownloaded
        case .downloaded: .downloaded
        case .current: .current
        }
    }

    static func message(_ version: ContainerReader.Version) -> Baton_App_V1_DocumentVersion {
        .with {
            $0.id = ContainerReader.versionID(version.dot)
            $0.deviceName = version.version.device
            $0.modified = version.version.modified
            $0.size = version.version.size
            $0.current = version.isCurrent
            $0.conflict = version.isConflict
            $0.isLocal = version.isHere
        }
    }
}
