import BackupFormat
import BatonCore
import FileSync
import Glibc

/// Where the bytes of a content lie in its file, one part after the other.
struct ContentPlaces {
    private var extents: ArraySlice<BackupEntry.Extent>
    private var offset: UInt64 = 0
    private var room: UInt64 = 0

    init(_ contents: BackupEntry.Contents) {
        extents = contents.extents[...]
        // Without extents the bytes lie one after the other; without chunks all is a hole.
        if extents.isEmpty, contents.size > 0, !contents.chunks.isEmpty {
            extents = [.init(offset: 0, length: contents.size)]
        }
    }

    /// The place of at most so many of the next bytes; nil after the last.
    mutating func next(_ count: Int) -> (offset: UInt64, count: Int)? {
        if room == 0 {
            guard let extent = extents.popFirst() else { return nil }
            (offset, room) = (extent.offset, extent.length)
        }
        let taken = Int(clamping: min(room, UInt64(count)))
        defer {
            offset += UInt64(taken)
            room -= UInt64(taken)
        }
        return (offset, taken)
    }
}

extension FileNode {
    /// Whether a file of the right size has exactly this content.
    /// - Parameter check: called before each chunk; ends the work with what it throws.
    func has(_ contents: BackupEntry.Contents, check: () throws -> Void) throws -> Bool {
        var places = ContentPlaces(contents)
        var end: UInt64 = 0
        for reference in contents.chunks {
            try check()
            var chunk: [UInt8] = []
            while chunk.count < Int(reference.length) {
                guard let place = places.next(Int(reference.length) - chunk.count),
                    try place.offset == end || isZero(end..<place.offset)
                else { return false }
                let bytes = try bytes(from: place.offset, count: place.count)
                guard bytes.count == place.count else { return false }
                chunk += bytes
                end = place.offset + UInt64(place.count)
            }
            guard ContentHash(of: chunk) == reference.hash else { return false }
        }
        return try end >= contents.size || isZero(end..<contents.size)
    }

    /// Reads no holes, where the file system shows them.
    private func isZero(_ range: Range<UInt64>) throws(BatonError) -> Bool {
        var position = range.lowerBound
        while position < range.upperBound {
            let data = lseek(descriptor, off_t(clamping: position), 3)  // SEEK_DATA
            if data < 0, errno == ENXIO { return true }
            position = max(position, UInt64(max(0, data)))
            guard position < range.upperBound else { return true }
            let piece = try bytes(from: position, count: Int(min(1 << 20, range.upperBound - position)))
            guard !piece.isEmpty, piece.allSatisfy({ $0 == 0 }) else { return false }
            position += UInt64(piece.count)
        }
        return true
    }
}
