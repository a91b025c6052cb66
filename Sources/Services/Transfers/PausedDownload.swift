/// The received part of a transfer that was interrupted. It goes with its last reference.
package struct PausedDownload: Sendable {
    let folder: IncomingFolder
    let cursor: TransferCursor

    /// The folder that it is in.
    package var destination: String { folder.destination }
}
