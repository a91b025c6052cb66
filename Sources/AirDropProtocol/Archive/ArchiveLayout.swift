package import BatonCore
import Files

/// Decides where each entry of a received archive goes, or that the archive is refused.
///
/// Only what the sender announced is taken, each once and as announced, under the name that the person saw. Every path
/// that comes out is relative, has safe components only, and is below one that was announced.
package struct ArchiveLayout: Sendable {
    package enum Placement: Hashable, Sendable {
        /// Not stored: the archive's own folder, and companions of files that macOS writes.
        case skipped
        /// To be made, with those above it, if it is not there yet.
        case directory(String)
        /// To be made anew; the folders above it are to be made if they are not there.
        case file(String)
        /// As `file`. The link's target is checked by ``link(at:to:)``.
        case link(String)
    }

    private struct Node {
        var kind: ArchiveEntry.Kind
        /// Safe, and relative to the destination.
        var path: String
        /// Made because something is in it, and not yet named by an entry of its own.
        var isImplied = false
        var names = SafeNames(mayBeHidden: true)
    }

    private struct FileID: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// Bytes of a link's target.
    package static let maximumTarget = SafeLink.maximumTarget
    /// Bytes of all paths together, which are kept until the archive is complete.
    private static let maximumPaths = 16 << 20

    private let limits: ArchiveLimits
    private let offered: [String: OfferedFile]
    /// Names at the destination of what was announced.
    private let names: [String: String]
    /// By the path in the archive, without `./`.
    private var nodes: [[UInt8]: Node] = [:]
    /// Sizes of files that had several names at the sender's.
    private var linkedSizes: [FileID: UInt64] = [:]
    private var missing: Set<String>
    private var pathBytes = 0

    package init(_ files: [OfferedFile], limits: ArchiveLimits) {
        self.limits = limits
        offered = Dictionary(files.map { ($0.archiveName, $0) }) { first, _ in first }
        var safe = SafeNames()
        var names: [String: String] = [:]
        for file in files where names[file.archiveName] == nil { names[file.archiveName] = safe.add(file.name.utf8) }
        self.names = names
        missing = Set(offered.keys)
    }

    /// The names at the destination when the archive is complete, sorted.
    package var delivered: [String] { names.values.sorted() }

    /// - Throws: `archive_unsafe_path`, `archive_not_announced`, `archive_duplicate`, `archive_hard_link`,
    ///   `archive_too_large`.
    package mutating func place(_ entry: ArchiveEntry) throws(BatonError) -> Placement {
        let components = try components(of: entry.path)
        guard let first = components.first else {
            guard entry.kind == .directory else { throw Self.unsafe(entry.path) }
            return .skipped
        }
        try checkLinks(entry)
        let top = String(validating: first, as: UTF8.self)
        guard let top, let file = offered[top] else {
            if let top, isCompanion(top) { return .skipped }
            throw Self.notAnnounced(entry.path)
        }
        let isTop = components.count == 1
        guard !isTop || (entry.kind == (file.isDirectory ? .directory : .file)), isTop || file.isDirectory else {
            throw Self.notAnnounced(entry.path)
        }
        // Another spelling of the same accents is the same item.
        let path = try add([Array(file.archiveName.utf8)[...]] + components.dropFirst(), entry)
        missing.remove(top)
        switch entry.kind {
        case .directory: return .directory(path)
        case .file: return .file(path)
        case .symbolicLink: return .link(path)
        }
    }

    /// Checks what a link points to: a relative path that stays inside of the folder that was announced.
    /// - Parameter path: as ``place(_:)`` returned it.
    /// - Throws: `archive_unsafe_link`.
    package func link(at path: String, to target: [UInt8]) throws(BatonError) -> String {
        guard let text = String(validating: target, as: UTF8.self), SafeLink.stays(text, at: path) else {
            throw ArchiveError.refused(
                "archive_unsafe_link", "the link “\(SafeName.display(path))” points out of its folder")
        }
        return text
    }

    /// The archive is over.
    /// - Throws: `archive_incomplete` when something that was announced has not come.
    package func finish() throws(BatonError) {
        guard let name = missing.min() else { return }
        throw ArchiveError.refused("archive_incomplete", "“\(SafeName.display(name))” was announced and not sent")
    }

    // MARK: Paths

    private func components(of path: [UInt8]) throws(BatonError) -> [ArraySlice<UInt8>] {
        guard path.first != UInt8(ascii: "/"), !path.contains(0) else { throw Self.unsafe(path) }
        let components = path.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        guard !components.contains(where: { $0.elementsEqual("..".utf8) }) else { throw Self.unsafe(path) }
        guard components.count <= limits.depth else {
            throw ArchiveError.tooLarge("it has more than \(limits.depth) folders within each other")
        }
        return components
    }

    private mutating func add(_ components: [ArraySlice<UInt8>], _ entry: ArchiveEntry) throws(BatonError) -> String {
        var key: [UInt8] = []
        for (index, component) in components.enumerated() {
            let parent = key
            key += (index == 0 ? [] : [UInt8(ascii: "/")]) + component
            let isLast = index == components.count - 1
            if let node = nodes[key] {
                if !isLast {
                    guard node.kind == .directory else { throw Self.duplicate(entry.path) }
                    continue
                }
                guard node.kind == .directory, entry.kind == .directory, node.isImplied else {
                    throw Self.duplicate(entry.path)
                }
                nodes[key]?.isImplied = false
                continue
            }
            let path: String
            if index == 0 {
                path = names[String(decoding: component, as: UTF8.self)] ?? ""
            } else {
                let name = nodes[parent]?.names.add(component) ?? ""
                path = (nodes[parent]?.path ?? "") + "/" + name
            }
            nodes[key] = Node(kind: isLast ? entry.kind : .directory, path: path, isImplied: !isLast)
            pathBytes += key.count
            guard nodes.count <= limits.entries, pathBytes <= Self.maximumPaths else {
                throw ArchiveError.tooLarge("it has too many files and folders")
            }
        }
        guard let path = nodes[key]?.path, path.utf8.count <= limits.path else {
            throw ArchiveError.tooLarge("a path in it is longer than \(limits.path) bytes")
        }
        return path
    }

    /// `._name` holds what macOS knows of `name` besides its contents.
    private func isCompanion(_ name: String) -> Bool {
        name.hasPrefix("._") && offered[String(name.dropFirst(2))] != nil
    }

    /// Some writers store the data of a file with several names once. Which entry has it cannot be determined in time.
    private mutating func checkLinks(_ entry: ArchiveEntry) throws(BatonError) {
        guard entry.kind == .file, entry.links > 1 else { return }
        let id = FileID(device: entry.device, inode: entry.inode)
        guard linkedSizes.updateValue(entry.size, forKey: id) ?? entry.size == entry.size else {
            throw ArchiveError.refused(
                "archive_hard_link",
                "“\(SafeName.display(entry.path))” is one file with several names, which this device does not take")
        }
    }

    // MARK: Errors

    private static func unsafe(_ path: [UInt8]) -> BatonError {
        ArchiveError.refused("archive_unsafe_path", "“\(SafeName.display(path))” is a path out of the folder")
    }

    private static func notAnnounced(_ path: [UInt8]) -> BatonError {
        ArchiveError.refused(
            "archive_not_announced", "it has “\(SafeName.display(path))”, which was not announced so")
    }

    private static func duplicate(_ path: [UInt8]) -> BatonError {
        ArchiveError.refused("archive_duplicate", "it has “\(SafeName.display(path))” twice")
    }
}
