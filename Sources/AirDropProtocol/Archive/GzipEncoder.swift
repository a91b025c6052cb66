package import BatonCore
import CZlib

/// Packs as gzip (RFC 1952) while the bytes come. The header names no file, no time and no system. Not safe across threads.
///
/// Pictures and films are compressed already, and trying again is slower than most networks. So a sample of each part is
/// compressed first, and the part is stored as it is where that does not pay.
package struct GzipEncoder: ~Copyable {
    /// Bytes between two samples, and of each.
    private static let interval = 4 << 20
    private static let sampleSize = 32 * 1024
    /// Less says nothing.
    private static let minimumSample = 4096

    private let zlib = ZlibStream(.compress)
    private var level = Z_BEST_SPEED
    /// Bytes until the next sample.
    private var remaining = 0

    package init() {}

    /// Something else begins: the next bytes may compress better or worse.
    package mutating func beginPart() { remaining = 0 }

    /// - Throws: `resource_exhausted` without memory, and what `sink` throws. The encoder is of no use then.
    package mutating func push(
        _ input: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) throws(BatonError) -> Void
    ) throws(BatonError) {
        var rest = input[...]
        while !rest.isEmpty {
            if remaining == 0, rest.count >= Self.minimumSample {
                try setLevel(Self.pays(rest.prefix(Self.sampleSize)) ? Z_BEST_SPEED : Z_NO_COMPRESSION, sink)
                remaining = Self.interval
            }
            let part = rest.prefix(remaining == 0 ? rest.count : remaining)
            remaining = max(0, remaining - part.count)
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
            try emit(result, output, sink)
            if !isFull { return }
        }
    }

    private mutating func setLevel(
        _ new: Int32, _ sink: (UnsafeRawBufferPointer) throws(BatonError) -> Void
    ) throws(BatonError) {
        guard new != level else { return }
        try pack(UnsafeRawBufferPointer(start: nil, count: 0), flush: Z_BLOCK, sink)
        let (result, output, _) = zlib.setLevel(new)
        try emit(result, output, sink)
        level = new
    }

    private func emit(
        _ result: Int32, _ output: UnsafeRawBufferPointer,
        _ sink: (UnsafeRawBufferPointer) throws(BatonError) -> Void
    ) throws(BatonError) {
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(result) else {
            throw ArchiveError.misused("zlib answered \(result)")
        }
        if !output.isEmpty { try sink(output) }
    }

    /// Whether compressing saves a tenth.
    private static func pays(_ sample: Slice<UnsafeRawBufferPointer>) -> Bool {
        let source = UnsafeRawBufferPointer(rebasing: sample)
        var count = compressBound(UInt(source.count))
        let result = withUnsafeTemporaryAllocation(byteCount: Int(count), alignment: 1) { output in
            compress2(
                output.baseAddress?.assumingMemoryBound(to: UInt8.self), &count,
                source.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(source.count), Z_BEST_SPEED)
        }
        return result != Z_OK || count < UInt(source.count) / 10 * 9
    }
}
