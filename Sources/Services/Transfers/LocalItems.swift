import AirDropProtocol
package import BatonCore
import Foundation
import Glibc

/// The files and folders below paths of this device, as a transfer sends them.
package struct LocalItems: Sendable {
    package let manifest: TransferManifest
    /// The absolute path of each entry of the manifest.
    package let paths: [String]
    /// The status of each one when it was offered.
    let versions: [FileStatus.Version]

    /// Walks the folders. Blocks on the disk.
    /// - Parameters:
    ///   - paths: absolute ones. A symbolic link that is named itself stands for what it points to.
    ///   - urls: sent without bytes.
    /// - Throws: `not_found`, `failed_precondition` for what cannot be read, `invalid_argument` for what cannot be sent.
    package init(paths: [String], urls: [String] = []) throws(BatonError) {
        var walk = Walk()
        for path in paths { try walk.addItem(path) }
        manifest = try TransferManifest(
            entries: walk.entries, urls: urls, links: walk.links, leftOut: walk.skipped)
        self.paths = walk.paths
        versions = walk.versions
    }

    private struct Walk {
        var entries: [TransferManifest.Entry] = []
        var paths: [String] = []
        var versions: [FileStatus.Version] = []
        var links: [TransferManifest.Link] = []
        /// Links that lead elsewhere, sockets and other things inside of folders, which are not sent.
        var skipped = 0
        private var names: Set<String> = []

        mutating func addItem(_ path: String) throws(BatonError) {
            let url = URL(fileURLWithPath: path).standardizedFileURL
            var name = url.lastPathComponent
            guard !name.isEmpty, name != "/" else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_item", "The root folder cannot be sent. Name a file or a folder."
                )
            }
            var number = 2
            while !names.insert(name).inserted {
                name = "\(url.deletingPathExtension().lastPathComponent) \(number)"
                if !url.pathExtension.isEmpty { name += ".\(url.pathExtension)" }
                number += 1
            }
            guard let status = FileStatus(path, followsLink: true) else { throw LocalItems.unreadable(path) }
            guard try add(status, path, as: name) else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_item", "“\(path)” is neither a file nor a folder.")
            }
        }

        /// - Returns: false for what cannot be sent.
        private mutating func add(_ status: FileStatus, _ path: String, as name: String) throws(BatonError) -> Bool {
            guard entries.count + links.count < TransferManifest.maximumEntries else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_files",
                    "At most \(TransferManifest.maximumEntries) files and folders can be sent at once. Pack them into an "
                        + "archive first.")
            }
            var entry = TransferManifest.Entry(path: name, kind: .file, modified: status.modified)
            if status.isFile {
                guard access(path, R_OK) == 0 else { throw LocalItems.unreadable(path) }
                entry.size = status.size
                entry.isExecutable = status.isExecutable
                entry.version = status.version.digest
                entries.append(entry)
                paths.append(path)
                versions.append(status.version)
            } else if status.isDirectory {
                entry.kind = .directory
                entries.append(entry)
                paths.append(path)
                versions.append(status.version)
                try addContents(of: path, name)
            } else {
                return false
            }
            return true
        }

        private mutating func addContents(of path: String, _ name: String) throws(BatonError) {
            let contents: [String]
            do {
                contents = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            } catch {
                throw LocalItems.unreadable(path)
            }
            for child in contents {
                let childPath = "\(path)/\(child)"
                guard let status = FileStatus(childPath, followsLink: false) else {
                    throw LocalItems.unreadable(childPath)
                }
                let place = "\(name)/\(child)"
                if status.isLink, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: childPath),
                    SafeLink.stays(target, at: place), entries.count + links.count < TransferManifest.maximumEntries
                {
                    links.append(TransferManifest.Link(path: place, target: target))
                } else if try !add(status, childPath, as: place) {
                    skipped += 1
                }
            }
        }
    }

    static func unreadable(_ path: String) -> BatonError {
        let code = errno
        return BatonError(
            code == ENOENT ? .notFound : .failedPrecondition,
            reason: code == ENOENT ? "file_not_found" : "file_unreadable",
            "“\(path)” cannot be read: \(String(cString: strerror(code))).")
    }
}
