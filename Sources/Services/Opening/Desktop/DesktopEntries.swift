import BatonCore
import BatonStore
import Foundation
import Glibc

/// Keeps the desktop's entries the same as what is installed. Blocks.
package struct DesktopEntries: Sendable {
    /// The key that says that an entry is ours: no other one is ever changed or removed.
    static let marker = "X-Baton-BundleIdentifier"
    private static let prefix = "baton-"
    private static let suffix = ".desktop"

    private let directory: String

    /// - Parameter directory: of the person's desktop entries; made if it is missing.
    package init(directory: String) { self.directory = directory }

    /// Writes the entries that are missing or differ, and removes ours of apps that are gone.
    /// - Returns: whether anything changed.
    @discardableResult
    package func update(_ entries: [DesktopEntry]) throws -> Bool {
        let manager = FileManager.default
        let ours = try existing()
        let wanted = Dictionary(
            entries.map { (Self.fileName($0.bundleID), $0.text) }, uniquingKeysWith: { first, _ in first })
        var isChanged = false
        for name in ours where wanted[name] == nil {
            try manager.removeItem(atPath: "\(directory)/\(name)")
            isChanged = true
        }
        guard !wanted.isEmpty else { return isChanged }
        try manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (name, text) in wanted.sorted(by: { $0.key < $1.key }) {
            let path = "\(directory)/\(name)"
            let old = try? AtomicFile.read(path, limit: 1 << 20)
            guard old != Array(text.utf8) else { continue }
            // A file of that name that somebody else wrote is left alone.
            if old != nil, !ours.contains(name) { continue }
            try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
            isChanged = true
        }
        return isChanged
    }

    /// Names of the files that carry our marker.
    private func existing() throws -> Set<String> {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return [] }
        return Set(
            names.filter { name in
                guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix),
                    let bytes = try? AtomicFile.read("\(directory)/\(name)", limit: 1 << 20)
                else { return false }
                return String(decoding: bytes, as: UTF8.self).contains("\n\(Self.marker)=")
            })
    }

    private static func fileName(_ bundleID: BundleID) -> String { prefix + bundleID.rawValue + suffix }
}
