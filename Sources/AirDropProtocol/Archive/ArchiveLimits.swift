/// Bounds of one archive, as its receiver sets them.
package struct ArchiveLimits: Hashable, Sendable {
    /// Bytes of all files together: at most the disk's free space, less a reserve.
    package var bytes: UInt64
    package var entries = 100_000
    /// Bytes of one path.
    package var path = 4000
    /// Folders within each other.
    package var depth = 64

    package init(bytes: UInt64) { self.bytes = bytes }
}
