/// A place in the bytes of a transfer.
package struct TransferPlace: Hashable, Sendable {
    /// The index of a manifest's entry.
    package var entry: Int
    package var offset: UInt64

    package init(entry: Int = 0, offset: UInt64 = 0) {
        self.entry = entry
        self.offset = offset
    }
}
