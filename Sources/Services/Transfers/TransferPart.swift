package import Foundation

/// Some bytes of one file.
package struct TransferPart: Hashable, Sendable {
    package var entry: Int
    package var offset: UInt64
    package var data: Data
    /// By ``PartTags``.
    package var tag: Data

    package init(entry: Int, offset: UInt64, data: Data, tag: Data) {
        self.entry = entry
        self.offset = offset
        self.data = data
        self.tag = tag
    }
}
