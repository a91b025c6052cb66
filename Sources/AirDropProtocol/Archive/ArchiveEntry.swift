/// The header of one entry of a cpio archive.
package struct ArchiveEntry: Hashable, Sendable {
    package enum Kind: Sendable {
        case file
        case directory
        /// Its data is the path that it points to.
        case symbolicLink
    }

    /// As it is in the archive, without the NUL.
    package var path: [UInt8]
    package var kind: Kind
    /// Bytes of data that follow.
    package var size: UInt64
    /// Seconds since 1970.
    package var modified: UInt64
    /// Names that the file had at the sender's, and what makes two entries the same file there.
    package var links: UInt64
    package var device: UInt64
    package var inode: UInt64

    package init(path: [UInt8], kind: Kind, size: UInt64 = 0, modified: UInt64 = 0) {
        self.path = path
        self.kind = kind
        self.size = size
        self.modified = modified
        links = 1
        device = 0
        inode = 0
    }

    init(
        path: [UInt8], kind: Kind, size: UInt64, modified: UInt64, links: UInt64, device: UInt64, inode: UInt64
    ) {
        self.init(path: path, kind: kind, size: size, modified: modified)
        self.links = links
        self.device = device
        self.inode = inode
    }
}
