import AirDropProtocol
import BatonCore

/// What an archive holds, as a test compares it.
struct Contents: Equatable {
    var entries: [(entry: ArchiveEntry, data: [UInt8])] = []
    var hasEnded = false

    var paths: [String] { entries.map { String(decoding: $0.entry.path, as: UTF8.self) } }

    static func == (left: Contents, right: Contents) -> Bool {
        left.hasEnded == right.hasEnded && left.entries.elementsEqual(right.entries) { $0 == $1 }
    }

    mutating func take(_ event: ArchiveEvent) {
        switch event {
        case .entry(let entry): entries.append((entry, []))
        case .data(let bytes): entries[entries.count - 1].data += bytes
        case .endOfEntry: break
        case .end: hasEnded = true
        }
    }

    /// Reads a compressed archive in pieces of a size.
    static func read(
        _ bytes: [UInt8], pieces: Int = .max, limits: ArchiveLimits = .init(bytes: 1 << 20)
    ) throws(BatonError) -> Contents {
        var reader = ArchiveReader(limits: limits)
        var contents = Contents()
        try feed(bytes, pieces: pieces) { piece throws(BatonError) in
            try reader.push(piece) { contents.take($0) }
        }
        try reader.finish()
        return contents
    }

    /// As ``read(_:pieces:limits:)``, without compression.
    static func readPlain(
        _ bytes: [UInt8], pieces: Int = .max, limits: ArchiveLimits = .init(bytes: 1 << 20)
    ) throws(BatonError) -> Contents {
        var reader = CPIOReader(limits: limits)
        var contents = Contents()
        try feed(bytes, pieces: pieces) { piece throws(BatonError) in
            try reader.push(piece) { contents.take($0) }
        }
        try reader.finish()
        return contents
    }

    static func reason(_ body: () throws(BatonError) -> Contents) -> String? {
        do throws(BatonError) {
            _ = try body()
            return nil
        } catch {
            return error.reason
        }
    }
}

func feed(
    _ bytes: [UInt8], pieces: Int, _ body: (UnsafeRawBufferPointer) throws(BatonError) -> Void
) throws(BatonError) {
    let result = bytes.withUnsafeBytes { buffer -> Result<Void, BatonError> in
        do throws(BatonError) {
            var rest = buffer[...]
            while !rest.isEmpty {
                let piece = rest.prefix(pieces)
                try body(UnsafeRawBufferPointer(rebasing: piece))
                rest = rest.dropFirst(piece.count)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }
    try result.get()
}

func compressed(_ bytes: [UInt8], level: GzipEncoder.Level = .fast) throws(BatonError) -> [UInt8] {
    var encoder = GzipEncoder(level: level)
    var output: [UInt8] = []
    try feed(bytes, pieces: .max) { piece throws(BatonError) in try encoder.push(piece) { output += $0 } }
    try encoder.finish { output += $0 }
    return output
}

/// An archive in odc, with headers as they are asked for.
struct OldArchive {
    var bytes: [UInt8] = []

    mutating func add(
        _ path: String, _ data: String = "", mode: UInt64 = 0o100644, links: UInt64 = 1, inode: UInt64 = 1,
        size: UInt64? = nil, magic: String = "070707"
    ) {
        add(Array(path.utf8), Array(data.utf8), mode: mode, links: links, inode: inode, size: size, magic: magic)
    }

    mutating func add(
        _ path: [UInt8], _ data: [UInt8] = [], mode: UInt64 = 0o100644, links: UInt64 = 1, inode: UInt64 = 1,
        size: UInt64? = nil, magic: String = "070707"
    ) {
        bytes += magic.utf8
        let fields: [(UInt64, Int)] = [
            (0, 6), (inode, 6), (mode, 6), (0, 6), (0, 6), (links, 6), (0, 6), (1_700_000_000, 11),
            (UInt64(path.count + 1), 6), (size ?? UInt64(data.count), 11),
        ]
        for (value, width) in fields {
            let digits = String(value, radix: 8)
            bytes += (String(repeating: "0", count: width - digits.count) + digits).utf8
        }
        bytes += path + [0] + data
    }

    mutating func end() { add("TRAILER!!!", mode: 0) }
}
