import BatonCore
import FileSync
import Foundation

/// A file, directory or link of a container, as apps and people see it.
struct ContainerItem: Hashable, Sendable {
    enum Download: Hashable, Sendable { case notDownloaded, downloaded, current }

    struct Problem: Hashable, Sendable {
        var reason: String
        var message: String

        init(_ error: BatonError) { (reason, message) = (error.reason, error.message) }
    }

    var id: EntryID
    /// Below the container.
    var path: String
    var kind: EntryKind
    var size: UInt64 = 0
    /// Nanoseconds since 1970; 0 for directories.
    var modified: Int64 = 0
    var download = Download.current
    var isDownloading = false
    /// 0 to 1.
    var downloaded = 1.0
    var isUploaded = true
    var isUploading = false
    /// 0 to 1: how much of its content the cloud has, while it is brought there.
    var uploaded = 0.0
    var conflicts = 0
    /// Why it does not come or go.
    var problem: Problem?
    /// Milliseconds since 1970; 0 for one that is there.
    var deleted: UInt64 = 0
    /// Which device wrote its content.
    var device = ""

    /// Parents first; of those that were deleted at one place the last.
    static func isBefore(_ one: ContainerItem, _ other: ContainerItem) -> Bool {
        (one.path, other.deleted, one.id) < (other.path, one.deleted, other.id)
    }
}
