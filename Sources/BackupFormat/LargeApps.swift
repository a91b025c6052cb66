/// Apps that make backups large (B-5): each has more than 100 MB in the newest snapshot of a device.
package enum LargeApps {
    package static let bytes: UInt64 = 100_000_000

    package struct Found: Hashable, Sendable {
        package var device: String
        package var bundleID: String
        package var bytes: UInt64
    }

    /// - Parameter snapshots: the oldest first.
    /// - Returns: the largest first.
    package static func found(in snapshots: [BackupSnapshot]) -> [Found] {
        let newest = Dictionary(snapshots.map { ($0.id.device, $0) }) { _, last in last }
        return newest.values.flatMap { snapshot in
            snapshot.roots.filter { $0.kind == .app && $0.bytes > bytes }.map {
                Found(device: snapshot.deviceName, bundleID: $0.name, bytes: $0.bytes)
            }
        }.sorted { ($0.bytes, $1.bundleID, $1.device) > ($1.bytes, $0.bundleID, $0.device) }
    }
}
