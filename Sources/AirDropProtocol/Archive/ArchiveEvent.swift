/// One event of reading an archive, in the archive's order. An entry is followed by its data, and that by `endOfEntry`.
///
/// Not `Sendable`: the bytes are valid only until the function that is given them returns.
package enum ArchiveEvent {
    case entry(ArchiveEntry)
    case data(UnsafeRawBufferPointer)
    case endOfEntry
    /// The archive's own end. The rest is padding.
    case end
}
