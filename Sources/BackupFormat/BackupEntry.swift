package import BatonCore
package import FileSync

/// One file, directory or symbolic link, with all that comes back with it.
package struct BackupEntry: Hashable, Sendable {
    package static let maximumAttributes = 256
    package static let maximumAttributeBytes = 64 << 10
    package static let maximumTarget = 4096
    package static let maximumExtents = 1 << 16
    static let minimumBytes = 2 + 1 + 1 + 2 + 8 + 2

    package enum Kind: Hashable, Sendable {
        case file(Contents)
        case directory([ChunkReference])
        case link(target: [UInt8])
    }

    /// The bytes of a file that are no hole, one after the other.
    package struct Contents: Hashable, Sendable {
        /// The file's, holes included.
        package var size: UInt64
        package var chunks: [ChunkReference]
        /// Where the bytes lie; empty where the file has no hole.
        package var extents: [Extent]
        /// It changed while it was read, three times: it is as it was in pieces.
        package var isUnrested: Bool
        /// It was taken by SQLite's backup interface.
        package var isDatabase: Bool
        /// Files of one snapshot with the same number are one file; 0 for a file with one name.
        package var linkGroup: UInt64

        package init(
            size: UInt64, chunks: [ChunkReference], extents: [Extent] = [], isUnrested: Bool = false,
            isDatabase: Bool = false, linkGroup: UInt64 = 0
        ) {
            self.size = size
            self.chunks = chunks
            self.extents = extents
            self.isUnrested = isUnrested
            self.isDatabase = isDatabase
            self.linkGroup = linkGroup
        }
    }

    package struct Extent: Hashable, Sendable {
        package var offset: UInt64
        package var length: UInt64

        package init(offset: UInt64, length: UInt64) {
            self.offset = offset
            self.length = length
        }
    }

    package struct Attribute: Hashable, Sendable {
        package var name: [UInt8]
        package var value: [UInt8]

        package init(name: [UInt8], value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    /// Bytes as the file system has them.
    package var name: [UInt8]
    package var kind: Kind
    /// The twelve bits.
    package var mode: UInt16
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// In the order of their names.
    package var attributes: [Attribute]

    package init(name: [UInt8], kind: Kind, mode: UInt16, modified: Int64, attributes: [Attribute] = []) {
        self.name = name
        self.kind = kind
        self.mode = mode & 0o7777
        self.modified = modified
        self.attributes = attributes
    }

    /// The chunks that it needs.
    package var chunks: [ChunkReference] {
        switch kind {
        case .file(let contents): contents.chunks
        case .directory(let chunks): chunks
        case .link: []
        }
    }

    func write(to writer: inout BinaryWriter) {
        writer.put(short: name)
        writer.put(code)
        writer.put(flags)
        writer.put(mode)
        writer.put(modified)
        writer.put(UInt16(clamping: attributes.count))
        for attribute in attributes {
            writer.put(short: attribute.name)
            writer.put(long: attribute.value)
        }
        switch kind {
        case .file(let contents):
            writer.put(contents.size)
            writer.put(contents.linkGroup)
            writer.put(UInt32(clamping: contents.extents.count))
            for extent in contents.extents {
                writer.put(extent.offset)
                writer.put(extent.length)
            }
            BackupChunks.write(contents.chunks, to: &writer)
        case .directory(let chunks): BackupChunks.write(chunks, to: &writer)
        case .link(let target): writer.put(short: target)
        }
    }

    private var code: UInt8 {
        switch kind {
        case .file: 1
        case .directory: 2
        case .link: 3
        }
    }

    private var flags: UInt8 {
        guard case .file(let contents) = kind else { return 0 }
        return (contents.isUnrested ? 1 : 0) | (contents.isDatabase ? 2 : 0)
    }

    init(from reader: inout BinaryReader) throws(BatonError) {
        name = try reader.short()
        let code: UInt8 = try reader.number()
        let flags: UInt8 = try reader.number()
        mode = try reader.number()
        modified = try reader.number()
        guard BackupTree.isName(name), mode <= 0o7777, flags <= 3 else { throw reader.refusal }
        let count: UInt16 = try reader.number()
        guard count <= Self.maximumAttributes else { throw reader.refusal }
        attributes = []
        for _ in 0..<count {
            let name = try reader.short()
            let value = try reader.long(limit: Self.maximumAttributeBytes)
            guard (1...255).contains(name.count), !name.contains(0) else { throw reader.refusal }
            attributes.append(Attribute(name: name, value: value))
        }
        switch code {
        case 1: kind = .file(try Self.contents(&reader, flags))
        case 2: kind = .directory(try BackupChunks.read(&reader))
        case 3:
            let target = try reader.short()
            guard (1...Self.maximumTarget).contains(target.count), !target.contains(0) else { throw reader.refusal }
            kind = .link(target: target)
        default: throw reader.refusal
        }
    }

    private static func contents(_ reader: inout BinaryReader, _ flags: UInt8) throws(BatonError) -> Contents {
        var contents = Contents(size: try reader.number(), chunks: [])
        contents.linkGroup = try reader.number()
        contents.isUnrested = flags & 1 != 0
        contents.isDatabase = flags & 2 != 0
        let count = try reader.count(of: 16, limit: maximumExtents)
        var end: UInt64 = 0
        var total: UInt64 = 0
        for _ in 0..<count {
            let extent = Extent(offset: try reader.number(), length: try reader.number())
            let (next, isOver) = extent.offset.addingReportingOverflow(extent.length)
            guard !isOver, extent.length > 0, extent.offset >= end, next <= contents.size else { throw reader.refusal }
            end = next
            total += extent.length
            contents.extents.append(extent)
        }
        contents.chunks = try BackupChunks.read(&reader)
        let size = BackupChunks.size(contents.chunks)
        // A file that is one hole has neither extents nor chunks.
        let isWhole = count > 0 ? size == total : size == contents.size || contents.chunks.isEmpty
        guard isWhole, contents.size <= UInt64(Int64.max) else { throw reader.refusal }
        return contents
    }
}

extension BackupEntry {
    /// Alone, for a device's own index.
    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// - Throws: `data_loss` (`bad_backup_object`) for all that ``encoded`` does not write.
    package init(decoding bytes: [UInt8]) throws(BatonError) {
        var reader = BinaryReader(bytes, "an entry")
        try self.init(from: &reader)
        try reader.end()
    }
}
