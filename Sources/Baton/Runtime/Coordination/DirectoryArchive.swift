import Foundation

/// Writes a directory as a ZIP archive, which a reader for uploading gets. Files are stored as they are.
///
/// Links are stored as links. At most 65,535 entries and 4 GiB: more would need the format's newer form.
struct DirectoryArchive {
    private struct Entry {
        var name: Data
        var mode: UInt32
        var checksum: UInt32 = 0
        var size: UInt32 = 0
        var offset: UInt32
    }

    private static let chunkSize = 1 << 18

    private let output: FileHandle
    private var entries: [Entry] = []
    private var position: UInt64 = 0

    /// - Parameter destination: must not exist.
    static func write(_ directory: URL, to destination: URL) throws {
        guard FileManager.default.createFile(atPath: destination.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let output = try FileHandle(forWritingTo: destination)
        defer { try? output.close() }
        var archive = DirectoryArchive(output: output)
        let root = directory.lastPathComponent
        try archive.addDirectory(root)
        guard let files = FileManager.default.enumerator(atPath: directory.path) else {
            throw CocoaError(.fileReadUnknown)
        }
        for case let path as String in files {
            try archive.add(directory.appendingPathComponent(path).path, name: root + "/" + path)
        }
        try archive.finish()
    }

    private init(output: FileHandle) { self.output = output }

    // MARK: Entries

    private mutating func add(_ path: String, name: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let permissions = (attributes[.posixPermissions] as? NSNumber)?.uint32Value ?? 0o600
        switch attributes[.type] as? FileAttributeType {
        case .typeDirectory: try addDirectory(name, permissions)
        case .typeSymbolicLink:
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: path)
            try begin(name, mode: 0o120_777)
            try append(Data(target.utf8))
            try end()
        case .typeRegular:
            let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? input.close() }
            try begin(name, mode: 0o100_000 | permissions)
            while let data = try input.read(upToCount: Self.chunkSize), !data.isEmpty { try append(data) }
            try end()
        // Sockets, pipes and devices have no content to upload.
        default: break
        }
    }

    private mutating func addDirectory(_ name: String, _ permissions: UInt32 = 0o755) throws {
        try begin(name + "/", mode: 0o040_000 | permissions)
        try end()
    }

    private var checksum = CRC32()
    private var size: UInt64 = 0

    private mutating func begin(_ name: String, mode: UInt32) throws {
        let name = Data(name.utf8)
        guard entries.count < Int(UInt16.max), name.count <= Int(UInt16.max) else { throw tooLarge }
        entries.append(Entry(name: name, mode: mode, offset: try checked(position)))
        (checksum, size) = (CRC32(), 0)
        try write(localHeader(entries[entries.count - 1]))
    }

    private mutating func append(_ data: Data) throws {
        checksum.update(data)
        size += UInt64(data.count)
        try write(data)
    }

    /// Puts checksum and size, which are known only now, into the header.
    private mutating func end() throws {
        guard var entry = entries.popLast() else { return }
        entry.checksum = checksum.value
        entry.size = try checked(size)
        entries.append(entry)
        try output.seek(toOffset: UInt64(entry.offset))
        try output.write(contentsOf: localHeader(entry))
        try output.seek(toOffset: position)
    }

    private mutating func finish() throws {
        let start = try checked(position)
        for entry in entries { try write(centralHeader(entry)) }
        var end = Data()
        end.append(number: UInt32(0x0605_4B50))
        end.append(number: UInt32(0))
        end.append(number: UInt16(entries.count))
        end.append(number: UInt16(entries.count))
        end.append(number: try checked(position) - start)
        end.append(number: start)
        end.append(number: UInt16(0))
        try write(end)
    }

    // MARK: Bytes

    private mutating func write(_ data: Data) throws {
        try output.write(contentsOf: data)
        position += UInt64(data.count)
    }

    private func checked(_ number: UInt64) throws -> UInt32 {
        guard let small = UInt32(exactly: number) else { throw tooLarge }
        return small
    }

    private var tooLarge: NSError {
        CoordinationErrors.cocoa(
            .fileReadTooLarge, "The directory has more than 65,535 files or 4 GiB. Read its parts one by one.", nil)
    }

    private func localHeader(_ entry: Entry) -> Data {
        var header = Data()
        header.append(number: UInt32(0x0403_4B50))
        appendCommon(entry, to: &header)
        header.append(entry.name)
        return header
    }

    private func centralHeader(_ entry: Entry) -> Data {
        var header = Data()
        header.append(number: UInt32(0x0201_4B50))
        // Made on Unix, so that the mode counts.
        header.append(number: UInt16(3 << 8 | 20))
        appendCommon(entry, to: &header)
        header.append(number: UInt16(0))
        header.append(number: UInt16(0))
        header.append(number: UInt16(0))
        header.append(number: entry.mode << 16)
        header.append(number: entry.offset)
        header.append(entry.name)
        return header
    }

    private func appendCommon(_ entry: Entry, to header: inout Data) {
        header.append(number: UInt16(20))
        // Names are UTF-8.
        header.append(number: UInt16(1 << 11))
        header.append(number: UInt16(0))
        // No time is written: the 1st of January 1980.
        header.append(number: UInt16(0))
        header.append(number: UInt16(0x21))
        header.append(number: entry.checksum)
        header.append(number: entry.size)
        header.append(number: entry.size)
        header.append(number: UInt16(entry.name.count))
        header.append(number: UInt16(0))
    }
}

extension Data {
    fileprivate mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
