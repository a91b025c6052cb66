/// Keeps the desktop's entries the same as what is installed. Blocks.
package struct DesktopEntries: Sendable {
    private let files: MarkedFiles

    /// - Parameter directory: of the person's desktop entries; made if it is missing.
    package init(directory: String) { files = MarkedFiles(directory: directory, suffix: ".desktop") }

    /// Writes the entries that are missing or differ, and removes ours of apps that are gone.
    /// - Returns: whether anything changed.
    @discardableResult
    package func update(_ entries: [DesktopEntry]) throws -> Bool {
        try files.update(
            Dictionary(entries.map { ($0.fileName, $0.text) }, uniquingKeysWith: { first, _ in first }))
    }
}
