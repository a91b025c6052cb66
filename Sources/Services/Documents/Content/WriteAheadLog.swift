/// The pages that a write-ahead log of SQLite adds to its database: for each the newest frame of the complete transactions.
///
/// A log is read up to the last frame that ends a transaction, whose checksum follows from all before it. Later writes of
/// programs change nothing before that frame until the log starts over, which its header shows.
struct WriteAheadLog {
    /// Up to where a log was read, so that the same content can be read once more.
    struct Point: Hashable, Sendable {
        var header: [UInt8]
        var frames: Int
    }

    static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let version: UInt32 = 3_007_000
    /// More are read when programs have checkpointed it.
    private static let maximumFrames = 1 << 22

    let header: [UInt8]
    let pageSize: Int
    /// Up to the last whole transaction.
    private(set) var frames = 0
    /// The size of the database after it, in pages.
    private(set) var pages = 0
    /// By page, counted from 1.
    private var newest: [UInt32: Int] = [:]

    var point: Point { Point(header: header, frames: frames) }

    static func isBeginning(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes.prefix(4))
        return bytes == [0x37, 0x7F, 0x06, 0x82] || bytes == [0x37, 0x7F, 0x06, 0x83]
    }

    /// - Parameters:
    ///   - limit: no frames after that many.
    ///   - read: gives bytes at an offset, fewer at the end.
    /// - Returns: nil for a log with no whole transaction, which adds nothing.
    init?(limit: Int = .max, read: (_ offset: Int, _ count: Int) throws -> [UInt8]) rethrows {
        header = try read(0, Self.headerSize)
        guard header.count == Self.headerSize, Self.isBeginning(header), Self.word(header, 4) == Self.version else {
            return nil
        }
        pageSize = Int(Self.word(header, 8))
        guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
        var sum = Checksum(isBigEndian: header[3] == 0x83)
        sum.add(header[0..<24])
        guard sum.values == (Self.word(header, 24), Self.word(header, 28)) else { return nil }
        var open: [UInt32: Int] = [:]
        for number in 0..<min(limit, Self.maximumFrames) {
            let frame = try read(offset(of: number), Self.frameHeaderSize + pageSize)
            guard frame.count == Self.frameHeaderSize + pageSize, frame[8..<16] == header[16..<24] else { break }
            sum.add(frame[0..<8])
            sum.add(frame[Self.frameHeaderSize...])
            let page = Self.word(frame, 0)
            guard page > 0, sum.values == (Self.word(frame, 16), Self.word(frame, 20)) else { break }
            open[page] = number
            let size = Self.word(frame, 4)
            guard size > 0 else { continue }
            newest.merge(open) { $1 }
            (frames, pages, open) = (number + 1, Int(size), [:])
        }
        guard frames > 0 else { return nil }
    }

    private func offset(of frame: Int) -> Int { Self.headerSize + frame * (Self.frameHeaderSize + pageSize) }

    /// Where in the log a page is; nil where the database itself has it.
    func place(ofPage page: Int) -> Int? {
        newest[UInt32(clamping: page)].map { offset(of: $0) + Self.frameHeaderSize }
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// As the log's format has it: two sums over pairs of words.
    private struct Checksum {
        let isBigEndian: Bool
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        var values: (UInt32, UInt32) { (first, second) }

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        /// - Parameter bytes: a multiple of eight.
        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { buffer in
                for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
                    let one = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let two = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                    first = first &+ (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
                    second = second &+ (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
                }
            }
        }
    }
}
