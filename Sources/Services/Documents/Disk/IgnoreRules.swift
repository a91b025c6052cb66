/// Names that are no documents, and stay on the device where they are: what programs put beside a file while they write it, and
/// what only one system understands. What is synced already stays so under any name.
enum IgnoreRules {
    private static let names: Set<[UInt8]> = Set(
        [".DS_Store", ".localized", ".Trash", "desktop.ini", "Thumbs.db"].map { Array($0.utf8) })
    /// Files of editors, of Foundation's atomic writes, and of file systems for files that are deleted and still open.
    private static let prefixes = [".goutputstream-", ".dat.nosync", ".nfs", ".fuse_hidden", ".#", "~$", ".~lock."]
        .map { Array($0.utf8) }
    private static let suffixes = [".nosync", ".swp", ".swx", ".crdownload", ".part", "-shm"].map { Array($0.utf8) }

    /// What apps of this system write beside a document before they put it in its place, and what was there a moment after. It is
    /// never shown, whatever is known of it.
    private static let temporary = Array(".baton-save-".utf8)

    static func isTemporary(_ name: [UInt8]) -> Bool {
        name.starts(with: temporary) || name == folderMark || name == reverted
    }

    /// In a folder that only receives: what a person did there and undid.
    static let revertedName = ".baton-reverted"
    private static let reverted = Array(revertedName.utf8)

    /// In a folder of the person, where it is: whoever mounts something else there has no folder, and staging is on its disk.
    static let folderMarkName = ".baton-folder"
    private static let folderMark = Array(folderMarkName.utf8)

    static func ignores(_ name: [UInt8]) -> Bool {
        names.contains(name) || prefixes.contains { name.starts(with: $0) }
            || suffixes.contains { name.count > $0.count && name.suffix($0.count).elementsEqual($0) }
    }
}
