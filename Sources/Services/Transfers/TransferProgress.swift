/// How far a transfer is.
package struct TransferProgress: Hashable, Sendable {
    package var bytes: UInt64
    package var totalBytes: UInt64
    /// Files that are there whole.
    package var files: Int
    package var totalFiles: Int
    /// The connection is lost, and the other device is waited for.
    package var isWaiting = false

    package init(bytes: UInt64 = 0, totalBytes: UInt64, files: Int = 0, totalFiles: Int) {
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.files = files
        self.totalFiles = totalFiles
    }
}
