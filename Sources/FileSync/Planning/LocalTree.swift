/// Names a file on this disk for as long as it exists, wherever it is: the handle of the file system, with its generation.
package struct LocalHandle: Hashable, Comparable, Sendable {
    package var bytes: ByteString

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = ByteString(bytes) }

    package static func < (left: Self, right: Self) -> Bool { left.bytes < right.bytes }

    /// No file system's handles begin so.
    private static let linkMark: UInt8 = 0xFD

    /// One of the names of a file that has several.
    package init(linkOf file: LocalHandle, in directory: LocalHandle, name: [UInt8]) {
        let (own, parent) = (file.bytes.bytes, directory.bytes.bytes)
        self.init(
            [Self.linkMark, UInt8(clamping: own.count)] + own + [UInt8(clamping: parent.count)] + parent + name)
    }

    /// The file's own handle, where this is one of a file's names. A step that moves it gives it another name.
    package var file: LocalHandle {
        let bytes = bytes.bytes
        guard bytes.count > 2, bytes[0] == Self.linkMark, bytes[1] >= 4, bytes.count > 3 + Int(bytes[1]) else {
            return self
        }
        return LocalHandle(bytes.dropFirst(2).prefix(Int(bytes[1])))
    }
}

/// Changes whenever a file's content may have changed. All zeros for directories, whose content is their entries.
package struct Fingerprint: Hashable, Sendable {
    package var size: UInt64
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// When the file system changed it last, in nanoseconds since 1970.
    package var changed: Int64

    package init(size: UInt64, modified: Int64, changed: Int64) {
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// The system's own time, which a rename changes too, aside.
    package func hasSameTimeAndSize(as other: Fingerprint) -> Bool { size == other.size && modified == other.modified }

    package static let directory = Fingerprint(size: 0, modified: 0, changed: 0)
}

/// Where something is on the disk.
package struct LocalPlace: Hashable, Sendable {
    package var directory: LocalHandle
    package var name: EntryName

    package init(directory: LocalHandle, name: EntryName) {
        self.directory = directory
        self.name = name
    }
}

/// The contents of a directory.
package struct LocalNode: Hashable, Sendable {
    package var handle: LocalHandle
    package var kind: EntryKind
    package var name: EntryName
    package var fingerprint: Fingerprint
    /// Mode and attributes.
    package var metadata: [MetadataKey: ByteString]

    package init(
        handle: LocalHandle, kind: EntryKind, name: EntryName, fingerprint: Fingerprint,
        metadata: [MetadataKey: ByteString] = [:]
    ) {
        self.handle = handle
        self.kind = kind
        self.name = name
        self.fingerprint = fingerprint
        self.metadata = metadata
    }
}

/// A look at the disk.
///
/// Directories that are listed were read to their ends without an error, parents before what is in them. A directory that is new
/// is listed together with the one that it is in. Ignored names are left out.
package struct LocalScan: Sendable {
    package var listings: [(directory: LocalHandle, nodes: [LocalNode])]
    /// All directories are listed, and the root is the same object on the same mount as ever. Only then is what is missing
    /// believed to be deleted.
    package var isComplete: Bool
    /// By where something was renamed to since the last look at everything: where it was before, the last place last. As far as that
    /// is known.
    package var moves: [LocalPlace: [LocalPlace]]
    /// The entry whose placeholder a file is a copy of, by its bytes. A placeholder that was written anew, with its own text, is among
    /// them; those that are as they were known are not.
    package var copies: [LocalHandle: EntryID]

    package init(
        listings: [(directory: LocalHandle, nodes: [LocalNode])], isComplete: Bool,
        moves: [LocalPlace: [LocalPlace]] = [:], copies: [LocalHandle: EntryID] = [:]
    ) {
        self.copies = copies
        self.listings = listings
        self.isComplete = isComplete
        self.moves = moves
    }
}

/// The service's findings in a file at rest.
package struct LocalContent: Hashable, Sendable {
    package var size: UInt64
    package var hash: ContentHash
    package var body: ContentBody

    package init(size: UInt64, hash: ContentHash, body: ContentBody) {
        self.size = size
        self.hash = hash
        self.body = body
    }
}
