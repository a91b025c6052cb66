import Glibc

/// The access list of a file, of which a backup keeps the mode alone.
enum AccessList {
    private static let attribute = Array("system.posix_acl_access".utf8)
    private static let version: [UInt8] = [2, 0, 0, 0]
    private static let group: UInt8 = 4
    private static let mask: UInt8 = 0x10

    /// With a list the bits of the group are the most that any of the named users and groups may do. Without it the group itself may do
    /// that, so it gets its own rights instead.
    static func mode(_ mode: UInt16, of node: FileNode) -> UInt16 {
        guard let list = node.attribute(attribute), let rights = groupRights(list) else { return mode }
        return mode & ~0o070 | rights << 3
    }

    /// - Parameter list: as the kernel encodes it: a version, then a tag (2 bytes, little-endian), rights (2) and an identifier (4) of each.
    static func groupRights(_ list: [UInt8]) -> UInt16? {
        guard list.count >= 4, (list.count - 4) % 8 == 0, list.prefix(4) == version[...] else { return nil }
        var own: UInt16?
        var most: UInt16 = 7
        for place in stride(from: 4, to: list.count, by: 8) where list[place + 1] == 0 {
            let rights = UInt16(list[place + 2]) & 7
            switch list[place] {
            case group: own = rights
            case mask: most = rights
            default: continue
            }
        }
        return own.map { $0 & most }
    }
}
