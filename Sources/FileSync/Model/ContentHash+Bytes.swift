package import Crypto

extension ContentHash {
    package init(of bytes: some Collection<UInt8>) {
        self.init(SHA256.hash(data: Array(bytes)))
    }

    /// The same without a copy.
    package init(of bytes: UnsafeRawBufferPointer) {
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        self.init(hash.finalize())
    }

    package init(_ digest: SHA256.Digest) {
        self = digest.withUnsafeBytes { bytes in
            func word(_ index: Int) -> UInt64 {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
            }
            return ContentHash(word(0), word(1), word(2), word(3))
        }
    }
}
