import BatonCore
import Crypto
import Files

enum BundleHash {
    /// The SHA-256 of a file and how much of it there was. Reads on at most one piece beyond `limit` bytes, so that a
    /// file that grows cannot keep the reader busy.
    /// - Parameter keep: gets the bytes too.
    static func sha256(
        of file: OpenFile, limit: Int64, keep: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(BatonError) -> (hash: [UInt8], size: Int64) {
        var hash = SHA256()
        var size: Int64 = 0
        try file.forEachPiece { piece throws(BatonError) in
            hash.update(bufferPointer: piece)
            keep(piece)
            size += Int64(piece.count)
            return size <= limit
        }
        return (Array(hash.finalize()), size)
    }

    static func sha256(of bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}
