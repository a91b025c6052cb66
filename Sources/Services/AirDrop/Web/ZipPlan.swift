import BatonCore
import Foundation
import Transfers

/// A ZIP archive of one folder, whose size is known before a byte of it is read: nothing is compressed.
///
/// Sizes of 4 GiB and more are written as ZIP64 has them, then for every entry.
struct ZipPlan: Sendable {
    struct Entry: Sendable {
        /// In the archive; that of a folder ends with “/”.
        var name: [UInt8]
        /// The file on this device; empty for a folder.
        var path: String
        var size: UInt64
        /// Milliseconds since 1970.
        var modified: UInt64
        var isExecutable: Bool
        /// Where its header begins.
        var offset: UInt64 = 0

        var isFolder: Bool { path.isEmpty }
    }

    let entries: [Entry]
    let isLarge: Bool
    /// Bytes of the whole archive.
    let size: UInt64
    /// Where the directory at its end begins.
    let directory: UInt64

    /// - Parameter folder: the name of a folder among the items.
    init(_ items: LocalItems, folder: String) throws(BatonError) {
        var entries: [Entry] = []
        for (entry, path) in zip(items.manifest.entries, items.paths)
        where entry.path == folder || entry.path.hasPrefix(folder + "/") {
            let isFolder = entry.kind == .directory
            entries.append(
                Entry(
                    name: Array((entry.path + (isFolder ? "/" : "")).utf8), path: isFolder ? "" : path,
                    size: entry.size, modified: entry.modified, isExecutable: entry.isExecutable))
        }
        guard entries.count < 0xFFFF else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_files", "The folder has too many files to be packed.")
        }
        // With what the headers take at most.
        let bytes = entries.reduce(UInt64(0)) { $0 + $1.size + 2 * UInt64($1.name.count) + 200 }
        let isLarge = bytes >= 0xFFFF_FFFF
        var offset: UInt64 = 0
        for index in entries.indices {
            entries[index].offset = offset
            offset += UInt64(ZipHeaders.localSize(entries[index], isLarge)) + entries[index].size
        }
        let headers = entries.reduce(0) { $0 + ZipHeaders.centralSize($1, isLarge) }
        self.entries = entries
        self.isLarge = isLarge
        directory = offset
        size = offset + UInt64(headers) + UInt64(ZipHeaders.endSize(isLarge))
    }
}

/// The headers of a ZIP archive (APPNOTE.TXT 6.3.10).
enum ZipHeaders {
    private static let timestampSize = 9

    static func localSize(_ entry: ZipPlan.Entry, _ isLarge: Bool) -> Int {
        30 + entry.name.count + timestampSize + (isLarge ? 20 : 0)
    }
    static func centralSize(_ entry: ZipPlan.Entry, _ isLarge: Bool) -> Int {
        46 + entry.name.count + timestampSize + (isLarge ? 28 : 0)
    }
    static func endSize(_ isLarge: Bool) -> Int { 22 + (isLarge ? 56 + 20 : 0) }

    static func local(_ entry: ZipPlan.Entry, _ checksum: UInt32, _ isLarge: Bool) -> [UInt8] {
        var bytes = LittleEndian()
        bytes.add(UInt32(0x0403_4B50))
        bytes.add(UInt16(isLarge ? 45 : 20))
        addCommon(entry, checksum, isLarge, &bytes)
        bytes.add(UInt16(timestampSize + (isLarge ? 20 : 0)))
        bytes.bytes += entry.name
        addTimestamp(entry, &bytes)
        if isLarge {
            bytes.add(UInt16(1))
            bytes.add(UInt16(16))
            bytes.add(entry.size)
            bytes.add(entry.size)
        }
        return bytes.bytes
    }

