package import BatonCore
package import Foundation

/// A part of what a blob holds, and the chunks that are read for it. A value.
package struct SealedRange: Sendable {
    private static let chunk = UInt64(BlobCipher.chunkSize)
    private static let sealedChunk = UInt64(BlobCipher.chunkSize + BlobCipher.overhead)

    private let range: Range<UInt64>
    private let size: UInt64
    /// The chunks that the range is in. An empty one is in the first, so that this is verified too.
    private let numbers: ClosedRange<UInt64>

    /// - Parameters:
    ///   - range: the part beyond the end is left out.
    ///   - size: bytes of all that was sealed, below 2^62.
    package init(_ range: Range<UInt64>, of size: UInt64) {
        self.range = range.clamped(to: 0..<size)
        self.size = size
        numbers =
            self.range.isEmpty
            ? 0...0 : self.range.lowerBound / Self.chunk...(self.range.upperBound - 1) / Self.chunk
    }

    /// Where these chunks are among the sealed bytes.
    package var sealed: Range<UInt64> {
        place(of: numbers.lowerBound).lowerBound..<place(of: numbers.upperBound).upperBound
    }

    private func place(of number: UInt64) -> Range<UInt64> {
        let start = number * Self.sealedChunk
        let count = min(Self.chunk, size - min(size, number * Self.chunk))
        return start..<start + count + UInt64(BlobCipher.overhead)
    }

    /// - Parameter read: gives the sealed bytes of a range, one chunk after the other.
    /// - Throws: `data_loss` (`damaged_blob`) for a chunk that is not the one of its number, and the errors of `read`.
    package func open(
        key: [UInt8], read: (Range<UInt64>) throws(BatonError) -> Data
    ) throws(BatonError) -> Data {
        var bytes = Data()
        let last = (max(size, 1) - 1) / Self.chunk
        for number in numbers {
            let opened = try BlobCipher.open(
                try read(place(of: number)), number: number, isLast: number == last, key: key)
            let start = number * Self.chunk
            let part = range.clamped(to: start..<start + UInt64(opened.count))
            bytes += opened.dropFirst(Int(part.lowerBound - start)).prefix(part.count)
        }
        return bytes
    }
}
