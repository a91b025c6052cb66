import BatonWire
import Foundation

/// A file, folder, package or link in a container, as the daemon told of it.
struct UbiquitousItem: Sendable, Equatable {
    enum Kind: Sendable {
        case file
        case directory
        case symbolicLink
        case package
    }

    enum Download: Sendable {
        case notDownloaded
        /// A newer content may come.
        case downloaded
        case current
    }

    /// Stays when the item is moved.
    let id: Data
    /// Below the container, without a slash at either end.
    let path: String
    let kind: Kind
    let size: UInt64
    let modified: Date?
    let created: Date?
    /// The identifier of a uniform type; nil where the daemon knows none.
    let contentType: String?
    let download: Download
    let isDownloading: Bool
    let downloadedPercent: Double
    let isUploaded: Bool
    let isUploading: Bool
    let uploadedPercent: Double
    let hasConflicts: Bool
    /// Why it does not come or go: for programs, and for people.
    let problem: Problem?

    struct Problem: Sendable, Equatable {
        let reason: String
        let message: String
    }

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Nil for what is no item of an app: one that was deleted, has no identifier, or a path that leads out.
    init?(_ message: Baton_App_V1_DocumentItem) {
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
    func differsInContent(from other: UbiquitousItem) -> Bool {
        (path, size, modified, download) != (other.path, other.size, other.modified, other.download)
            || hasConflicts != other.hasConflicts
    }

    private static func isSafe(_ path: String) -> Bool {
        !path.isEmpty && path.utf8.count <= 4096 && !path.utf8.contains(0)
            && path.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    private static func date(_ nanoseconds: Int64) -> Date? {
        nanoseconds == 0 ? nil : Date(timeIntervalSince1970: Double(nanoseconds) / 1e9)
    }

    private static func percent(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), 100) : 0 }
}
