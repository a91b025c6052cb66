package import BackupFormat
import BatonCore

/// All that a device keeps of its backups, besides the cache. In a file of its own, replaced as a whole.
package struct BackupState: Codable, Hashable, Sendable {
    /// Bound of folders and exclusions each.
    package static let maximumPaths = 1000
    /// Bound of apps whose last use is known. Policy: the one that was not used for longest goes.
    package static let maximumApps = 1000
    /// The target that is the account's cloud. The path of a directory begins with “/”.
    package static let cloud = "cloud"

    package struct Target: Codable, Hashable, Sendable {
        /// A directory's, or ``BackupState/cloud``.
        package var path: String
        /// The account whose target it is.
        package var account: String
        /// The highest number of a snapshot that this device has made there.
        package var lastNumber: UInt64 = 0
        /// The highest number of each device's snapshots that was seen there: a list that is cut is noticed. Bound: the devices
        /// of an account.
        package var seen: [String: UInt64]?
        package var lastSuccess: UInt64?
        /// Files and folders that the last backup left out, since they could not be read or were not there.
        package var lastUnreadable: UInt64?
        package var lastFailure: UInt64?
        package var lastError: String?
        package var lastReason: String?
        package var failures = 0
        package var lastCollection: UInt64?
        package var since: UInt64

        package init(path: String, account: String, since: UInt64) {
            self.path = path
            self.account = account
            self.since = since
        }

        package var isCloud: Bool { path == BackupState.cloud }
        /// For people.
        package var name: String { isCloud ? "the account's cloud" : "“\(path)”" }
    }

    package var target: Target?
    package var included: [String] = []
    package var excluded: [String] = []
    package var lastTold: UInt64?
    /// Bundle identifiers of apps whose bundles are in backups too. Bound: ``maximumApps``. Nil: none.
    package var wholeApps: [String]?
    /// When each app was launched last, in milliseconds since 1970.
    package var used: [String: UInt64]?

    package init() {}

    package func schedule(started: UInt64) -> BackupSchedule {
        BackupSchedule(
            hasTarget: target != nil, since: target?.since ?? started, lastSuccess: target?.lastSuccess,
            lastFailure: target?.lastFailure, failures: target?.failures ?? 0, started: started, lastTold: lastTold)
    }

    /// The highest number of each device's snapshots that must be known at the target.
    func known(_ own: DeviceID?) -> [DeviceID: UInt64] {
        var known: [DeviceID: UInt64] = [:]
        for (name, number) in target?.seen ?? [:] {
            if let device = DeviceID(rawValue: name) { known[device] = number }
        }
        if let own, let last = target?.lastNumber { known[own] = max(known[own] ?? 0, last) }
        return known
    }

    mutating func note(_ bundleID: String, used time: UInt64) {
        var used = self.used ?? [:]
        used[bundleID] = time
        if used.count > Self.maximumApps, let oldest = used.min(by: { $0.value < $1.value }) { used[oldest.key] = nil }
        self.used = used
    }

    /// Those that were used last come first, others by their identifiers.
    func inOrderOfUse(_ apps: [BackedUpApp]) -> [BackedUpApp] {
        apps.sorted { left, right in
            let (one, two) = (used?[left.bundleID.rawValue] ?? 0, used?[right.bundleID.rawValue] ?? 0)
            return one == two ? left.bundleID.rawValue < right.bundleID.rawValue : one > two
        }
    }
}
