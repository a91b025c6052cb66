import FileSync

extension FileNode {
    /// Whether a file of this directory stands for a document whose contents are on other devices alone.
    func isPlaceholder(_ name: [UInt8], _ status: NodeStatus) -> Bool {
        guard status.kind == .file, status.size <= UInt64(PlaceholderText.maximumBytes),
            let name = try? EntryName(name), PlaceholderName.original(of: name) != nil,
            let file = try? child(name.bytes, isDirectory: false),
            let bytes = try? file.bytes(count: PlaceholderText.maximumBytes + 1)
        else { return false }
        return PlaceholderText.matches(bytes)
    }
}
