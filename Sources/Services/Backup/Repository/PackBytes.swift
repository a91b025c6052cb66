import BatonTrust
import Synchronization

/// The chunks of a pack, one after the other, in segments: those that were written are given back while the rest is written, so there is
/// room for the next pack. Filled by one thread, then taken by another.
final class PackBytes: Sendable {
    /// A whole number of a blob's pieces.
    static let segmentSize = 16 * BlobCipher.chunkSize

    private let segments = Mutex<[[UInt8]]>([])
    private let total = Mutex(0)

    /// Bytes that were put, taken or not.
    var count: Int { total.withLock { $0 } }

    func append(_ bytes: [UInt8]) {
        total.withLock { $0 += bytes.count }
        segments.withLock { segments in
            var rest = bytes[...]
            while !rest.isEmpty {
                if segments.last.map({ $0.count == Self.segmentSize }) ?? true {
                    var segment: [UInt8] = []
                    segment.reserveCapacity(Self.segmentSize)
                    segments.append(segment)
                }
                let last = segments.count - 1
                let part = rest.prefix(Self.segmentSize - segments[last].count)
                segments[last] += part
                rest = rest.dropFirst(part.count)
            }
        }
    }

    /// The next segment, in the order in which they were put; empty after the last.
    func takeFirst() -> [UInt8] { segments.withLock { $0.isEmpty ? [] : $0.removeFirst() } }
}
