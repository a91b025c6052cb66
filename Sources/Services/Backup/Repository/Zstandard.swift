import BatonCore
import CZstd

/// One chunk after the other; a context is kept, since making one takes as long as a small chunk.
///
/// Unchecked, since it has pointers: its owner lets one thread use it at a time.
final class Zstandard: @unchecked Sendable {
    private lazy var compressor = ZSTD_createCCtx()
    private lazy var decompressor = ZSTD_createDCtx()
    private static let level: Int32 = 3

    deinit {
        ZSTD_freeCCtx(compressor)
        ZSTD_freeDCtx(decompressor)
    }

    /// - Returns: nil where it fails; the chunk is then stored as it is.
    func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var isGood = false
        let result = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, count in
            let size = bytes.withUnsafeBytes {
                ZSTD_compressCCtx(compressor, buffer.baseAddress, buffer.count, $0.baseAddress, $0.count, Self.level)
            }
            isGood = ZSTD_isError(size) == 0
            count = isGood ? size : 0
        }
        return isGood ? result : nil
    }

    /// - Parameter size: exactly what must come out; nothing larger is made.
    func decompressed(_ bytes: [UInt8], size: Int) -> [UInt8]? {
        var isGood = false
        let result = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let made = bytes.withUnsafeBytes {
                ZSTD_decompressDCtx(decompressor, buffer.baseAddress, buffer.count, $0.baseAddress, $0.count)
            }
            isGood = ZSTD_isError(made) == 0 && made == size
            count = isGood ? made : 0
        }
        return isGood ? result : nil
    }
}
