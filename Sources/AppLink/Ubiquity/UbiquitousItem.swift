package import BatonWire
package import Foundation

/// A file, folder, package or link in a container, as the daemon describes it.
package struct UbiquitousItem: Sendable, Equatable {
    package enum Kind: Sendable {
        case file
        case directory
        case symbolicLink
        case package
    }

    package enum Download: Sendable {
        case notDownloaded
        /// A newer content may come.
        case downloaded
        case current
    }

    /// Stays when the item is moved.
    package let id: Data
    /// Below the container, without a slash at either end.
    package let path: String
    package let kind: Kind
    package let size: UInt64
    package let modified: Date?
    package let created: Date?
    /// The identifier of a uniform type; nil where the daemon knows none.
    package let contentType: String?
    package let download: Download
    package let isDownloading: Bool
    package let downloadedPercent: Double
    package let isUploaded: Bool
    package let isUploading: Bool
    package let uploadedPercent: Double
    package let hasConflicts: Bool
    /// Why it does not come or go: for programs, and for people.
    package let problem: Problem?

    package struct Problem: Sendable, Equatable {
        package let reason: String
        package let message: String

        package init(reason: String, message: String) {
            self.reason = reason
            self.message = message
        }
    }

    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Nil for what is no item of an app: one that was deleted, has no identifier, or a path that leads out.
    package init?(_ message: Baton_App_V1_DocumentItem) {
        guard !message.id.isEmpty, message.id.count <= 64, message.deleted == 0, Self.isSafe(message.path) else {
            return nil
        }
        id = message.id
        path = message.path
        kind =
            switch message.kind {
            case .directory: .directory
            case .symbolicLink: .symbolicLink
            case .package: .package
            case .file, .unspecified, .UNRECOGNIZED: .file
            }
        size = message.size
        modified = Self.date(message.modified)
        created = Self.date(message.created)
        contentType = message.contentType.isEmpty ? nil : message.contentType
        download =
            switch message.download {
            case .current: .current
            case .downloaded: .downloaded
            case .notDownloaded, .unspecified, .UNRECOGNIZED: .notDownloaded
            }
        isDownloading = message.downloading
        downloadedPercent = Self.percent(message.downloadedPercent)
        isUploaded = message.uploaded
        isUploading = message.uploading
        uploadedPercent = Self.percent(message.uploadedPercent)
        hasConflicts = message.conflicts > 0
        problem =
            message.problem.isEmpty ? nil : Problem(reason: message.problem, message: message.problemMessage)
    }

    /// Whether what an app would read is another than before.
    package func differsInContent(from other: UbiquitousItem) -> Bool {
        (path, size, modified, download) != (other.path, other.size, other.modified, other.download)
            || hasConflicts != other.hasConflicts
    }

    /// Whether its download or upload is another than before, or further.
    package func differsInTransfer(from other: UbiquitousItem) -> Bool {
        (isDownloading, downloadedPercent, isUploading, uploadedPercent)
            != (other.isDownloading, other.downloadedPercent, other.isUploading, other.uploadedPercent)
    }

    private static func isSafe(_ path: String) -> Bool {
        !path.isEmpty && path.utf8.count <= 4096 && !path.utf8.contains(0)
            && path.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// - Parameter nanoseconds: since 1970; 0 for none.
    package static func date(_ nanoseconds: Int64) -> Date? {
        nanoseconds == 0 ? nil : Date(timeIntervalSince1970: Double(nanoseconds) / 1e9)
    }

    private static func percent(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), 100) : 0 }
}
