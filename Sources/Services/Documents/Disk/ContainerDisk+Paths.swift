import FileSync

extension ContainerDisk {
    /// Below the container. Nil for what is in staging, and for names that are no text.
    func path(of place: LocalPlace) -> String? {
        var names = [place.name.bytes]
        var current = place.directory
        while current != rootHandle {
            guard current != stagingHandle, let above = places[current], names.count < Self.maximumDepth else {
                return nil
            }
            names.append(above.name.bytes)
            current = above.directory
        }
        return String(validating: Array(names.reversed().joined(separator: [0x2F])), as: UTF8.self)
    }

    func isPlaceholder(_ name: EntryName) -> Bool { PlaceholderName.original(of: name) != nil }
}
