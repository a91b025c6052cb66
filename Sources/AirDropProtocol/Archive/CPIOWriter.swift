package import BatonCore
import Files

/// Writes the headers of a cpio archive in the format odc, which is what AirDrop's senders write.
///
/// Owner, group, device and inode say something about the sender, so they are not written.
package struct CPIOWriter: Sendable {
    /// The largest file that eleven octal digits can announce: 8 GiB less one byte.
    package static let maximumFileSize: UInt64 = 0o777_7777_7777

    private var inode: UInt64 = 0

    package init() {}

    /// - Throws: `archive_file_too_large`; `internal` for a path that is empty, too long or has a NUL.
    package mutating func header(_ entry: ArchiveEntry) throws(BatonError) -> [UInt8] {
        guard entry.size <= Self.maximumFileSize else { throw Self.tooLarge(entry) }
        guard (1..<0o777777).contains(entry.path.count), !entry.path.contains(0) else {
            throw ArchiveError.misused("a path is empty, too long or has a NUL")
        }
        // Some readers take entries with equal numbers for one file.
        inode = inode % 0o777777 + 1
        let mode: UInt64 =
            switch entry.kind {
            case .file: CPIOFormat.fileKind | 0o644
            case .directory: CPIOFormat.directoryKind | 0o755
            case .symbolicLink: CPIOFormat.linkKind | 0o777
            }
        return Self.header(
            entry.path, mode: mode, inode: inode, modified: min(entry.modified, 0o777_7777_7777), size: entry.size)
    }

    /// For an entry with more than ``maximumFileSize``.
    package static func tooLarge(_ entry: ArchiveEntry) -> BatonError {
        BatonError(
            .outOfRange, reason: "archive_file_too_large",
            "“\(SafeName.display(entry.path))” is larger than 8 GiB, which AirDrop's archive cannot hold. Send it to a "
                + "device with Baton, or in parts.")
    }

    /// The archive's end.
    package static let trailer = header(CPIOFormat.trailer, mode: 0, inode: 0, modified: 0, size: 0)

    private static func header(
        _ path: [UInt8], mode: UInt64, inode: UInt64, modified: UInt64, size: UInt64
    ) -> [UInt8] {
        var bytes = Array("070707".utf8)
        let fields: [(UInt64, Int)] = [
            (0, 6), (inode, 6), (mode, 6), (0, 6), (0, 6), (1, 6), (0, 6), (modified, 11), (UInt64(path.count + 1), 6),
            (size, 11),
        ]
        for (value, width) in fields {
            let digits = String(value, radix: 8)
            bytes += Array(repeating: UInt8(ascii: "0"), count: max(0, width - digits.utf8.count)) + digits.utf8
        }
        return bytes + path + [0]
    }
}
