package import BatonCore
import FileSync

/// The entries of one directory, in the order of their names. Its bytes are cut into chunks as a file's are, so a directory that
/// did not change is stored once for all snapshots.
package struct BackupTree: Hashable, Sendable {
    package static let maximumEntries = 1_000_000
    /// Limit of a directory's bytes.
    package static let maximumBytes = 512 << 20
    package static let maximumDepth = 128
    private static let format: UInt8 = 1

    package private(set) var entries: [BackupEntry]

    /// - Throws: `invalid_argument` for entries that cannot be in one directory.
    package init(_ entries: [BackupEntry]) throws(BatonError) {
        self.entries = entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
        guard entries.count <= Self.maximumEntries, self.entries.allSatisfy({ Self.isName($0.name) }),
            zip(self.entries, self.entries.dropFirst()).allSatisfy({ $0.name != $1.name })
        else {
            throw BatonError(
                .invalidArgument, reason: "bad_directory", "A directory has too many entries, or two of one name.")
        }
    }

    package subscript(name name: [UInt8]) -> BackupEntry? { entries.first { $0.name == name } }

    /// Whether bytes can be a name in a directory: a restore makes nothing else, so nothing leads out of it.
    package static func isName(_ name: [UInt8]) -> Bool {
        (1...255).contains(name.count) && !name.contains(0) && !name.contains(0x2F) && name != [0x2E]
            && name != [0x2E, 0x2E]
    }

    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.put(Self.format)
        writer.put(UInt32(clamping: entries.count))
        for entry in entries { entry.write(to: &writer) }
        return writer.bytes
    }

    /// - Throws: `data_loss` (`bad_backup_object`) for all that ``encoded`` does not write.
    package init(decoding bytes: [UInt8]) throws(BatonError) {
        var reader = BinaryReader(bytes, "a directory")
        guard try reader.number(UInt8.self) == Self.format else { throw reader.refusal }
        let count = try reader.count(of: BackupEntry.minimumBytes, limit: Self.maximumEntries)
        entries = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let entry = try BackupEntry(from: &reader)
            if let last = entries.last {
                guard last.name.lexicographicallyPrecedes(entry.name) else { throw reader.refusal }
            }
            entries.append(entry)
        }
        try reader.end()
    }
}
