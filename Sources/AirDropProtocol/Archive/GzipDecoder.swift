package import BatonCore
import CZlib

/// Unpacks gzip (RFC 1952) as it comes. Memory is bounded by the window and one buffer, whatever the input unpacks to.
/// Not safe across threads.
package struct GzipDecoder: ~Copyable {
    private enum State {
        case member
        /// After a member: nothing more, a further member, or padding.
        case between
        case padding(Int)
    }

    /// Zero bytes after the last member, as tape writers leave them.
    private static let maximumPadding = 64 * 1024
    private static let firstByte: UInt8 = 0x1F

    private let zlib = ZlibStream(.decompress)
    private var state = State.member

    package init() {}

    /// - Throws: `archive_damaged`, and what `sink` throws. The decoder is of no use then.
    package mutating func push(
        _ input: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) throws(BatonError) -> Void
    ) throws(BatonError) {
        guard zlib.failure == nil else { throw ArchiveError.tooLarge("there is no memory to unpack it") }
        var rest = input[...]
        while let first = rest.first {
            switch state {
            case .member: try unpack(&rest, sink)
            case .between where first == Self.firstByte:
                zlib.restartDecompressing()
                state = .member
            case .between: state = .padding(0)
            case .padding(let count):
                guard count + rest.count <= Self.maximumPadding, rest.allSatisfy({ $0 == 0 }) else {
                    throw ArchiveError.damaged("something comes after the end of the compressed archive")
                }
                state = .padding(count + rest.count)
                rest = rest.suffix(0)
            }
        }
    }

    /// The input is over.
    package func finish() throws(BatonError) {
        if case .member = state { throw ArchiveError.damaged("the compressed archive ends too early") }
    }

    private mutating func unpack(
        _ rest: inout Slice<UnsafeRawBufferPointer>, _ sink: (UnsafeRawBufferPointer) throws(BatonError) -> Void
    ) throws(BatonError) {
        let part = rest.prefix(1 << 30)
        zlib.setInput(UnsafeRawBufferPointer(rebasing: part))
        while true {
            let (result, output, isFull) = zlib.run(flush: Z_NO_FLUSH)
            // No progress is no error where the input is used up.
            guard [Z_OK, Z_STREAM_END].contains(result) || (result == Z_BUF_ERROR && zlib.unread == 0) else {
                throw ArchiveError.damaged("it is not compressed with gzip, or was changed on its way")
            }
            if !output.isEmpty { try sink(output) }
            if result == Z_STREAM_END { state = .between }
            if result == Z_STREAM_END || (zlib.unread == 0 && !isFull) { break }
        }
        rest = rest.dropFirst(part.count - zlib.unread)
    }
}
