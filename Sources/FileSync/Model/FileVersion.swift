/// SHA-256 of a whole content or of a chunk.
package struct ContentHash: Hashable, Comparable, Sendable {
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// The 32 bytes as four big-endian numbers.
    package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        self.first = first
        self.second = second
        self.third = third
        self.fourth = fourth
    }

    /// - Returns: nil unless there are 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
        self.init(
            UInt64(bigEndian: words.0), UInt64(bigEndian: words.1), UInt64(bigEndian: words.2),
            UInt64(bigEndian: words.3))
    }

    /// The 32 bytes as four numbers.
    var words: [UInt64] { [first, second, third, fourth] }

    package var bytes: [UInt8] {
        withUnsafeBytes(of: (first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian)) { Array($0) }
    }

    /// For decisions that follow from a content.
    var lowBits: UInt64 { fourth }

    package static func < (left: Self, right: Self) -> Bool {
        (left.first, left.second, left.third, left.fourth) < (right.first, right.second, right.third, right.fourth)
    }
}

/// The content of an entry's version, and where it is.
package enum ContentBody: Sendable {
    /// The content itself: at most ``EntryLimits/inlineBytes``. The target of a symbolic link is always inline.
    case inline(ByteString)
    /// Such a content whose bytes are not in memory: the keeper of that entry has them, by their hash.
    case kept(with: EntryID)
    case chunks(ChunkList)
}

/// Small contents are distinguished by the hashes of their versions, wherever their bytes are: those of other devices are
/// compared with theirs when they come.
extension ContentBody: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.inline, .inline), (.inline, .kept), (.kept, .inline), (.kept, .kept): true
        case (.chunks(let left), .chunks(let right)): left == right
        case (.chunks, _), (_, .chunks): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        if case .chunks(let list) = self { hasher.combine(list) }
    }
}

/// One content of a file, a link, or a package. A directory has none.
///
/// The content of a symbolic link is its target, that of a package its manifest.
package struct FileVersion: Hashable, Sendable {
    package var stamp: Stamp
    /// For people: on which device it was saved. At most 64 bytes of UTF-8.
    package var device: String
    package var size: UInt64
    /// Nanoseconds since 1970.
    package var modified: Int64
    package var hash: ContentHash
    package var body: ContentBody

    package init(
        stamp: Stamp, device: String, size: UInt64, modified: Int64, hash: ContentHash, body: ContentBody
    ) {
        self.stamp = stamp
        self.device = device
        self.size = size
        self.modified = modified
        self.hash = hash
        self.body = body
    }
}
