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
    /// A number that stands in 64 bits elsewhere.
    private static let elsewhere = 0xFFFF_FFFF

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
        var (count, size) = (Self.number(tail, end + 10, 2), Self.number(tail, end + 12, 4))
        var begin = Self.number(tail, end + 16, 4)
        if let large = Self.largeEnd(file, before: file.count - tail.count + end) { (count, size, begin) = large }
        guard count <= Self.maximumParts, size <= Self.maximumDirectory else { return nil }
        let list = file.bytes(begin, size)
        var parts: [Part] = []
        var place = 0
        while parts.count < count, place + 46 <= list.count, list[place...].starts(with: [0x50, 0x4B, 1, 2]) {
            let name = place + 46
            let length = Self.number(list, place + 28, 2)
            guard name + length <= list.count else { break }
            let extra = Self.number(list, place + 30, 2)
            let isEncrypted = list[place + 8] & 1 != 0
            if !isEncrypted {
                var part = Part(
                    name: String(decoding: list[name..<(name + length)], as: UTF8.self),
                    method: Self.number(list, place + 10, 2), compressed: Self.number(list, place + 20, 4),
                    header: Self.number(list, place + 42, 4))
                let isUnpackedElsewhere = Self.number(list, place + 24, 4) == Self.elsewhere
                Self.complete(&part, list[(name + length)...].prefix(extra), isUnpackedElsewhere)
                parts.append(part)
            }
            place = name + length + extra + Self.number(list, place + 32, 2)
        }
        self.parts = parts
        self.file = file
    }

    // MARK: Numbers of 64 bits

    /// How many parts there are, and how long their list is and where, as a large archive says it before its end.
    private static func largeEnd(_ file: DocumentFile, before end: Int) -> (count: Int, size: Int, begin: Int)? {
        let locator = file.bytes(end - 20, 20)
        guard locator.count == 20, locator.starts(with: [0x50, 0x4B, 6, 7]) else { return nil }
        let record = file.bytes(number(locator, 8, 8), 56)
        guard record.count == 56, record.starts(with: [0x50, 0x4B, 6, 6]) else { return nil }
        return (number(record, 32, 8), number(record, 40, 8), number(record, 48, 8))
    }

    /// A part's numbers that are too large for 32 bits stand in one of its extra fields, in this order.
    private static func complete(_ part: inout Part, _ extra: ArraySlice<UInt8>, _ isUnpackedElsewhere: Bool) {
        let bytes = Array(extra)
        var field = 0
        while field + 4 <= bytes.count, number(bytes, field, 2) != 1 {
            field += 4 + number(bytes, field + 2, 2)
        }
        guard field + 4 <= bytes.count else { return }
        let end = min(bytes.count, field + 4 + number(bytes, field + 2, 2))
        var place = field + 4 + (isUnpackedElsewhere ? 8 : 0)
        for number in [\Part.compressed, \Part.header] where part[keyPath: number] == elsewhere && place + 8 <= end {
            part[keyPath: number] = Self.number(bytes, place, 8)
            place += 8
        }
    }

    // MARK: Contents

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

    /// A number beyond every file is cut, so that others can be added to it.
    private static func number(_ bytes: [UInt8], _ place: Int, _ length: Int) -> Int {
        let number = bytes[place..<(place + length)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return Int(min(number, 1 << 62))
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
