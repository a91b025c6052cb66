/// Paths are compared by their bytes. Equal strings can be two names: a file system keeps “é” in both of its Unicode forms apart.
extension String {
    package func isPath(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The names on the way from a directory to this path; empty for the directory itself, nil for what is not in it.
    package func names(below directory: String) -> [[UInt8]]? {
        if isPath(directory) { return [] }
        let start = directory.utf8.last == 0x2F ? directory : directory + "/"
        guard utf8.starts(with: start.utf8) else { return nil }
        return utf8.dropFirst(start.utf8.count).split(separator: 0x2F).map { Array($0) }
    }
}

extension [String] {
    package func firstIndex(ofPath path: String) -> Int? { firstIndex { $0.isPath(path) } }

    package func contains(path: String) -> Bool { firstIndex(ofPath: path) != nil }
}
