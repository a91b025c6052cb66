import CLinux

/// When a file was made on this device: a placeholder, too, whose content replaces it without being another file.
enum FileBirth {
    /// - Returns: nanoseconds since 1970; 0 where the file is not here, or its file system does not know.
    static func time(_ path: String) -> Int64 {
        var values = [Int64](repeating: 0, count: 8)
        guard path.hasPrefix("/"), baton_status(-100, path, &values) == 0 else { return 0 }
        return max(0, values[7])
    }
}