    static func central(_ entry: ZipPlan.Entry, _ checksum: UInt32, _ isLarge: Bool) -> [UInt8] {
        var bytes = LittleEndian()
        bytes.add(UInt32(0x0201_4B50))
        // Made on Unix, so that the mode counts.
        bytes.add(UInt16(3 << 8 | (isLarge ? 45 : 20)))
        bytes.add(UInt16(isLarge ? 45 : 20))
        addCommon(entry, checksum, isLarge, &bytes)
        bytes.add(UInt16(timestampSize + (isLarge ? 28 : 0)))
        bytes.add(UInt16(0))
        bytes.add(UInt16(0))
        bytes.add(UInt16(0))
        let mode: UInt32 = entry.isFolder ? 0o040755 : entry.isExecutable ? 0o100755 : 0o100644
        bytes.add(mode << 16 | (entry.isFolder ? 0x10 : 0))
        bytes.add(isLarge ? .max : UInt32(clamping: entry.offset))
        bytes.bytes += entry.name
        addTimestamp(entry, &bytes)
        if isLarge {
            bytes.add(UInt16(1))
            bytes.add(UInt16(24))
            bytes.add(entry.size)
            bytes.add(entry.size)
            bytes.add(entry.offset)
        }
        return bytes.bytes
    }

    static func end(_ plan: ZipPlan) -> [UInt8] {
        let count = plan.entries.count
        let size = plan.size - plan.directory - UInt64(endSize(plan.isLarge))
        var bytes = LittleEndian()
        if plan.isLarge {
            bytes.add(UInt32(0x0606_4B50))
            bytes.add(UInt64(44))
            bytes.add(UInt16(3 << 8 | 45))
            bytes.add(UInt16(45))
            bytes.add(UInt32(0))
            bytes.add(UInt32(0))
            bytes.add(UInt64(count))
            bytes.add(UInt64(count))
            bytes.add(size)
            bytes.add(plan.directory)
            bytes.add(UInt32(0x0706_4B50))
            bytes.add(UInt32(0))
            bytes.add(plan.directory + size)
            bytes.add(UInt32(1))
        }
        bytes.add(UInt32(0x0605_4B50))
        bytes.add(UInt16(0))
        bytes.add(UInt16(0))
        bytes.add(UInt16(count))
        bytes.add(UInt16(count))
        bytes.add(plan.isLarge ? .max : UInt32(clamping: size))
        bytes.add(plan.isLarge ? .max : UInt32(clamping: plan.directory))
        bytes.add(UInt16(0))
        return bytes.bytes
    }

    /// Flags, method, time, checksum, sizes and the name's length: the same in both headers.
    private static func addCommon(
        _ entry: ZipPlan.Entry, _ checksum: UInt32, _ isLarge: Bool, _ bytes: inout LittleEndian
    ) {
        // Names are UTF-8, nothing is compressed.
        bytes.add(UInt16(1 << 11))
        bytes.add(UInt16(0))
        let (date, time) = dosTime(entry.modified)
        bytes.add(time)
        bytes.add(date)
        bytes.add(checksum)
        let size: UInt32 = isLarge ? .max : UInt32(clamping: entry.size)
        bytes.add(size)
        bytes.add(size)
        bytes.add(UInt16(clamping: entry.name.count))
    }

    private static func addTimestamp(_ entry: ZipPlan.Entry, _ bytes: inout LittleEndian) {
        bytes.add(UInt16(0x5455))
        bytes.add(UInt16(5))
        bytes.bytes.append(1)
        bytes.add(UInt32(clamping: entry.modified / 1000))
    }

    /// In local time, which old programs expect; from 1980 on.
    private static func dosTime(_ milliseconds: UInt64) -> (date: UInt16, time: UInt16) {
        var seconds = time_t(clamping: milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        guard (80...207).contains(parts.tm_year) else { return (1 << 5 | 1, 0) }
        let date = (parts.tm_year - 80) << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday
        return (UInt16(clamping: date), UInt16(clamping: parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2))
    }
}

private struct LittleEndian {
    var bytes: [UInt8] = []

    mutating func add<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
