/// The name that an entry gets on this disk, where that cannot have the name that all devices share.
package enum LocalName {
    /// The substitute for characters that the file system does not allow.
    private static let substitute = UInt8(ascii: "_")
    private static let forbidden = Set("<>:\"\\|?*".utf8)
    private static let devices = Set(
        ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

    /// - Parameters:
    ///   - isPlaceholder: the content is not here, and a placeholder stands for it.
    ///   - isTaken: whether another entry of the directory has a name that the file system takes for this one.
    /// - Returns: the shared name where that can be. Otherwise a safe one with a part of the identifier, the same each time.
    package static func name(
        for name: EntryName, id: EntryID, isPlaceholder: Bool, isAtRoot: Bool, traits: FileSystemTraits,
        isTaken: (EntryName) -> Bool
    ) -> EntryName {
        let safe = safe(name, traits: traits)
        let isReserved = isAtRoot && traits.reservedAtRoot.contains(safe)
        let isShort = safe.bytes.count <= traits.maximumBytes - (isPlaceholder ? PlaceholderName.additionalBytes : 0)
        if isShort, !isReserved {
            let wanted = isPlaceholder ? PlaceholderName.placeholder(for: safe) : safe
            if !isTaken(wanted) { return wanted }
        }
        for length in [6, 32] {
            let marked = marked(safe, id: id, length: length, isPlaceholder: isPlaceholder, traits: traits)
            let wanted = isPlaceholder ? PlaceholderName.placeholder(for: marked) : marked
            if length == 32 || !isTaken(wanted) { return wanted }
        }
        return safe
    }

    private static func marked(
        _ name: EntryName, id: EntryID, length: Int, isPlaceholder: Bool, traits: FileSystemTraits
    ) -> EntryName {
        let split = name.extensionStart
        let mark = Array("~\(id.description.suffix(length))".utf8)
        let ending = Array(name.bytes[split...])
        let added = isPlaceholder ? PlaceholderName.additionalBytes : 0
        let room = traits.maximumBytes - mark.count - ending.count - added
        return EntryName(unchecked: ConflictName.cut(Array(name.bytes[..<split]), to: max(room, 1)) + mark + ending)
    }

    private static func safe(_ name: EntryName, traits: FileSystemTraits) -> EntryName {
        guard traits.isPortable else { return name }
        var bytes = name.bytes.map { $0 < 0x20 || $0 == 0x7F || forbidden.contains($0) ? substitute : $0 }
        if String(validating: bytes, as: UTF8.self) == nil { bytes = bytes.map { $0 < 0x80 ? $0 : substitute } }
        if let last = bytes.last, last == 0x2E || last == 0x20 { bytes[bytes.count - 1] = substitute }
        let stem = String(decoding: bytes.prefix { $0 != 0x2E }, as: UTF8.self).lowercased()
        if devices.contains(stem) { bytes.insert(substitute, at: 0) }
        return EntryName(unchecked: bytes)
    }
}
