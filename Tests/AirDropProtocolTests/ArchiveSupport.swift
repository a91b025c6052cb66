import AirDropProtocol
import BatonCore

/// The contents of an archive, as a test compares them.
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

func compressed(_ bytes: [UInt8]) throws(BatonError) -> [UInt8] {
    var encoder = GzipEncoder()
    var output: [UInt8] = []
    try feed(bytes, pieces: .max) { piece throws(BatonError) in try encoder.push(piece) { output += $0 } }
    try encoder.finish { output += $0 }
    return output
}

/// An archive in odc, with headers as they are asked for.
struct OldArchive {
    var bytes: [UInt8] = []

    func adding(
        _ path: String, _ data: String = "", mode: UInt64 = 0o100644, size: UInt64? = nil, magic: String = "070707"
    ) -> OldArchive {
        let fields: [(UInt64, Int)] = [
            (0, 6), (1, 6), (mode, 6), (0, 6), (0, 6), (1, 6), (0, 6), (1_700_000_000, 11),
            (UInt64(path.utf8.count + 1), 6), (size ?? UInt64(data.utf8.count), 11),
        ]
        let header = fields.map { value, width in
            let digits = String(value, radix: 8)
            return String(repeating: "0", count: width - digits.count) + digits
        }
        return adding(bytes: Array((magic + header.joined() + path + "\0" + data).utf8))
    }

    func adding(bytes more: [UInt8]) -> OldArchive { OldArchive(bytes: bytes + more) }

    func ended() -> OldArchive { adding("TRAILER!!!", mode: 0) }
}
