/// Names that are not documents, and stay on the device where they are: files that programs put beside a file while they write
/// it, and files that only one system understands, or one file system. Files that are synced already stay so under any name.
enum IgnoreRules {
    private static let names: Set<[UInt8]> = Set(
        [".DS_Store", ".localized", ".Trash", "desktop.ini", lostAndFoundName, "Thumbs.db"].map { Array($0.utf8) })
    /// Files of editors, of Foundation's atomic writes, and of file systems for files that are deleted and still open.
    private static let prefixes = [".goutputstream-", ".dat.nosync", ".nfs", ".fuse_hidden", ".#", "~$", ".~lock."]
        .map { Array($0.utf8) }
    private static let suffixes = [".nosync", ".swp", ".swx", ".crdownload", ".part", "-shm"].map { Array($0.utf8) }

    /// Files that apps of this system write beside a document before they put it in its place, and the replaced ones. They are
    /// never shown, whatever is known of it.
    private static let temporary = Array(".baton-save-".utf8)

    static func isTemporary(_ name: [UInt8]) -> Bool {
        name.starts(with: temporary) || name == folderMark || name == reverted
    }

    /// In the root of a disk: files without a name that a check of the disk found. Only the administrator may read it.
    static let lostAndFoundName = "lost+found"

    /// In a folder that only receives: what a person did there and undid.
    static let revertedName = ".baton-reverted"
    private static let reverted = Array(revertedName.utf8)

    /// In a folder of the person, where it is: with another disk mounted there the folder is away, and staging is on its disk.
    static let folderMarkName = ".baton-folder"
    private static let folderMark = Array(folderMarkName.utf8)

    /// The bin of file managers on a disk, before the number of its user.
    private static let bin = Array(".Trash-".utf8)
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    static func ignores(_ name: [UInt8]) -> Bool {
        names.contains(name) || isBin(name) || prefixes.contains { name.starts(with: $0) }
            || suffixes.contains { name.count > $0.count && name.suffix($0.count).elementsEqual($0) }
    }

    private static func isBin(_ name: [UInt8]) -> Bool {
        name.count > bin.count && name.starts(with: bin) && name.dropFirst(bin.count).allSatisfy(digits.contains)
    }
}
