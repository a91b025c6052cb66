package import BatonCore

/// Reads the body of an `/Upload`: a cpio archive, compressed with gzip. Not safe across threads.
package struct ArchiveReader: ~Copyable {
    private var gzip = GzipDecoder()
    private var cpio: CPIOReader

    package init(limits: ArchiveLimits) { cpio = CPIOReader(limits: limits) }

    /// - Throws: as ``GzipDecoder`` and ``CPIOReader``.
    package mutating func push(
        _ input: UnsafeRawBufferPointer, _ sink: (ArchiveEvent) throws(BatonError) -> Void
    ) throws(BatonError) {
        var reader = cpio
        defer { cpio = reader }
        try gzip.push(input) { unpacked throws(BatonError) in try reader.push(unpacked, sink) }
    }

    /// The body is over.
    package func finish() throws(BatonError) {
        try gzip.finish()
        try cpio.finish()
    }
}
