package import Foundation

/// Some bytes of one file.
package struct TransferPart: Hashable, Sendable {
    package var entry: Int
    package var offset: UInt64
    package var data: Data
    /// SHA-256 of the data.
    package var digest: Data

    package init(entry: Int, offset: UInt64, data: Data, digest: Data) {
        self.entry = entry
        self.offset = offset
        self.data = data
        self.digest = digest
    }
}
