import BatonCore
import FileSync
import Glibc

/// A package that is read, as an archive, while no process writes to anything in it.
///
/// `@unchecked Sendable`: handed from one thread to the next, and used by one at a time.
final class RestingPackage: RestingContent, @unchecked Sendable {
    private let package: OpenNode
    private let tree: PackageTree
    let fingerprint: Fingerprint
    private var index = -1
    private var file: (content: StableFile, rest: UInt64)?
    private var isAtEnd = false

    /// - Parameter handle: of the package that is meant.
    init(_ directory: OpenNode, _ name: [UInt8], _ handle: LocalHandle) throws {
        guard let package = try? PackageTree.open(name, in: directory),
            try DiskNode.look(package.number).handle == handle
        else { throw StableFile.UnstableFileError.changed }
        self.package = package
        tree = PackageTree(package)
        fingerprint = tree.fingerprint
        guard tree.isWhole, tree.items.count <= PackageArchive.maximumItems else {
            throw StableFile.UnstableFileError.busy
        }
    }

    func read() throws -> [UInt8] {
        var bytes: [UInt8] = []
        if index < 0 {
            bytes = PackageArchive.beginning
            index = 0
        }
        while bytes.count < StableFile.pieceSize {
            if let piece = try pieceOfFile() {
                bytes += piece
                continue
            }
            guard index < tree.items.count else { break }
            bytes += try begin(tree.items[index])
            index += 1
        }
        if bytes.count < StableFile.pieceSize, index == tree.items.count, file == nil, !isAtEnd {
            isAtEnd = true
            bytes += PackageArchive.end
        }
        return bytes
    }

    /// Nil where no file is open.
    private func pieceOfFile() throws -> [UInt8]? {
        guard let (content, rest) = file else { return nil }
        let piece = try content.read()
        guard UInt64(piece.count) <= rest else { throw StableFile.UnstableFileError.busy }
        guard piece.isEmpty else {
            file = (content, rest - UInt64(piece.count))
            return piece
        }
        guard rest == 0 else { throw StableFile.UnstableFileError.busy }
        try content.check()
        file = nil
        return []
    }

    private func begin(_ item: PackageTree.Item) throws -> [UInt8] {
        let mode = UInt16(truncatingIfNeeded: item.node.mode)
        switch item.kind {
        case .directory: return PackageArchive.Item(.directory, item.path, mode: mode).header
        case .symbolicLink:
            let (directory, name) = try place(of: item)
            guard let target = ContainerEngine.target(of: name, in: directory) else {
                throw StableFile.UnstableFileError.busy
            }
            return PackageArchive.Item(.symbolicLink, item.path, size: UInt64(target.count)).header + target
        case .file:
            let (directory, name) = try place(of: item)
            let content = try StableFile(directory, name, item.node.handle)
            guard content.fingerprint == item.node.fingerprint else { throw StableFile.UnstableFileError.busy }
            file = (content, content.fingerprint.size)
            return PackageArchive.Item(
                .file, item.path, mode: mode, modified: content.fingerprint.modified, size: content.fingerprint.size
            ).header
        }
    }

    private func place(of item: PackageTree.Item) throws -> (OpenNode, [UInt8]) {
        guard let slash = item.path.lastIndex(of: 0x2F) else { return (package, item.path) }
        guard let directory = try? PackageTree.open(Array(item.path[..<slash]), in: package) else {
            throw StableFile.UnstableFileError.busy
        }
        return (directory, Array(item.path[(slash + 1)...]))
    }

    func check() throws {
        guard PackageTree(package).fingerprint == fingerprint else { throw StableFile.UnstableFileError.busy }
    }
}
