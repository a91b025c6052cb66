/// The names that a file system permits.
package struct FileSystemTraits: Hashable, Sendable {
    /// `f` and `F` are one name.
    package var foldsCase: Bool
    /// Two spellings of one text in Unicode are one name.
    package var foldsForms: Bool
    package var maximumBytes: Int
    /// Names must be UTF-8, without control characters and `< > : " \ | ? *`, without a dot or space at the end, and not those
    /// of devices: FAT, exFAT, NTFS, and what is shared with other systems.
    package var isPortable: Bool
    /// Names in the top directory that are Baton's own.
    package var reservedAtRoot: Set<EntryName>

    package init(
        foldsCase: Bool = false, foldsForms: Bool = false, maximumBytes: Int = 255, isPortable: Bool = false,
        reservedAtRoot: Set<EntryName> = []
    ) {
        self.foldsCase = foldsCase
        self.foldsForms = foldsForms
        self.maximumBytes = maximumBytes
        self.isPortable = isPortable
        self.reservedAtRoot = reservedAtRoot
    }

    /// Equal for names that the file system cannot hold beside each other.
    package func key(of name: EntryName) -> NameKey {
        if !foldsCase, !foldsForms { return .bytes(name) }
        let text = String(decoding: name.bytes, as: UTF8.self)
        // Texts are equal in whatever form of Unicode.
        return .text(foldsCase ? text.lowercased() : text)
    }
}

package enum NameKey: Hashable, Sendable {
    case bytes(EntryName)
    case text(String)
}
