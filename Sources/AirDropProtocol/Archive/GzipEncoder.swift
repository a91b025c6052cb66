package import BatonCore
import CZlib

/// Packs as gzip (RFC 1952) while the bytes come. The header names no file, no time and no system. Not safe across threads.
package struct GzipEncoder: ~Copyable {
    package enum Level: Sendable {
        /// For what is compressed already: only the frame of gzip.
        case stored
        case fast
        case small

        fileprivate var value: Int32 {
            switch self {
            case .stored: Z_NO_COMPRESSION
            case .fast: Z_BEST_SPEED
            case .small: 6
            }
        }
    }

    private let zlib: ZlibStream

    package init(level: Level) { zlib = ZlibStream(.compress(level: level.value)) }

    /// - Throws: `resource_exhausted` without memory, and what `sink` throws. The encoder is of no use then.
    package mutating func push(
        _ input: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) throws(BatonError) -> Void
    ) throws(BatonError) {
        var rest = input[...]
        while !rest.isEmpty {
            let part = rest.prefix(1 << 30)
            try pack(UnsafeRawBufferPointer(rebasing: part), flush: Z_NO_FLUSH, sink)
            rest = rest.dropFirst(part.count)
        }
    }

    /// Writes what is held back, and the end.
    package mutating func finish(_ sink: (UnsafeRawBufferPointer) throws(BatonError) -> Void) throws(BatonError) {
        try pack(UnsafeRawBufferPointer(start: nil, count: 0), flush: Z_FINISH, sink)
    }

    private func pack(
        _ input: UnsafeRawBufferPointer, flush: Int32, _ sink: (UnsafeRawBufferPointer) throws(BatonError) -> Void
    ) throws(BatonError) {
        guard zlib.failure == nil else {
            throw BatonError(
                .resourceExhausted, reason: "out_of_memory", "There is no memory to compress what is to be sent.")
        }
        zlib.setInput(input)
        while true {
            let (result, output, isFull) = zlib.run(flush: flush)
            guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(result) else {
                throw ArchiveError.misused("zlib answered \(result)")
            }
            if !output.isEmpty { try sink(output) }
            if !isFull { return }
        }
    }
}
