package import BatonCore

/// Reads a cpio archive as its bytes come, in the formats odc and newc. Memory is bounded by one path.
///
/// It says what the archive holds. Where that may go is ``ArchiveLayout``'s decision.
package struct CPIOReader: Sendable {
    private enum State: Sendable {
        case magic
        case header(CPIOFormat)
        case path(CPIOFormat, CPIOHeader)
        case data(CPIOFormat, remaining: UInt64, padding: Int)
        case padding(Int)
        /// After the last entry.
        case ended
    }

    /// Zero bytes after the last entry. Writers fill blocks of 512 to 10,240 bytes.
    private static let maximumPadding = 64 * 1024

    private let limits: ArchiveLimits
    private var state = State.magic
    /// Bytes of the magic, header or path that have come.
    private var pending: [UInt8] = []
    private var entries = 0
    private var bytes: UInt64 = 0
    private var padding = 0

    package init(limits: ArchiveLimits) { self.limits = limits }

    /// - Throws: `archive_damaged`, `archive_too_large`, `archive_special_file`, and what `sink` throws. The reader is of no
    ///   use then.
    package mutating func push(
        _ input: UnsafeRawBufferPointer, _ sink: (ArchiveEvent) throws(BatonError) -> Void
    ) throws(BatonError) {
        var rest = input[...]
        while !rest.isEmpty { try step(&rest, sink) }
    }

    /// The input is over.
    package func finish() throws(BatonError) {
        guard case .ended = state else { throw ArchiveError.damaged("the archive ends too early") }
    }

    private mutating func step(
        _ rest: inout Slice<UnsafeRawBufferPointer>, _ sink: (ArchiveEvent) throws(BatonError) -> Void
    ) throws(BatonError) {
        switch state {
        case .magic:
            guard collect(CPIOFormat.magicSize, &rest) else { return }
            state = .header(try CPIOFormat(magic: pending))
            pending = []
        case .header(let format):
            guard collect(format.headerSize, &rest) else { return }
            let header = try CPIOHeader(pending, format)
            pending = []
            guard (2...UInt64(limits.path)).contains(header.pathSize) else {
                throw ArchiveError.damaged("a path in the archive is empty or longer than \(limits.path) bytes")
            }
            state = .path(format, header)
        case .path(let format, let header):
            let whole = UInt64(CPIOFormat.magicSize + format.headerSize) + header.pathSize
            guard collect(Int(header.pathSize) + format.padding(after: whole), &rest) else { return }
            let path = Array(pending.prefix(Int(header.pathSize)))
            pending = []
            try begin(path, header, format, sink)
        case .data(let format, let remaining, let padding):
            let count = min(UInt64(rest.count), remaining)
            try sink(.data(UnsafeRawBufferPointer(rebasing: rest.prefix(Int(count)))))
            rest = rest.dropFirst(Int(count))
            if count < remaining {
                state = .data(format, remaining: remaining - count, padding: padding)
            } else {
                try end(format, padding: padding, sink)
            }
        case .padding(let count):
            guard collect(count, &rest) else { return }
            pending = []
            state = .magic
        case .ended:
            padding += rest.count
            guard padding <= Self.maximumPadding, rest.allSatisfy({ $0 == 0 }) else {
                throw ArchiveError.damaged("something comes after the archive's end")
            }
            rest = rest.suffix(0)
        }
    }

    /// - Returns: whether all `count` bytes are there.
    private mutating func collect(_ count: Int, _ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let part = rest.prefix(count - pending.count)
        pending += part
        rest = rest.dropFirst(part.count)
        return pending.count == count
    }

    private mutating func begin(
        _ terminated: [UInt8], _ header: CPIOHeader, _ format: CPIOFormat,
        _ sink: (ArchiveEvent) throws(BatonError) -> Void
    ) throws(BatonError) {
        guard terminated.firstIndex(of: 0) == terminated.count - 1 else {
            throw ArchiveError.damaged("a path in the archive has not its end where it says")
        }
        let path = Array(terminated.dropLast())
        if path == CPIOFormat.trailer {
            guard header.size == 0 else { throw ArchiveError.damaged("the archive's end has data") }
            state = .ended
            return try sink(.end)
        }
        entries += 1
        guard entries <= limits.entries else {
            throw ArchiveError.tooLarge("it has more than \(limits.entries) files and folders")
        }
        let kind = try header.kind(path)
        guard kind != .directory || header.size == 0 else { throw ArchiveError.damaged("a folder has data of its own") }
        // Before a byte of it is written.
        guard header.size <= limits.bytes - bytes else {
            throw ArchiveError.tooLarge("it has more than \(ByteSize.text(limits.bytes))")
        }
        bytes += header.size
        try sink(
            .entry(
                ArchiveEntry(
                    path: path, kind: kind, size: header.size, modified: header.modified, links: header.links,
                    device: header.device, inode: header.inode)))
        let padding = format.padding(after: header.size)
        if header.size > 0 {
            state = .data(format, remaining: header.size, padding: padding)
        } else {
            try end(format, padding: padding, sink)
        }
    }

    private mutating func end(
        _ format: CPIOFormat, padding: Int, _ sink: (ArchiveEvent) throws(BatonError) -> Void
    ) throws(BatonError) {
        state = padding == 0 ? .magic : .padding(padding)
        try sink(.endOfEntry)
    }
}
