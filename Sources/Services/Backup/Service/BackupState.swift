package import BackupFormat
import BatonCore

/// All that a device keeps of its backups, besides the cache. In a file of its own, replaced as a whole.
package struct BackupState: Codable, Hashable, Sendable {
    /// Bound of folders and exclusions each.
    package static let maximumPaths = 1000

    package struct Target: Codable, Hashable, Sendable {
        package var path: String
        /// The account whose target it is.
        package var account: String
        /// The highest number of a snapshot that this device has made there.
        package var lastNumber: UInt64 = 0
        package var lastSuccess: UInt64?
        package var lastFailure: UInt64?
        package var lastError: String?
        package var failures = 0
        package var lastCollection: UInt64?
        package var since: UInt64

        package init(path: String, account: String, since: UInt64) {
            self.path = path
            self.account = account
            self.since = since
        }
    }

    package var target: Target?
    package var included: [String] = []
    package var excluded: [String] = []
    package var lastTold: UInt64?

    package init() {}

    package func schedule(started: UInt64) -> BackupSchedule {
        BackupSchedule(
            hasTarget: target != nil, since: target?.since ?? started, lastSuccess: target?.lastSuccess,
            lastFailure: target?.lastFailure, failures: target?.failures ?? 0, started: started, lastTold: lastTold)
    }
}
