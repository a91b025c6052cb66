import CZlib

/// The checksum of ZIP.
package enum CRC32 {
    /// - Parameter checksum: of what comes before; 0 for nothing.
    package static func update(_ checksum: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return checksum }
        return UInt32(truncatingIfNeeded: crc32(UInt(checksum), base, UInt32(clamping: bytes.count)))
    }
}
