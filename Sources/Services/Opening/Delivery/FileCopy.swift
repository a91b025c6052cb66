import BatonCore
import Files
import Glibc

/// Copies a file as far as it has content. Blocks.
struct FileCopy {
    let source: Int32
    let target: OpenFile
    /// The source's, for people.
    let path: String
    /// Bytes of the disk that stay free.
    let reserve: UInt64

    /// `SEEK_DATA` and `SEEK_HOLE`, which Swift's import of the C library leaves out.
    private static let seekData: Int32 = 3
    private static let seekHole: Int32 = 4
    /// After so many bytes it is asked again whether there is room, and whether anybody waits for the copy.
    private static let partSize: Int64 = 4 << 20

    /// - Parameter size: no more is copied, so that a file to which a program goes on writing has an end.
    func run(size: Int64, isWanted: () -> Bool) throws(BatonError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer {
            // The device may be locked next, and then nothing of the content may be left in memory.
            if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
            buffer.deallocate()
        }
        var offset: Int64 = 0
        while offset < size {
            guard let data = nextData(from: offset) else { break }
            var end = min(Int64(lseek(source, off_t(data), Self.seekHole)), size)
            // Where the file system does not know, all is content.
            if end <= data { end = size }
            offset = data
            while offset < end {
                guard isWanted() else { throw Self.unwanted }
                let part = min(end - offset, Self.partSize)
                try checkRoom(for: part)
                let copied = try copy(from: offset, part, buffer)
                offset += copied
                // It has become shorter.
                guard copied == part else { return try setLength(offset) }
            }
        }
        try setLength(size)
    }

    /// - Returns: nil when nothing but a hole follows.
    private func nextData(from offset: Int64) -> Int64? {
        let data = lseek(source, off_t(offset), Self.seekData)
        return data >= 0 ? Int64(data) : errno == ENXIO ? nil : offset
    }

    /// - Returns: less than `count` at the end of the file.
    private func copy(
        from start: Int64, _ count: Int64, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(BatonError) -> Int64 {
        var done: Int64 = 0
        while done < count {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(Int64(buffer.count), count - done))])
            let read = try FileIO.read(source, into: part, at: UInt64(start + done)) { _ in Inbox.unreadable(path) }
            if read == 0 { return done }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<read])
            try FileIO.writeAll(bytes, to: target.descriptor, at: UInt64(start + done)) {
                FileFailure.error("write", target.path, errno: $0)
            }
            done += Int64(read)
        }
        return done
    }

    private func setLength(_ size: Int64) throws(BatonError) {
        guard ftruncate(target.descriptor, off_t(size)) == 0 else { throw FileFailure.error("write", target.path) }
    }

    private func checkRoom(for bytes: Int64) throws(BatonError) {
        var disk = statvfs()
        guard fstatvfs(target.descriptor, &disk) == 0 else { return }
        let (free, isMore) = UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
        guard !isMore, free < reserve || free - reserve < UInt64(bytes) else { return }
        throw BatonError(
            .resourceExhausted, reason: "disk_full",
            "There is too little room on the disk for a copy of “\(PrintableName.escaped(path))”. Make room, then try again."
        )
    }

    private static let unwanted = BatonError(
        .canceled, reason: "caller_gone", "The program that wanted the file opened has ended, so it was not copied.")
}
