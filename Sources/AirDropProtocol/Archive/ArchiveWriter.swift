package import BatonCore

/// Writes the body of an `/Upload` as it is sent. Not safe across threads.
///
/// For each entry: ``begin(_:_:)``, its data with ``write(_:_:)``, and ``end()``; then ``finish(_:)``.
package struct ArchiveWriter: ~Copyable {
    package typealias Sink = (UnsafeRawBufferPointer) throws(BatonError) -> Void

    private var gzip = GzipEncoder()
    private var cpio = CPIOWriter()
    /// Bytes of data that the entry has announced and not been given.
    private var missing: UInt64 = 0

    package init() {}

    /// - Throws: as ``CPIOWriter``, and what `sink` throws. The writer is of no use then; the same holds for the others.
    package mutating func begin(_ entry: ArchiveEntry, _ sink: Sink) throws(BatonError) {
        guard missing == 0 else { throw ArchiveError.misused("an entry is not finished") }
        missing = entry.size
        try push(try cpio.header(entry), sink)
        gzip.beginPart()
    }

    /// - Throws: `archive_source_changed` when there is more than the entry announced.
    package mutating func write(_ data: UnsafeRawBufferPointer, _ sink: Sink) throws(BatonError) {
        guard UInt64(data.count) <= missing else { throw Self.changed }
        missing -= UInt64(data.count)
        try gzip.push(data, sink)
    }

    /// - Throws: `archive_source_changed` when there is less than the entry announced.
    package func end() throws(BatonError) {
        guard missing == 0 else { throw Self.changed }
    }

    package mutating func finish(_ sink: Sink) throws(BatonError) {
        try end()
        try push(CPIOWriter.trailer, sink)
        try gzip.finish(sink)
    }

    private mutating func push(_ bytes: [UInt8], _ sink: Sink) throws(BatonError) {
        let result = bytes.withUnsafeBytes { buffer -> Result<Void, BatonError> in
            do throws(BatonError) { return .success(try gzip.push(buffer, sink)) } catch { return .failure(error) }
        }
        try result.get()
    }

    private static var changed: BatonError {
        BatonError(
            .aborted, reason: "archive_source_changed", "A file changed its size while it was sent. Send it again.")
    }
}
