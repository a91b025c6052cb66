import Glibc

/// Paths without links, as the kernel has them. Every function blocks.
package enum RealPath {
    /// - Returns: nil when the path leads to nothing that can be reached; `errno` says why.
    package static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Resolves as much of an absolute path as exists.
    package static func resolvedAsFarAsItExists(_ path: String) -> String {
        var existing = path
        var rest: [String] = []
        while existing != "/", !existing.isEmpty {
            if let real = resolved(existing) {
                return ([real] + rest.reversed()).joined(separator: "/").replacing("//", with: "/")
            }
            guard let slash = existing.lastIndex(of: "/") else { break }
            rest.append(String(existing[existing.index(after: slash)...]))
            existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
        }
        return "/" + rest.reversed().joined(separator: "/")
    }
}
