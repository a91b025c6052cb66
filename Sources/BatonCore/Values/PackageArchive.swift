/// A package, a directory that is one document, as one sequence of bytes: its files, folders and links in the order of their paths.
///
/// `BPK1`, then for each item kind (1) ‖ length of the path (2) ‖ path ‖ mode (2) ‖ modified, in nanoseconds since 1970 (8) ‖ size (8)
/// ‖ that many bytes; then a zero. Numbers are big-endian. The same tree gives the same bytes on every device.
package enum PackageArchive {
    package enum Kind: UInt8, Hashable, Sendable {
        case directory = 1
        case file = 2
        case symbolicLink = 3
    }

    /// Something in a package, before its bytes: those of a file, or the target of a link.
    package struct Item: Hashable, Sendable {
        package var kind: Kind
        /// Below the package: names with slashes between them. Its directory comes before it.
        package var path: [UInt8]
        /// The nine bits of permission; 0 for a link.
        package var mode: UInt16
        /// Nanoseconds since 1970; 0 for directories and links.
        package var modified: Int64
        package var size: UInt64

        package init(_ kind: Kind, _ path: [UInt8], mode: UInt16 = 0, modified: Int64 = 0, size: UInt64 = 0) {
            self.kind = kind
            self.path = path
            self.mode = mode
            self.modified = modified
            self.size = size
        }

        package var header: [UInt8] {
            var bytes = [kind.rawValue]
            bytes += PackageArchive.bigEndian(UInt16(clamping: path.count))
            bytes += path
            bytes += PackageArchive.bigEndian(mode)
            bytes += PackageArchive.bigEndian(UInt64(bitPattern: modified))
            return bytes + PackageArchive.bigEndian(size)
        }
    }

    package static let beginning = Array("BPK1".utf8)
    package static let end: [UInt8] = [0]
    /// The most items of one package. Policy.
    package static let maximumItems = 100_000
    package static let maximumPath = 4096
    package static let maximumTarget: UInt64 = 4095

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    package static let refusal = BatonError(
        .invalidArgument, reason: "bad_package",
        "A package is malformed and was refused. Update Baton on the device that wrote it.")
}

/// Takes an archive apart, however it is cut into pieces.
package struct PackageParser: Sendable {
    package enum Event: Hashable, Sendable {
        case item(PackageArchive.Item)
        /// The bytes of the item before.
        case bytes([UInt8])
        /// All bytes of the item were reported.
        case itemEnd
    }

    private enum Phase: Hashable { case beginning, header, content, end }

    private var phase = Phase.beginning
    private var waiting: [UInt8] = []
    private var rest: UInt64 = 0
    private var count = 0
    private var directories: Set<[UInt8]> = []
    private var last: [UInt8] = []

    package init() {}

    /// - Throws: `invalid_argument` (`bad_package`) for what no device writes: paths that lead out, come twice, or in another
    ///   order.
    package mutating func take(_ piece: [UInt8]) throws(BatonError) -> [Event] {
        var events: [Event] = []
        waiting += piece
        var position = 0
        while true {
            let left = waiting.count - position
            switch phase {
            case .beginning:
                guard left >= PackageArchive.beginning.count else { return keep(position, events) }
                guard waiting[position..<position + 4].elementsEqual(PackageArchive.beginning) else {
                    throw PackageArchive.refusal
                }
                (position, phase) = (position + 4, .header)
            case .header:
                guard let (item, length) = try item(at: position) else { return keep(position, events) }
                position += length
                guard let item else {
                    phase = .end
                    continue
                }
                try check(item)
                events.append(.item(item))
                (rest, phase) = (item.size, .content)
            case .content:
                let part = Int(min(UInt64(left), rest))
                if part > 0 { events.append(.bytes(Array(waiting[position..<position + part]))) }
                position += part
                rest -= UInt64(part)
                guard rest == 0 else { return keep(position, events) }
                events.append(.itemEnd)
                phase = .header
            case .end:
                guard left == 0 else { throw PackageArchive.refusal }
                return keep(position, events)
            }
        }
    }

    private mutating func keep(_ position: Int, _ events: [Event]) -> [Event] {
        waiting.removeFirst(position)
        return events
    }

    /// After the last piece.
    package func finish() throws(BatonError) { guard phase == .end else { throw PackageArchive.refusal } }

    /// - Returns: nil while it is not all there; without an item for the end.
    private func item(at start: Int) throws(BatonError) -> (item: PackageArchive.Item?, length: Int)? {
        guard start < waiting.count else { return nil }
        guard waiting[start] != 0 else { return (nil, 1) }
        guard let kind = PackageArchive.Kind(rawValue: waiting[start]) else { throw PackageArchive.refusal }
        guard start + 3 <= waiting.count else { return nil }
        let pathLength = Int(number(start + 1, 2))
        guard (1...PackageArchive.maximumPath).contains(pathLength) else { throw PackageArchive.refusal }
        let length = 3 + pathLength + 18
        guard start + length <= waiting.count else { return nil }
        let path = Array(waiting[start + 3..<start + 3 + pathLength])
        let next = start + 3 + pathLength
        return (
            PackageArchive.Item(
                kind, path, mode: UInt16(truncatingIfNeeded: number(next, 2)),
                modified: Int64(bitPattern: number(next + 2, 8)), size: number(next + 10, 8)), length
        )
    }

    private func number(_ start: Int, _ count: Int) -> UInt64 {
        waiting[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func check(_ item: PackageArchive.Item) throws(BatonError) {
        count += 1
        let names = item.path.split(separator: 0x2F, omittingEmptySubsequences: false)
        let isSafe = names.allSatisfy { name in
            (1...255).contains(name.count) && !name.elementsEqual([0x2E]) && !name.elementsEqual([0x2E, 0x2E])
                && !name.contains(0)
        }
        let parent = Array(item.path.prefix(item.path.lastIndex(of: 0x2F) ?? 0))
        guard count <= PackageArchive.maximumItems, isSafe, names.count <= 64, item.mode <= 0o777,
            parent.isEmpty || directories.contains(parent), last.isEmpty || last.lexicographicallyPrecedes(item.path)
        else { throw PackageArchive.refusal }
        last = item.path
        switch item.kind {
        case .directory:
            guard item.size == 0 else { throw PackageArchive.refusal }
            directories.insert(item.path)
        case .symbolicLink:
            guard (1...PackageArchive.maximumTarget).contains(item.size) else { throw PackageArchive.refusal }
        case .file: guard item.size <= UInt64(Int64.max) else { throw PackageArchive.refusal }
        }
    }
}
