import FileSync

extension ContainerDisk {
    /// Below the container. Nil for what is in staging, and for names that are no text.
    func path(of place: LocalPlace) -> String? { bytes(of: place).flatMap { String(validating: $0, as: UTF8.self) } }

    /// Below the container. Nil for what is in staging.
    func bytes(of place: LocalPlace) -> [UInt8]? {
        var names = [place.name.bytes]
        var current = place.directory
        while current != rootHandle {
            guard current != stagingHandle, let above = places[current], names.count < Self.maximumDepth else {
                return nil
            }
            names.append(above.name.bytes)
            current = above.directory
        }
        return Array(names.reversed().joined(separator: [0x2F]))
    }

    func isPlaceholder(_ name: EntryName) -> Bool { PlaceholderName.original(of: name) != nil }

    /// Whether a file of which nothing is known is a placeholder that a person copied, under any name: its few bytes are no document.
    func isCopiedPlaceholder(_ node: DiskNode, _ directory: OpenNode, _ name: [UInt8]) -> Bool {
        hasLengthOfPlaceholder(node) && placeholder(directory, name) != nil
    }

    func hasLengthOfPlaceholder(_ node: DiskNode) -> Bool {
        node.kind == .file && PlaceholderText.lengths.contains(node.fingerprint.size)
    }

    /// The entry that a file stands for by its bytes.
    func placeholder(_ directory: OpenNode, _ name: [UInt8]) -> EntryID? {
        guard
            let file = try? OpenNode(
                QuietOpening.open(directory.number, name.map { CChar(bitPattern: $0) } + [0]), "open a file"),
            let bytes = Self.read(file, limit: PlaceholderText.maximumBytes + 1)
        else { return nil }
        return PlaceholderText.entry(of: bytes)
    }
}
