import CZlib

/// Memory of one stream of zlib, which must not move while the stream lives. Not safe across threads.
struct ZlibStream: ~Copyable {
    enum Direction {
        case compress
        case decompress
    }

    /// 15 bits of window, in the form of gzip.
    private static let gzip: Int32 = 15 + 16
    private static let outputSize = 128 * 1024

    private let stream: UnsafeMutablePointer<z_stream>
    private let output: UnsafeMutableRawBufferPointer
    private let isCompressing: Bool
    /// Nil when there is memory enough.
    let failure: Int32?

    init(_ direction: Direction) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        output = .allocate(byteCount: Self.outputSize, alignment: 16)
        let size = Int32(MemoryLayout<z_stream>.size)
        let result: Int32
        switch direction {
        case .compress:
            isCompressing = true
            result = deflateInit2_(
                stream, Z_BEST_SPEED, Z_DEFLATED, Self.gzip, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        case .decompress:
            isCompressing = false
            result = inflateInit2_(stream, Self.gzip, ZLIB_VERSION, size)
        }
        failure = result == Z_OK ? nil : result
    }

    deinit {
        // Both do nothing for a stream that was not set up.
        _ = isCompressing ? deflateEnd(stream) : inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
        output.deallocate()
    }

    /// Takes input, at most 1 GiB, until ``run(flush:)`` has used it. The bytes must stay valid until then.
    func setInput(_ input: UnsafeRawBufferPointer) {
        // zlib only reads them; its header does not say so.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(clamping: input.count)
    }

    var unread: Int { Int(stream.pointee.avail_in) }

    /// One step.
    /// - Returns: zlib's answer, and what came out, which is valid until the next step.
    func run(flush: Int32) -> (result: Int32, output: UnsafeRawBufferPointer, isFull: Bool) {
        step { isCompressing ? deflate($0, flush) : inflate($0, flush) }
    }

    /// Compresses what comes from now on so. All input before must have been used, and a block be finished.
    func setLevel(_ level: Int32) -> (result: Int32, output: UnsafeRawBufferPointer, isFull: Bool) {
        step { deflateParams($0, level, Z_DEFAULT_STRATEGY) }
    }

    private func step(
        _ body: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> (result: Int32, output: UnsafeRawBufferPointer, isFull: Bool) {
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(output.count)
        let result = body(stream)
        let count = output.count - Int(stream.pointee.avail_out)
        return (result, UnsafeRawBufferPointer(rebasing: output[..<count]), stream.pointee.avail_out == 0)
    }

    /// A further member of the same file begins.
    func restartDecompressing() { inflateReset(stream) }
}
