import CZlib

/// The parts of a zip file. Each length and place in it is a claim of its writer: nothing is taken in advance for one, and a part gives
/// at most as much as it is asked for.
struct ZipArchive {
    struct Part {
        var name: String
        fileprivate var method: Int
        fileprivate var compressed: Int
        fileprivate var header: Int
    }

    enum Refusal: Error {
        /// It becomes so much larger as no text does.
        case expands
        /// It is damaged, or packed in another way than office programs do it.
        case unreadable
    }

    /// Policy: an archive with a larger list of its parts is none of a document's.
    static let maximumParts = 10_000
    private static let maximumDirectory = 4 << 20
    /// How many times larger the text of a part may be than the part, and what may come before that counts.
    private static let maximumRatio = 250
    private static let freeOutput = 1 << 20
    private static let stored = 0
    private static let deflated = 8

    /// In the order of its list, without those that are encrypted.
    let parts: [Part]
    private let file: DocumentFile

    /// - Returns: nil for a file that is no archive, or is cut off.
    init?(_ file: DocumentFile) {
        // The list stands at the end, before a comment.
        let tail = file.bytes(max(0, file.count - 65_557), 65_557)
        guard tail.count >= 22,
            let end = stride(from: tail.count - 22, through: 0, by: -1).first(where: {
                tail[$0...].starts(with: [0x50, 0x4B, 5, 6])
            })
        else { return nil }
        let count = Self.number(tail, end + 10, 2)
        let size = Self.number(tail, end + 12, 4)
        guard count <= Self.maximumParts, size <= Self.maximumDirectory else { return nil }
        let list = file.bytes(Self.number(tail, end + 16, 4), size)
        var parts: [Part] = []
        var place = 0
        while parts.count < count, place + 46 <= list.count, list[place...].starts(with: [0x50, 0x4B, 1, 2]) {
            let name = place + 46
            let length = Self.number(list, place + 28, 2)
            guard name + length <= list.count else { break }
            let isEncrypted = list[place + 8] & 1 != 0
            if !isEncrypted {
                parts.append(
                    Part(
                        name: String(decoding: list[name..<(name + length)], as: UTF8.self),
                        method: Self.number(list, place + 10, 2), compressed: Self.number(list, place + 20, 4),
                        header: Self.number(list, place + 42, 4)))
            }
            place = name + length + Self.number(list, place + 30, 2) + Self.number(list, place + 32, 2)
        }
        self.parts = parts
        self.file = file
    }

    /// - Parameter limit: bytes; what follows is left out.
    func contents(of part: Part, limit: Int) throws(Refusal) -> [UInt8] {
        let header = file.bytes(part.header, 30)
        guard header.count == 30, header.starts(with: [0x50, 0x4B, 3, 4]) else { throw .unreadable }
        let start = part.header + 30 + Self.number(header, 26, 2) + Self.number(header, 28, 2)
        // Random bytes take a little more when they are compressed.
        var bytes = file.bytes(start, min(part.compressed, limit + limit / 1000 + 64))
        switch part.method {
        case Self.stored: return Array(bytes.prefix(limit))
        case Self.deflated: return try Self.inflated(&bytes, limit)
        default: throw .unreadable
        }
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ length: Int) -> Int {
        bytes[place..<(place + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func inflated(_ input: inout [UInt8], _ limit: Int) throws(Refusal) -> [UInt8] {
        var stream = z_stream()
        let result = input.withUnsafeMutableBufferPointer { input in
            // Memory of a stream must not move.
            withUnsafeMutablePointer(to: &stream) { stream -> Result<[UInt8], Refusal> in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(clamping: input.count)
                // Without a head, as zip has it.
                guard inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                    return .failure(.unreadable)
                }
                defer { inflateEnd(stream) }
                return inflated(stream, of: input.count, limit)
            }
        }
        return try result.get()
    }

    private static func inflated(
        _ stream: UnsafeMutablePointer<z_stream>, of count: Int, _ limit: Int
    ) -> Result<[UInt8], Refusal> {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while output.count < limit {
            let (result, made) = buffer.withUnsafeMutableBufferPointer { room in
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                return (inflate(stream, Z_NO_FLUSH), room.count - Int(stream.pointee.avail_out))
            }
            output += buffer.prefix(made)
            let used = count - Int(stream.pointee.avail_in)
            guard output.count <= freeOutput + maximumRatio * used else { return .failure(.expands) }
            if result == Z_STREAM_END { break }
            // Where the input ends early there is no progress.
            guard result == Z_OK, made > 0 else { return .failure(.unreadable) }
        }
        return .success(Array(output.prefix(limit)))
    }
}
