import Files
import Foundation

/// A folder in which some files are ours: those that carry a marker. No other one is ever changed or removed. Blocks.
struct MarkedFiles: Sendable {
    /// The key by which an entry is known as ours.
    static let marker = "X-Baton-BundleIdentifier"
    private static let maximumSize = 1 << 20

    let directory: String
    /// The suffix of every file that may be ours, as in `.desktop`.
    let suffix: String

    /// Writes the files that are missing or differ, and removes ours that are not wanted any more.
    /// - Parameter wanted: texts by name.
    /// - Returns: whether anything changed.
    @discardableResult
    func update(_ wanted: [String: String]) throws -> Bool {
        let manager = FileManager.default
        let ours = existing()
        var isChanged = false
        for name in ours where wanted[name] == nil {
            try manager.removeItem(atPath: "\(directory)/\(name)")
            isChanged = true
        }
        guard !wanted.isEmpty else { return isChanged }
        try manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (name, text) in wanted.sorted(by: { $0.key < $1.key }) {
            let path = "\(directory)/\(name)"
            let old = try? AtomicFile.read(path, limit: Self.maximumSize)
            guard old != Array(text.utf8) else { continue }
            // A file of that name that somebody else wrote is left alone.
            if !ours.contains(name), manager.fileExists(atPath: path) { continue }
            try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
            isChanged = true
        }
        return isChanged
    }

    private func existing() -> Set<String> {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return [] }
        return Set(
            names.filter { name in
                guard name.hasSuffix(suffix),
                    let bytes = try? AtomicFile.read("\(directory)/\(name)", limit: Self.maximumSize)
                else { return false }
                return String(decoding: bytes, as: UTF8.self).contains("\n\(Self.marker)=")
            })
    }
}
